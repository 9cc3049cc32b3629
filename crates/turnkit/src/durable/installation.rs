//! What an opened database consists of.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::Scope;
use turnkit_engine::TurnService;
use turnkit_store::{DataDirectory, SqliteStore};

use crate::interaction::Handler;

/// An opened database and what runs on it.
pub(crate) struct Installation {
    pub(super) service: TurnService,
    pub(super) store: Arc<SqliteStore>,
    pub(super) scope: Scope,
    /// The agent of sessions that name none.
    pub(super) first_agent: String,
    /// What replies to the interactions of each agent.
    pub(super) handlers: HashMap<String, Handler>,
    /// Keeps other processes from the database.
    pub(super) _directory: DataDirectory,
}
