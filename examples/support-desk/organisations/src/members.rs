//! Members of organisations, and the tools that read and change them.

use rusqlite::{Connection, OptionalExtension, Row, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use support_desk_shared::{Caller, Database, ToolFailure};

use crate::organisations::Organisation;

const COLUMNS: &str = "id, organisation_id, name, email, role";

/// A person of an organisation.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Member {
    id: i64,
    organisation_id: i64,
    name: String,
    email: String,
    role: String,
}

/// A list of members.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Members {
    members: Vec<Member>,
}

/// The arguments of `list_members`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    organisation_id: i64,
}

/// The arguments of `get_member`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: i64,
}

/// The arguments of `update_member`. A field that is absent remains as it is.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Update {
    id: i64,
    name: Option<String>,
    email: Option<String>,
    role: Option<String>,
}

impl Member {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            organisation_id: row.get(1)?,
            name: row.get(2)?,
            email: row.get(3)?,
            role: row.get(4)?,
        })
    }

    fn find(connection: &Connection, id: i64) -> Result<Self, ToolFailure> {
        let statement = format!("SELECT {COLUMNS} FROM members WHERE id = ?1");
        let member = connection.query_row(&statement, [id], Self::read).optional()?;
        member.ok_or_else(|| ToolFailure::missing("member", id, "list_members"))
    }
}

pub(crate) fn list(database: &Database, _caller: &Caller, list: List) -> Result<Members, ToolFailure> {
    let statement = format!("SELECT {COLUMNS} FROM members WHERE organisation_id = ?1 ORDER BY name");
    database.with(|connection| {
        // An organisation without members and a missing one are different answers.
        Organisation::find(connection, list.organisation_id)?;
        let mut statement = connection.prepare(&statement)?;
        let members = statement.query_map([list.organisation_id], Member::read)?.collect::<rusqlite::Result<_>>()?;
        Ok(Members { members })
    })
}

pub(crate) fn get(database: &Database, _caller: &Caller, get: Get) -> Result<Member, ToolFailure> {
    database.with(|connection| Member::find(connection, get.id))
}

pub(crate) fn update(database: &Database, _caller: &Caller, update: Update) -> Result<Member, ToolFailure> {
    if let Some(email) = update.email.as_deref().filter(|email| !email.contains('@')) {
        return Err(ToolFailure::Refused(format!("`email` is {email}, which is no address: write it with an @")));
    }
    let statement = "UPDATE members SET name = coalesce(?2, name), email = coalesce(?3, email), \
        role = coalesce(?4, role) WHERE id = ?1";
    database.with(|connection| {
        connection.execute(statement, params![update.id, update.name, update.email, update.role])?;
        Member::find(connection, update.id)
    })
}
