//! Turns, local or on a server.

use turnkit_core::ports::{SessionEdit, TurnList, TurnPage};
use turnkit_core::{
    AcceptError, AgentReach, BlobId, BranchPoint, ClientCaps, Message, Scope, SessionId, SessionKey, StoreError,
    TurnId, TurnState,
};
use turnkit_engine::{CompactRequest, ContextPaths, RegenerateRequest, TurnRequest, TurnService};
use turnkit_server::{List, SpanBody, TurnBody};

use super::{Data, Feed, scope_of};
use crate::failure::Failure;
use crate::query::{TurnOptions, TurnQuery};
use crate::remote::Client;
use crate::terminal::{harmless, shortened};

/// The longest title that a session gets from its first message, in characters.
const TITLE: usize = 80;

impl Data {
    /// Returns turns, last accepted first.
    pub(crate) async fn turns(&self, query: &TurnQuery) -> Result<List<TurnBody>, Failure> {
        match self {
            Self::Local(installation) => {
                let TurnQuery { user, session, state, limit, after } = query;
                let page = TurnPage {
                    session: *session,
                    state: *state,
                    limit: *limit,
                    after: *after,
                    overviews: true,
                    ..TurnPage::default()
                };
                let scope = scope_of(installation, user.as_deref());
                let TurnList { turns, unreadable, next } = installation.sessions().turns(&scope, page).await?;
                let data = turns.into_iter().map(TurnBody::from).collect();
                Ok(List { data, next: next.map(|turn| turn.to_string()), unreadable })
            }
            Self::Remote(client) => Ok(client.turns(query).await?),
        }
    }

    /// Returns a turn.
    pub(crate) async fn turn(&self, turn: TurnId) -> Result<TurnBody, Failure> {
        match self {
            Self::Local(installation) => match installation.turns().turn(&installation.scope, turn).await {
                Ok(record) => Ok(record.into()),
                Err(StoreError::NotFound) => Err(Failure::no_turn(turn)),
                Err(error) => Err(error.into()),
            },
            Self::Remote(client) => match client.turn(turn).await {
                Err(error) if error.is_not_found() => Err(Failure::no_turn(turn)),
                found => Ok(found?),
            },
        }
    }
}

impl Data {
    /// Returns the spans of a turn.
    pub(crate) async fn turn_trace(&self, turn: TurnId) -> Result<Vec<SpanBody>, Failure> {
        let missing = || Failure::no_turn(turn);
        match self {
            Self::Local(installation) => {
                let found = installation.turns().turn(&installation.scope, turn).await;
                let record = found.map_err(|error| match error {
                    StoreError::NotFound => missing(),
                    error => error.into(),
                })?;
                let spans = installation.service().turn_trace(&installation.scope, &record).await?;
                Ok(spans.into_iter().map(SpanBody::from).collect())
            }
            Self::Remote(client) => match client.turn_trace(turn).await {
                Err(error) if error.is_not_found() => Err(missing()),
                found => Ok(found?),
            },
        }
    }
}

/// The party that runs turns.
pub(crate) enum Runner {
    /// This process.
    Local { service: TurnService, scope: Scope },
    /// A server.
    Remote(Client),
}

/// An accepted turn. It reaches an end in every case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StartedTurn {
    /// The turn.
    pub(crate) turn: TurnId,
    /// Its session.
    pub(crate) session: SessionId,
}

impl Runner {
    /// Starts a turn.
    pub(crate) async fn begin(
        &self,
        session: &SessionKey,
        options: &TurnOptions,
        message: String,
        (files, tree): (&[BlobId], Option<&str>),
    ) -> Result<StartedTurn, Failure> {
        let TurnOptions { agent, params, tools, mode, interact } = options;
        match self {
            Self::Local { service, scope } => {
                let context = tree.map(|tree| ContextPaths { tree: Some(tree.to_owned()), ..ContextPaths::default() });
                let request = TurnRequest {
                    session: session.clone(),
                    agent: agent.clone(),
                    route: None,
                    params: params.clone(),
                    tools: *tools,
                    client_tools: Vec::new(),
                    mode: mode.clone(),
                    message: Message::user(message),
                    files: files.to_vec(),
                    context: context.map(Box::new),
                    caps: ClientCaps { interact: *interact, resume: true },
                    busy: None,
                    reach: AgentReach::default(),
                    idempotency: None,
                    after: BranchPoint::Head,
                    trace: None,
                };
                let receipt = service.accept(scope, request).await?;
                Ok(StartedTurn { turn: receipt.turn, session: receipt.session })
            }
            Self::Remote(client) => {
                let session = match session {
                    SessionKey::Id(id) => Some(*id),
                    SessionKey::Name(name) => Some(
                        client.session_for(name, agent.as_deref(), &harmless(&shortened(&message, TITLE))).await?.id,
                    ),
                    SessionKey::New | SessionKey::Ephemeral(_) => None,
                };
                let started = client.begin(session, options, &message, (files, tree)).await?;
                Ok(StartedTurn { turn: started.turn_id, session: started.session_id })
            }
        }
    }

    /// Answers the message of a turn again, in a turn on a separate branch.
    pub(crate) async fn regenerate(&self, turn: TurnId, options: &TurnOptions) -> Result<TurnId, Failure> {
        match self {
            Self::Local { service, scope } => {
                let request = RegenerateRequest {
                    turn,
                    agent: options.agent.clone(),
                    route: None,
                    params: options.params.clone(),
                    tools: options.tools,
                    mode: options.mode.clone(),
                    caps: ClientCaps { interact: options.interact, resume: true },
                    reach: AgentReach::default(),
                    idempotency: None,
                    trace: None,
                };
                Ok(service.regenerate(scope, request).await?.turn)
            }
            Self::Remote(client) => Ok(client.regenerate(turn, options).await?.turn_id),
        }
    }

    /// Moves the head of a session: its next turn continues `head`, or starts without history.
    pub(crate) async fn move_head(&self, session: SessionId, head: Option<TurnId>) -> Result<(), Failure> {
        match self {
            Self::Local { service, scope } => {
                let edit = SessionEdit { head: Some(head), ..SessionEdit::default() };
                let moved = service.edit_session(scope, session, edit).await;
                moved.map(drop).map_err(|error| match error {
                    StoreError::Conflict(_) => AcceptError::TurnNotEnded.into(),
                    other => other.into(),
                })
            }
            Self::Remote(client) => Ok(client.move_head(session, head).await?),
        }
    }

    /// Starts a summary of the earlier messages of a session.
    pub(crate) async fn compact(&self, session: SessionId) -> Result<TurnId, Failure> {
        match self {
            Self::Local { service, scope } => {
                let caps = ClientCaps { interact: false, resume: true };
                let request =
                    CompactRequest { session, caps, reach: AgentReach::default(), idempotency: None, trace: None };
                Ok(service.compact(scope, request).await?.turn)
            }
            Self::Remote(client) => Ok(client.compact(session).await?.turn_id),
        }
    }

    /// Follows a turn from its start.
    pub(crate) async fn follow(&self, turn: TurnId) -> Result<Feed, Failure> {
        match self {
            Self::Local { service, scope } => Feed::local(service, scope, turn).await,
            Self::Remote(client) => Ok(Feed::Remote(Box::new(client.follow(turn)))),
        }
    }

    /// Requests that a turn stop. Returns its state afterwards, or `None` if it had already ended.
    pub(crate) async fn cancel(&self, turn: TurnId) -> Result<Option<TurnState>, Failure> {
        match self {
            Self::Local { service, scope } => match service.cancel(scope, turn).await {
                Ok(outcome) => Ok(outcome.state()),
                Err(StoreError::NotFound) => Err(Failure::no_turn(turn)),
                Err(error) => Err(error.into()),
            },
            Self::Remote(client) => match client.cancel(turn).await {
                Ok(cancelling) => Ok(Some(cancelling.state)),
                Err(error) if error.is_not_found() => Err(Failure::no_turn(turn)),
                Err(error) => Err(error.into()),
            },
        }
    }
}
