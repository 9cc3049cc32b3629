//! `turnkit permissions ls` and `revoke`: the grants that were made by approving calls.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::GrantId;
use turnkit_core::ports::GrantPage;
use turnkit_server::{GrantBody, List};

use crate::args::Place;
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::{json_line, line, remark, revealed};

pub(crate) async fn list(
    place: &Place,
    server: Option<&str>,
    page: GrantPage,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    let list = match Data::open(place, server)? {
        Some(data) => data.grants(page).await?,
        None => List::empty(),
    };
    if as_json {
        json_line(&json!(list).to_string()).map_err(|error| Failure::of_output(&error))?;
        return Ok(ExitCode::SUCCESS);
    }
    if list.data.is_empty() && list.unreadable.is_empty() {
        remark("nothing is granted");
    }
    for grant in &list.data {
        let about = format!("{}  {}  {} {}", grant.id, grant.created_at, grant.tool, coverage(grant));
        line(&revealed(&about)).map_err(|error| Failure::of_output(&error))?;
    }
    for name in &list.unreadable {
        remark(&format!("{name} is damaged; `turnkit doctor` describes the damage"));
    }
    if let Some(next) = &list.next {
        remark(&format!("there are more: --after {next}"));
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) async fn revoke(place: &Place, server: Option<&str>, id: GrantId) -> Result<ExitCode, Failure> {
    let data = Data::open(place, server)?.ok_or_else(|| Failure::no_grant(id))?;
    data.revoke_grant(id).await?;
    remark("revoked");
    Ok(ExitCode::SUCCESS)
}

/// Describes the calls that a grant covers.
fn coverage(grant: &GrantBody) -> String {
    let outside = if grant.untrusted { ", also after untrusted text" } else { "" };
    match (&grant.session_id, &grant.subject) {
        (Some(session), _) => format!("in session {session}{outside}"),
        (None, Some(subject)) => format!("always for {subject}{outside}"),
        (None, None) => format!("always{outside}"),
    }
}
