//! The builder that opens a database.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use turnkit_broker::InProcess;
use turnkit_core::ports::{BoxFuture, LlmProvider};
use turnkit_core::{Route, Scope, StoreError};
use turnkit_engine::TurnService;
use turnkit_store::{DataDirectory, LockError, SqliteOptions, SqliteStore, UrlError};

use super::installation::Installation;
use super::providers::Providers;
use super::turnkit::Turnkit;
use crate::interaction::Handler;
use crate::{Agent, Error};

/// The reason why a database cannot be opened.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The URL does not name a database.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// No agent was added that could continue the stored turns.
    #[error("no agent was added; call `.agent(name, agent)` before awaiting `Turnkit::open`")]
    NoAgent,
    /// Two agents have the same name.
    #[error("two agents are called `{0}`; give each a name of its own")]
    TwoAgents(String),
    /// The model of an agent cannot be used.
    #[error("agent `{agent}`: {reason}")]
    Agent {
        /// The name of the agent.
        agent: String,
        /// The reason why its model cannot be used.
        reason: Error,
    },
    /// The symbolic links in the path cannot be resolved.
    #[error("cannot look for the database: {0}")]
    Link(io::Error),
    /// The folder of the database is in use, or cannot be used.
    #[error(transparent)]
    Directory(#[from] LockError),
    /// The database cannot be opened.
    #[error(transparent)]
    Database(#[from] turnkit_store::OpenError),
    /// The unfinished turns cannot be read.
    #[error("cannot read the unfinished turns: {0}")]
    Resume(StoreError),
}

/// Prints the message, because an error that `main` returns is printed in this form.
impl fmt::Debug for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Opens a database when it is awaited.
#[must_use = "a builder opens nothing before it is awaited"]
pub struct TurnkitBuilder {
    url: String,
    agents: Vec<(String, Agent)>,
}

impl Turnkit {
    /// Returns a builder that opens the database at a URL such as `sqlite:app.db`, or creates it if it does not exist.
    ///
    /// Add the agents, then await the builder.
    pub fn open(url: impl Into<String>) -> TurnkitBuilder {
        TurnkitBuilder { url: url.into(), agents: Vec::new() }
    }
}

impl TurnkitBuilder {
    /// Adds an agent under a name.
    ///
    /// New sessions use the first agent, unless they name another one. The name is stored with the sessions: unfinished
    /// turns continue with the agent of this name.
    pub fn agent(mut self, name: impl Into<String>, agent: Agent) -> Self {
        self.agents.push((name.into(), agent));
        self
    }

    async fn open(self) -> Result<Turnkit, OpenError> {
        let names: Vec<String> = self.agents.iter().map(|(name, _)| name.clone()).collect();
        if names.is_empty() {
            return Err(OpenError::NoAgent);
        }
        let options = self.url.parse::<SqliteOptions>()?.resolved().map_err(OpenError::Link)?;
        let agents = Agents::new(self.agents)?;
        let directory = match options.path().parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        let directory = Arc::new(DataDirectory::lock(directory)?);
        let store = Arc::new(SqliteStore::open(&options)?);
        let broker = Arc::new(InProcess::default());
        let provider = Providers { of_agents: agents.providers, _directory: Arc::clone(&directory) };
        let builder = TurnService::builder(Arc::clone(&store) as _, broker, Arc::new(provider));
        let service = agents.agents.into_iter().fold(builder, turnkit_engine::ServiceBuilder::agent).build();
        service.delete_expired().await.map_err(OpenError::Resume)?;
        service.resume_unfinished().await.map_err(OpenError::Resume)?;
        let scope = Scope::local();
        let handlers = agents.handlers;
        Ok(Turnkit(Arc::new(Installation { service, store, scope, agents: names, handlers, directory })))
    }
}

impl IntoFuture for TurnkitBuilder {
    type Output = Result<Turnkit, OpenError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.open())
    }
}

/// The agents of a service, with their providers and interaction handlers.
struct Agents {
    agents: Vec<turnkit_engine::Agent>,
    providers: HashMap<String, Arc<dyn LlmProvider>>,
    handlers: HashMap<String, Handler>,
}

impl Agents {
    fn new(agents: Vec<(String, Agent)>) -> Result<Self, OpenError> {
        let (mut built, mut providers, mut handlers) = (Vec::new(), HashMap::new(), HashMap::new());
        for (name, agent) in agents {
            let setup = agent.into_setup();
            if let Some(handler) = setup.handler.clone() {
                handlers.insert(name.clone(), handler);
            }
            let agent = setup.into_agent(name.clone());
            let (mut agent, provider) = agent.map_err(|reason| OpenError::Agent { agent: name.clone(), reason })?;
            let route = agent.settings.route.as_deref().cloned().unwrap_or_default();
            agent.settings.route = Some(Arc::new(Route { provider: Some(name.as_str().into()), ..route }));
            built.push(agent);
            if providers.insert(name.clone(), provider).is_some() {
                return Err(OpenError::TwoAgents(name));
            }
        }
        Ok(Self { agents: built, providers, handlers })
    }
}
