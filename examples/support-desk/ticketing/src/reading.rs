//! The tools that read tickets.

use rusqlite::{Connection, Params, params};
use schemars::JsonSchema;
use serde::Deserialize;
use support_desk_shared::{Caller, Database, ToolFailure};

use crate::status::Status;
use crate::ticket::{COLUMNS, Comment, Ticket, TicketWithComments, Tickets};

/// The largest number of tickets in a list.
const MOST: u32 = 50;

/// The arguments of `search_tickets`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// Text in the title or the description, in any case.
    query: Option<String>,
    status: Option<Status>,
    organisation_id: Option<i64>,
    /// The largest number of tickets, 50 if absent.
    limit: Option<u32>,
}

/// The arguments of `get_ticket`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: i64,
}

/// The arguments of `my_tickets`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mine {
    status: Option<Status>,
}

pub(crate) fn search(database: &Database, _caller: &Caller, search: Search) -> Result<Tickets, ToolFailure> {
    let condition = "(?1 IS NULL OR instr(lower(title || ' ' || description), lower(?1)) > 0)
        AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR organisation_id = ?3)";
    let limit = search.limit.unwrap_or(MOST).min(MOST);
    let values = params![search.query, search.status, search.organisation_id];
    database.with(|connection| list(connection, condition, limit, values))
}

pub(crate) fn get(database: &Database, _caller: &Caller, get: Get) -> Result<TicketWithComments, ToolFailure> {
    database.with(|connection| {
        let ticket = Ticket::find(connection, get.id)?;
        Ok(TicketWithComments { ticket, comments: Comment::of(connection, get.id)? })
    })
}

pub(crate) fn mine(database: &Database, caller: &Caller, mine: Mine) -> Result<Tickets, ToolFailure> {
    let condition = "(requester = ?1 OR assignee = ?1) AND (?2 IS NULL OR status = ?2)";
    database.with(|connection| list(connection, condition, MOST, params![caller.user, mine.status]))
}

/// Returns the tickets that meet a condition, the last changed ones first.
fn list(connection: &Connection, condition: &str, limit: u32, values: impl Params) -> Result<Tickets, ToolFailure> {
    let statement =
        format!("SELECT {COLUMNS} FROM tickets WHERE {condition} ORDER BY updated_at DESC, id DESC LIMIT {limit}");
    let mut statement = connection.prepare(&statement)?;
    let tickets = statement.query_map(values, Ticket::read)?.collect::<rusqlite::Result<_>>()?;
    Ok(Tickets { tickets })
}
