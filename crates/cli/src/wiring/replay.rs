//! Preparation of a stored turn for a replay.

use std::sync::Arc;

use turnkit_core::ports::{MessagePage, ReplayReport, Store};
use turnkit_core::{History, Message, Scope, SessionId, StoreError, TurnId};
use turnkit_engine::{Agent, Replay, SystemClock};
use turnkit_llm::recording::Recordings;
use turnkit_llm::{Endpoint, ReplayProvider};

use super::Installation;
use super::agents::{AvailableTools, build_agent};
use super::comparison::compare;
use super::provider::{endpoint, wire};
use super::tools::available_tools;
use crate::config::Resolved;
use crate::failure::Failure;

/// The number of messages per page.
const PAGE: u32 = 200;

/// What replays of an installation's turns need.
pub(super) struct Replays {
    store: Arc<dyn Store>,
    agents: Vec<Agent>,
    endpoints: Vec<Endpoint>,
}

/// A turn that is ready to be replayed.
pub(super) struct PreparedReplay {
    replay: Replay,
    recordings: Arc<Recordings>,
}

impl Installation {
    /// Replays a turn with its recorded answers, and compares the result with the stored turn.
    pub(crate) async fn replay(&self, turn: TurnId, recordings: Recordings) -> Result<ReplayReport, Failure> {
        self.replays().prepare(&self.scope, turn, recordings).await?.run().await
    }

    /// Returns what replays need, from the current configuration.
    pub(super) fn replays(&self) -> Replays {
        let Resolved { config, folder, .. } = &self.resolved;
        let tools = available_tools(&self.resolved, Arc::new(SystemClock));
        let available = AvailableTools { tools: &tools, servers: &self.mcp_servers };
        let agents = config.agents.iter().map(|agent| build_agent(agent, config, folder, &available)).collect();
        Replays { store: Arc::clone(&self.store), agents, endpoints: self.endpoints() }
    }

    /// Returns the endpoints of the configured providers.
    fn endpoints(&self) -> Vec<Endpoint> {
        let providers = self.resolved.config.providers.iter();
        let spoken = providers.filter_map(|provider| Some((provider, wire(provider)?)));
        spoken.map(|(provider, wire)| endpoint(provider, wire, &self.resolved)).collect()
    }
}

impl Replays {
    /// Prepares the replay of a turn of `scope`, with its recorded answers.
    pub(super) async fn prepare(
        &self,
        scope: &Scope,
        turn: TurnId,
        recordings: Recordings,
    ) -> Result<PreparedReplay, Failure> {
        let record = match self.store.turn(scope, turn).await {
            Err(StoreError::NotFound) => return Err(Failure::no_turn(turn)),
            found => found?,
        };
        let logged = match self.store.log(scope, turn).await {
            Err(StoreError::NotFound) => {
                let why = format!("the log of turn {turn} is gone: it is kept for a day after the turn's end");
                return Err(Failure::Failed(why));
            }
            found => found?,
        };
        let (agent, others): (Vec<_>, Vec<_>) =
            self.agents.iter().cloned().partition(|agent| *agent.name == *record.agent);
        let agent = agent.into_iter().next().ok_or_else(|| {
            Failure::Failed(format!("the agent {} of turn {turn} is no longer configured", record.agent))
        })?;
        let mut session = self.store.session(scope, logged.session).await?;
        session.history = History::of(self.branch_before(scope, logged.session, logged.number).await?);
        let recordings = Arc::new(recordings);
        let provider = ReplayProvider::new(Arc::clone(&recordings), &self.endpoints);
        let provider = Arc::new(provider.map_err(|error| Failure::Failed(error.to_string()))?);
        let replay = Replay { turn: logged, session, agent, others, provider, clock: Arc::new(SystemClock) };
        Ok(PreparedReplay { replay, recordings })
    }

    /// Returns the messages of a session before its turn number `turn`, oldest first, with summaries.
    async fn branch_before(&self, scope: &Scope, session: SessionId, turn: u32) -> Result<Vec<Message>, Failure> {
        let (mut newest_first, mut before) = (Vec::new(), (turn, 0));
        loop {
            let page = MessagePage { limit: PAGE, before: Some(before), context: true };
            let found = self.store.message_page(scope, session, page).await?;
            let Some(oldest) = found.last() else { break };
            before = (oldest.turn_number, oldest.place);
            newest_first.extend(found.into_iter().map(|stored| stored.message));
        }
        newest_first.reverse();
        Ok(newest_first)
    }
}

impl PreparedReplay {
    /// Replays the turn, and compares the result with the stored one.
    pub(super) async fn run(self) -> Result<ReplayReport, Failure> {
        let Self { replay, recordings } = self;
        let (turn, stored) = (replay.turn.turn, replay.turn.messages.clone());
        let replayed = replay.run().await.map_err(|error| Failure::Failed(format!("turn {turn}: {error}")))?;
        Ok(compare(turn, &replayed, &stored, &recordings))
    }
}
