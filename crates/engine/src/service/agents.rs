//! The choice of the agent that answers.

use turnkit_core::{AcceptError, Scope, SessionKey, StoreError};

use super::TurnService;
use crate::agent::Agent;

impl TurnService {
    /// Returns the agents. The first is the default.
    pub fn agents(&self) -> &[Agent] {
        &self.inner.parts.agents
    }

    /// Returns the agent with this name.
    pub(super) fn agent(&self, name: &str) -> Option<&Agent> {
        self.inner.parts.agents.iter().find(|agent| agent.name == name)
    }

    /// Returns the error of a request for an agent that does not exist.
    pub(super) fn no_agent(&self) -> AcceptError {
        AcceptError::NoAgent { agents: self.inner.parts.agents.iter().map(|agent| agent.name.clone()).collect() }
    }

    /// Returns the agent that the session was created with, if it still exists, else the first agent. With a single
    /// agent, nothing is read.
    pub(super) async fn usual_agent(&self, scope: &Scope, session: &SessionKey) -> Result<Option<&Agent>, StoreError> {
        let agents = &self.inner.parts.agents;
        let begun_with = match agents.len() {
            0 | 1 => None,
            _ => self.begun_with(scope, session).await?,
        };
        Ok(begun_with.and_then(|name| self.agent(&name)).or(agents.first()))
    }

    /// Returns the name of the agent that the session was created with, if both still exist.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn session_agent(&self, scope: &Scope, session: &SessionKey) -> Result<Option<String>, StoreError> {
        Ok(self.begun_with(scope, session).await?.filter(|name| self.agent(name).is_some()))
    }

    /// Returns the name of the agent that the session was created with, if the session exists.
    async fn begun_with(&self, scope: &Scope, session: &SessionKey) -> Result<Option<String>, StoreError> {
        let store = &self.inner.parts.store;
        let found = match session {
            SessionKey::New | SessionKey::Ephemeral(_) => return Ok(None),
            SessionKey::Id(id) => store.session(scope, *id).await,
            SessionKey::Name(name) => store.session_named(scope, name).await,
        };
        match found {
            Ok(session) => Ok(Some(session.agent)),
            Err(StoreError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
