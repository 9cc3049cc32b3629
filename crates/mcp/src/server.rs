//! A server whose tools agents use.

use std::fmt::Display;
use std::sync::Arc;

use turnkit_core::Scope;
use turnkit_core::ports::{BoxFuture, McpAddress, McpState, McpStatus, PinOwner, ToolSet, ToolSource, ToolSourceError};

use crate::headers::Varies;
use crate::link::Link;
use crate::per_user::{Owner, PerUser};
use crate::settings::{McpServerSettings, Transport, Trust};
use crate::tool_list::ToolList;

/// An MCP server as a source of tools.
///
/// It is started when its tools are first asked for, once for all that ask at the same time. A start that takes longer
/// than they wait goes on without them. After a failure, it is started again after 1 to 60 seconds; until then the
/// error says why there are no tools.
#[derive(Clone)]
pub struct McpServer(Arc<Inner>);

struct Inner {
    settings: Arc<McpServerSettings>,
    lists: Lists,
}

/// The connections of a server.
enum Lists {
    Shared(Arc<ToolList>),
    PerUser(PerUser, fn(&Scope) -> Owner),
}

impl McpServer {
    /// Creates a server. Nothing is started before its tools are needed.
    ///
    /// # Errors
    /// A header of the server cannot be sent.
    pub fn new(settings: McpServerSettings) -> Result<Self, ToolSourceError> {
        let settings = Arc::new(settings);
        let lists = match settings.transport.varies() {
            Varies::Never => Lists::Shared(Arc::new(tool_list(&settings, None)?)),
            Varies::ByTenant => Lists::PerUser(PerUser::new(), Owner::tenant),
            Varies::ByUser => Lists::PerUser(PerUser::new(), Owner::user),
        };
        Ok(Self(Arc::new(Inner { settings, lists })))
    }

    /// Returns the beginning of the names of its tools, with a `*` for the rest.
    pub fn tool_pattern(&self) -> String {
        format!("{}__*", self.0.settings.name())
    }

    /// Returns where the server is, without credentials.
    pub fn address(&self) -> McpAddress {
        self.0.settings.address()
    }

    /// Returns which statements of the server about its tools count. Calls of a [fully](Trust::Full) trusted server run
    /// without a question if the host trusts its [tools](Self::tool_pattern).
    pub fn trust(&self) -> Trust {
        self.0.settings.trust
    }

    /// Reports whether the server can be used only on behalf of a user whose access token is known, because it is
    /// exchanged for those that the server accepts.
    pub fn acts_for_callers(&self) -> bool {
        match &self.0.settings.transport {
            Transport::Stdio { .. } => false,
            Transport::Http(server) => server.acts_for_callers(),
        }
    }

    /// Returns the state of the server, for operators.
    pub fn status(&self) -> McpStatus {
        let (connections, list) = match &self.0.lists {
            Lists::Shared(list) => (1, Some(Arc::clone(list))),
            Lists::PerUser(users, _) => users.state(),
        };
        let state = list.map_or(McpState::NotStarted, |list| list.state());
        let owner = match &self.0.lists {
            Lists::Shared(_) => PinOwner::Everyone,
            Lists::PerUser(users, _) => users.last_owner().map_or(PinOwner::Everyone, Owner::pin_owner),
        };
        McpStatus { name: self.0.settings.name().to_owned(), address: self.address(), connections, state, owner }
    }

    /// Drops all connections, and reads the tools again over a new one on behalf of the owner of `scope`, even if the
    /// last start has just failed. Calls that are running keep their connection until they end. If there is no access
    /// token for the new connection, the present ones stay.
    ///
    /// # Errors
    /// The server cannot be used now.
    pub async fn reconnect(&self, scope: Option<&Scope>) -> Result<Arc<ToolSet>, ToolSourceError> {
        let endpoint = self.0.settings.endpoint(scope).map_err(ToolSourceError)?;
        endpoint.wait_for_token().await.map_err(unusable)?;
        match &self.0.lists {
            Lists::Shared(list) => list.reset(),
            Lists::PerUser(users, _) => users.all().iter().for_each(|list| list.reset()),
        }
        self.current_tools(scope).await
    }

    async fn current_tools(&self, scope: Option<&Scope>) -> Result<Arc<ToolSet>, ToolSourceError> {
        let settings = &self.0.settings;
        let list = match &self.0.lists {
            Lists::Shared(list) => Arc::clone(list),
            Lists::PerUser(users, owner) => match scope {
                Some(scope) => {
                    // A caller without a token opens no connection, so it must not close that of another one.
                    settings.transport.check_caller(scope).map_err(unusable)?;
                    users.list(owner(scope), || tool_list(settings, Some(scope)))?
                }
                None => Arc::new(tool_list(settings, None)?),
            },
        };
        list.tools().await.map_err(unusable)
    }
}

fn unusable(why: impl Display) -> ToolSourceError {
    ToolSourceError(why.to_string())
}

fn tool_list(settings: &Arc<McpServerSettings>, scope: Option<&Scope>) -> Result<ToolList, ToolSourceError> {
    let endpoint = settings.endpoint(scope).map_err(ToolSourceError)?;
    Ok(ToolList::new(Link::new(Arc::clone(settings), endpoint)))
}

impl ToolSource for McpServer {
    fn name(&self) -> &str {
        self.0.settings.name()
    }

    fn defers(&self) -> bool {
        self.0.settings.defer
    }

    fn pin_owner(&self, scope: &Scope) -> PinOwner {
        match &self.0.lists {
            Lists::Shared(_) => PinOwner::Everyone,
            Lists::PerUser(_, owner) => owner(scope).pin_owner(),
        }
    }

    fn known_tools(&self, scope: Option<&Scope>) -> Option<Arc<ToolSet>> {
        match &self.0.lists {
            Lists::Shared(list) => list.known(),
            Lists::PerUser(users, owner) => {
                let scope = scope?;
                // For a caller without a token, the error of `tools` says why there are none.
                self.0.settings.transport.check_caller(scope).ok()?;
                users.known(&owner(scope))?.known()
            }
        }
    }

    fn tools<'a>(&'a self, scope: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>> {
        Box::pin(self.current_tools(scope))
    }
}
