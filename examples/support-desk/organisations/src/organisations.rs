//! Organisations, and the tools that read them.

use rusqlite::{Connection, OptionalExtension, Row};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use support_desk_shared::{Caller, Database, ToolFailure};

const COLUMNS: &str = "id, name, city, plan";

/// A customer.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Organisation {
    id: i64,
    name: String,
    city: String,
    /// The plan that the organisation pays for.
    plan: String,
}

/// A list of organisations.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Organisations {
    organisations: Vec<Organisation>,
}

/// The arguments of `search_organisations`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    /// A part of the name or the city, in any case. All organisations if absent.
    query: Option<String>,
}

/// The arguments of `get_organisation`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Get {
    id: i64,
}

impl Organisation {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self { id: row.get(0)?, name: row.get(1)?, city: row.get(2)?, plan: row.get(3)? })
    }

    /// Returns the organisation with this id.
    pub(crate) fn find(connection: &Connection, id: i64) -> Result<Self, ToolFailure> {
        let statement = format!("SELECT {COLUMNS} FROM organisations WHERE id = ?1");
        let organisation = connection.query_row(&statement, [id], Self::read).optional()?;
        organisation.ok_or_else(|| ToolFailure::missing("organisation", id, "search_organisations"))
    }
}

pub(crate) fn search(database: &Database, _caller: &Caller, search: Search) -> Result<Organisations, ToolFailure> {
    let statement = format!(
        "SELECT {COLUMNS} FROM organisations
         WHERE ?1 IS NULL OR instr(lower(name || ' ' || city), lower(?1)) > 0 ORDER BY name"
    );
    database.with(|connection| {
        let mut statement = connection.prepare(&statement)?;
        let organisations =
            statement.query_map([&search.query], Organisation::read)?.collect::<rusqlite::Result<_>>()?;
        Ok(Organisations { organisations })
    })
}

pub(crate) fn get(database: &Database, _caller: &Caller, get: Get) -> Result<Organisation, ToolFailure> {
    database.with(|connection| Organisation::find(connection, get.id))
}
