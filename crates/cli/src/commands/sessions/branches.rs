//! `turnkit sessions branches` and `switch`.

use serde_json::json;

use super::print;
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::remark;

pub(super) async fn list(data: &Data, wanted: &str, json: bool) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let branches = data.branches(id).await?;
    if json {
        return print(&json!(branches).to_string());
    }
    branches.iter().try_for_each(|branch| print(&branch.to_string()))
}

pub(super) async fn switch(data: &Data, wanted: &str, number: u32) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let (turn, message) = data.branch_at(id, number).await?;
    data.runner().move_head(id, Some(turn)).await?;
    remark(&message);
    Ok(())
}
