//! The tools that change tickets.

use rusqlite::{Connection, Params, params};
use schemars::JsonSchema;
use serde::Deserialize;
use support_desk_shared::{Caller, Database, ToolFailure};

use crate::priority::Priority;
use crate::ticket::{Comment, Ticket, TicketWithComments};

/// The current time in SQLite.
const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

/// The arguments of `create_ticket`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Create {
    title: String,
    description: String,
    organisation_id: i64,
    /// The priority, `normal` if absent.
    priority: Option<Priority>,
}

/// The arguments of `update_ticket`. A field that is absent remains as it is.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Update {
    id: i64,
    title: Option<String>,
    description: Option<String>,
    priority: Option<Priority>,
}

/// The arguments of `add_comment`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddComment {
    id: i64,
    text: String,
}

/// The arguments of `assign_ticket`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assign {
    id: i64,
    /// The user name of a member of the support team.
    assignee: String,
}

/// The arguments of `close_ticket`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Close {
    id: i64,
    /// The reason, for the customer.
    resolution: String,
}

pub(crate) fn create(database: &Database, caller: &Caller, create: Create) -> Result<Ticket, ToolFailure> {
    let title = filled("title", &create.title)?;
    let statement = format!(
        "INSERT INTO tickets (title, description, status, priority, organisation_id, requester, created_at, updated_at)
         VALUES (?1, ?2, 'open', ?3, ?4, ?5, {NOW}, {NOW})"
    );
    let priority = create.priority.unwrap_or_default();
    database.with(|connection| {
        let values = params![title, create.description, priority, create.organisation_id, caller.user];
        connection.execute(&statement, values)?;
        Ticket::find(connection, connection.last_insert_rowid())
    })
}

pub(crate) fn update(database: &Database, _caller: &Caller, update: Update) -> Result<Ticket, ToolFailure> {
    let title = update.title.as_deref().map(|title| filled("title", title)).transpose()?;
    let values = params![update.id, title, update.description, update.priority];
    let columns = "title = coalesce(?2, title), description = coalesce(?3, description), \
        priority = coalesce(?4, priority)";
    database.with(|connection| set(connection, update.id, columns, values))
}

pub(crate) fn comment(
    database: &Database,
    caller: &Caller,
    comment: AddComment,
) -> Result<TicketWithComments, ToolFailure> {
    let text = filled("text", &comment.text)?;
    let statement = format!("INSERT INTO comments (ticket_id, author, text, created_at) VALUES (?1, ?2, ?3, {NOW})");
    database.with(|connection| {
        // The comment changes the ticket too. This also finds out whether there is one.
        let ticket = set(connection, comment.id, "title = title", [comment.id])?;
        connection.execute(&statement, params![comment.id, caller.user, text])?;
        Ok(TicketWithComments { ticket, comments: Comment::of(connection, comment.id)? })
    })
}

pub(crate) fn assign(database: &Database, _caller: &Caller, assign: Assign) -> Result<Ticket, ToolFailure> {
    let assignee = filled("assignee", &assign.assignee)?;
    let values = params![assign.id, assignee];
    database.with(|connection| set(connection, assign.id, "assignee = ?2", values))
}

pub(crate) fn close(database: &Database, _caller: &Caller, close: Close) -> Result<Ticket, ToolFailure> {
    let resolution = filled("resolution", &close.resolution)?;
    let values = params![close.id, resolution];
    database.with(|connection| set(connection, close.id, "status = 'closed', resolution = ?2", values))
}

/// Changes columns of a ticket, whose id is the first of the values.
fn set(connection: &Connection, id: i64, columns: &str, values: impl Params) -> Result<Ticket, ToolFailure> {
    let statement = format!("UPDATE tickets SET {columns}, updated_at = {NOW} WHERE id = ?1");
    connection.execute(&statement, values)?;
    Ticket::find(connection, id)
}

/// Returns the text without white space around it. An empty one is refused.
fn filled<'a>(field: &str, text: &'a str) -> Result<&'a str, ToolFailure> {
    let text = text.trim();
    if text.is_empty() { Err(ToolFailure::Refused(format!("`{field}` is empty: write a text"))) } else { Ok(text) }
}
