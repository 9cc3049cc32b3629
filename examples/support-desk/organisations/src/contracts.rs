//! Contracts of organisations, and the tool that reads them.

use rusqlite::Row;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use support_desk_shared::{Caller, Database, ToolFailure};

use crate::organisations::Organisation;

/// A contract.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Contract {
    id: i64,
    service: String,
    /// The hours within which the customer gets a first answer.
    response_hours: i64,
    begins_on: String,
    ends_on: String,
}

/// A list of contracts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Contracts {
    contracts: Vec<Contract>,
}

/// The arguments of `list_contracts`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct List {
    organisation_id: i64,
}

impl Contract {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            service: row.get(1)?,
            response_hours: row.get(2)?,
            begins_on: row.get(3)?,
            ends_on: row.get(4)?,
        })
    }
}

pub(crate) fn list(database: &Database, _caller: &Caller, list: List) -> Result<Contracts, ToolFailure> {
    database.with(|connection| {
        Organisation::find(connection, list.organisation_id)?;
        let statement = "SELECT id, service, response_hours, begins_on, ends_on FROM contracts \
            WHERE organisation_id = ?1 ORDER BY ends_on DESC";
        let mut statement = connection.prepare(statement)?;
        let contracts =
            statement.query_map([list.organisation_id], Contract::read)?.collect::<rusqlite::Result<_>>()?;
        Ok(Contracts { contracts })
    })
}
