//! Preparation of a stored turn for a replay.

use std::sync::Arc;

use turnkit_core::ports::MessagePage;
use turnkit_core::{History, Message, SessionId, StoreError, TurnId};
use turnkit_engine::{Replay, SystemClock};
use turnkit_llm::recording::Recordings;
use turnkit_llm::{Endpoint, ReplayProvider};

use super::Installation;
use super::agents::{AvailableTools, build_agent};
use super::provider::{endpoint, wire};
use super::tools::available_tools;
use crate::config::Resolved;
use crate::failure::Failure;

/// The number of messages per page.
const PAGE: u32 = 200;

impl Installation {
    /// Returns the replay of a turn, with its recorded answers.
    pub(crate) async fn replay(&self, turn: TurnId, recordings: Arc<Recordings>) -> Result<Replay, Failure> {
        let record = match self.turns().turn(&self.scope, turn).await {
            Err(StoreError::NotFound) => return Err(Failure::no_turn(turn)),
            found => found?,
        };
        let logged = match self.turns().log(&self.scope, turn).await {
            Err(StoreError::NotFound) => {
                let why = format!("the log of turn {turn} is gone: it is kept for a day after the turn's end");
                return Err(Failure::Failed(why));
            }
            found => found?,
        };
        let Resolved { config, folder, .. } = &self.resolved;
        let tools = available_tools(&self.resolved, Arc::new(SystemClock));
        let available = AvailableTools { tools: &tools, servers: &self.mcp_servers };
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, folder, &available));
        let (agent, others): (Vec<_>, Vec<_>) = agents.partition(|agent| *agent.name == *record.agent);
        let agent = agent.into_iter().next().ok_or_else(|| {
            Failure::Failed(format!("the agent {} of turn {turn} is no longer configured", record.agent))
        })?;
        let mut session = self.sessions().session(&self.scope, logged.session).await?;
        session.history = History::of(self.branch_before(logged.session, logged.number).await?);
        let provider = ReplayProvider::new(recordings, &self.endpoints());
        let provider = Arc::new(provider.map_err(|error| Failure::Failed(error.to_string()))?);
        Ok(Replay { turn: logged, session, agent, others, provider, clock: Arc::new(SystemClock) })
    }

    /// Returns the messages of a session before its turn number `turn`, oldest first, with summaries.
    async fn branch_before(&self, session: SessionId, turn: u32) -> Result<Vec<Message>, Failure> {
        let (mut newest_first, mut before) = (Vec::new(), (turn, 0));
        loop {
            let page = MessagePage { limit: PAGE, before: Some(before), context: true };
            let found = self.sessions().message_page(&self.scope, session, page).await?;
            let Some(oldest) = found.last() else { break };
            before = (oldest.turn_number, oldest.place);
            newest_first.extend(found.into_iter().map(|stored| stored.message));
        }
        newest_first.reverse();
        Ok(newest_first)
    }

    /// Returns the endpoints of the configured providers.
    fn endpoints(&self) -> Vec<Endpoint> {
        let providers = self.resolved.config.providers.iter();
        let spoken = providers.filter_map(|provider| Some((provider, wire(provider)?)));
        spoken.map(|(provider, wire)| endpoint(provider, wire, &self.resolved)).collect()
    }
}
