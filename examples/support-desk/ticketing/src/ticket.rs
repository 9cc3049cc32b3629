//! Tickets and their comments.

use rusqlite::{Connection, OptionalExtension, Row};
use schemars::JsonSchema;
use serde::Serialize;
use support_desk_shared::ToolFailure;

use crate::priority::Priority;
use crate::status::Status;

/// The columns of a ticket, as [`Ticket::read`] expects them.
pub(crate) const COLUMNS: &str = "id, title, description, status, priority, organisation_id, requester, assignee, \
    resolution, created_at, updated_at";

/// A request of a customer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Ticket {
    id: i64,
    title: String,
    description: String,
    status: Status,
    priority: Priority,
    organisation_id: i64,
    /// The user who asked for it.
    requester: String,
    /// The member of the support team who works on it.
    assignee: Option<String>,
    /// The reason why it was closed.
    resolution: Option<String>,
    created_at: String,
    updated_at: String,
}

/// A comment on a ticket.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Comment {
    author: String,
    text: String,
    created_at: String,
}

/// A list of tickets.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Tickets {
    pub(crate) tickets: Vec<Ticket>,
}

/// A ticket with its comments.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TicketWithComments {
    pub(crate) ticket: Ticket,
    /// The comments, the oldest first.
    pub(crate) comments: Vec<Comment>,
}

impl Ticket {
    /// Reads a row with [`COLUMNS`].
    pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            title: row.get(1)?,
            description: row.get(2)?,
            status: row.get(3)?,
            priority: row.get(4)?,
            organisation_id: row.get(5)?,
            requester: row.get(6)?,
            assignee: row.get(7)?,
            resolution: row.get(8)?,
            created_at: row.get(9)?,
            updated_at: row.get(10)?,
        })
    }

    /// Returns the ticket with this id.
    pub(crate) fn find(connection: &Connection, id: i64) -> Result<Self, ToolFailure> {
        let statement = format!("SELECT {COLUMNS} FROM tickets WHERE id = ?1");
        let ticket = connection.query_row(&statement, [id], Self::read).optional()?;
        ticket.ok_or_else(|| ToolFailure::missing("ticket", id, "search_tickets"))
    }
}

impl Comment {
    /// Returns the comments on a ticket, the oldest first.
    pub(crate) fn of(connection: &Connection, ticket: i64) -> Result<Vec<Self>, ToolFailure> {
        let statement = "SELECT author, text, created_at FROM comments WHERE ticket_id = ?1 ORDER BY id";
        let mut statement = connection.prepare(statement)?;
        let comments = statement
            .query_map([ticket], |row| Ok(Self { author: row.get(0)?, text: row.get(1)?, created_at: row.get(2)? }))?;
        Ok(comments.collect::<rusqlite::Result<_>>()?)
    }
}
