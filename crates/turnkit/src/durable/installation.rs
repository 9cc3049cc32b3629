//! An open database with the service that runs its turns.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::Scope;
use turnkit_engine::TurnService;
use turnkit_store::{DataDirectory, SqliteStore};

use crate::interaction::Handler;

/// An open database with the service that runs its turns.
pub(crate) struct Installation {
    pub(crate) service: TurnService,
    pub(crate) store: Arc<SqliteStore>,
    pub(super) scope: Scope,
    /// The names of the agents. Sessions that name no agent use the first one.
    pub(crate) agents: Vec<String>,
    /// The interaction handler of each agent.
    pub(super) handlers: HashMap<String, Handler>,
    /// The locked folder of the database, which keeps other processes out.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "only a server reads it; its lock is what counts"))]
    pub(crate) directory: Arc<DataDirectory>,
}

impl Installation {
    pub(super) fn first_agent(&self) -> &str {
        self.agents.first().map_or("", String::as_str)
    }
}
