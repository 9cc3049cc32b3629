//! The turns of a session that have not ended, and the decisions that they wait for, local or on a server.

use turnkit_core::ports::TurnPage;
use turnkit_core::{MAX_QUEUED_TURNS, SessionId, SessionKey, StoreError, TurnId};
use turnkit_engine::{FeedItem, FollowFrom};
use turnkit_server::TurnBody;

use super::{Data, Runner};
use crate::failure::Failure;
use crate::query::TurnQuery;

/// The largest number of unfinished turns of a session. One of them runs or waits, the others are queued.
const MAX_UNFINISHED: u32 = 1 + MAX_QUEUED_TURNS;

impl Data {
    /// Returns the turns of a session that answer a message and have not ended, oldest first. A session that does not
    /// exist has none.
    pub(crate) async fn unfinished_turns(&self, session: &SessionKey) -> Result<Vec<TurnBody>, Failure> {
        let Some(session) = self.id_of(session).await? else { return Ok(Vec::new()) };
        let mut turns = self.newest_turns(session).await?;
        turns.retain(|turn| turn.ended_at.is_none() && turn.kind.is_message());
        turns.reverse();
        Ok(turns)
    }

    /// Returns the id of a session, or `None` if there is no session of this name.
    async fn id_of(&self, session: &SessionKey) -> Result<Option<SessionId>, Failure> {
        let name = match session {
            SessionKey::Id(session) => return Ok(Some(*session)),
            SessionKey::Name(name) => name,
            SessionKey::New | SessionKey::Ephemeral(_) => return Ok(None),
        };
        match self {
            Self::Local(installation) => match installation.sessions().session_named(&installation.scope, name).await {
                Ok(session) => Ok(Some(session.id)),
                Err(StoreError::NotFound) => Ok(None),
                Err(error) => Err(error.into()),
            },
            Self::Remote(client) => Ok(client.session_named(None, name).await?.map(|session| session.id)),
        }
    }

    /// Returns the newest turns of a session, newest first. A session that does not exist has none.
    async fn newest_turns(&self, session: SessionId) -> Result<Vec<TurnBody>, Failure> {
        let (session, limit) = (Some(session), MAX_UNFINISHED);
        match self {
            Self::Local(installation) => {
                let page = TurnPage { session, state: None, limit, after: None, ..TurnPage::default() };
                match installation.sessions().turns(&installation.scope, page).await {
                    Ok(list) => Ok(list.turns.into_iter().map(TurnBody::from).collect()),
                    Err(StoreError::NotFound) => Ok(Vec::new()),
                    Err(error) => Err(error.into()),
                }
            }
            Self::Remote(client) => {
                let query = TurnQuery { user: None, session, state: None, limit, after: None };
                match client.turns(&query).await {
                    Ok(list) => Ok(list.data),
                    Err(error) if error.is_not_found() => Ok(Vec::new()),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }
}

impl Runner {
    /// Returns the number of decisions that a turn waits for, with those of its sub-agents, or 0 if it does not wait.
    /// In this process, a turn that runs was left by a process that died, and may still begin to wait: this method
    /// returns once the turn waits or has ended.
    pub(crate) async fn awaited_decisions(&self, turn: TurnId) -> Result<usize, Failure> {
        match self {
            Self::Local { service, scope } => {
                let mut feed = service.follow(scope, turn, FollowFrom::Start).await?;
                loop {
                    match feed.next().await? {
                        Some(FeedItem::Pending(waits)) if !waits.is_empty() => return Ok(waits.len()),
                        Some(_) => {}
                        None => return Ok(0),
                    }
                }
            }
            Self::Remote(client) => Ok(client.awaited_decisions(turn).await?),
        }
    }
}
