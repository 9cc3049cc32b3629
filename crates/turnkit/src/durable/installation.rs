//! An open database and its service.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::Scope;
use turnkit_engine::TurnService;
use turnkit_store::{DataDirectory, SqliteStore};

use crate::interaction::Handler;

/// An open database and its service.
pub(crate) struct Installation {
    pub(crate) service: TurnService,
    pub(crate) store: Arc<SqliteStore>,
    pub(super) scope: Scope,
    /// The names of the agents, first that of sessions that name none.
    pub(crate) agents: Vec<String>,
    /// What replies to the interactions of each agent.
    pub(super) handlers: HashMap<String, Handler>,
    /// Keeps other processes from the database.
    pub(crate) directory: Arc<DataDirectory>,
}

impl Installation {
    pub(super) fn first_agent(&self) -> &str {
        self.agents.first().map_or("", String::as_str)
    }
}
