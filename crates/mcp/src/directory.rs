//! The servers of a process, for operators.

use turnkit_core::Scope;
use turnkit_core::ports::{BoxFuture, McpDirectory, McpStatus, ToolSource as _, ToolSourceError};

use crate::server::McpServer;

/// The servers whose tools the agents of a process use. Clones of the agents' servers share their connections.
pub struct McpServers(Vec<McpServer>);

impl McpServers {
    /// Creates a directory of these servers.
    pub fn new(servers: impl IntoIterator<Item = McpServer>) -> Self {
        Self(servers.into_iter().collect())
    }
}

impl McpDirectory for McpServers {
    fn servers(&self) -> Vec<McpStatus> {
        self.0.iter().map(McpServer::status).collect()
    }

    fn reconnect<'a>(&'a self, name: &'a str, scope: &'a Scope) -> BoxFuture<'a, Option<Result<(), ToolSourceError>>> {
        Box::pin(async move {
            let server = self.0.iter().find(|server| server.name() == name)?;
            Some(server.reconnect(Some(scope)).await.map(drop))
        })
    }
}
