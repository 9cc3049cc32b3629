//! `turnkit sessions search`: finds sessions by the words in them.

use serde_json::json;
use turnkit_core::{SearchQuery, SearchQueryError, SessionId};
use turnkit_server::{List, ListedSessionBody};

use super::{list_line, print, remark_rest};
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::remark;

pub(super) async fn run(
    data: Option<&Data>,
    words: &str,
    user: Option<&str>,
    page: (u32, Option<SessionId>),
    json: bool,
) -> Result<(), Failure> {
    let query: SearchQuery = words
        .parse()
        .map_err(|error: SearchQueryError| Failure::Usage(format!("cannot search for {words:?}: {error}")))?;
    let list = match data {
        Some(data) => data.search(user, (words, query), page).await?,
        None => List::empty(),
    };
    if json {
        return print(&json!(list).to_string());
    }
    if list.data.is_empty() && list.unreadable.is_empty() {
        remark("nothing was found");
    }
    for ListedSessionBody { session, turn } in &list.data {
        print(&list_line(session))?;
        if let Some(turn) = turn {
            print(&format!("  turn {}: {}", turn.number, turn.excerpt))?;
        }
    }
    remark_rest(&list);
    Ok(())
}
