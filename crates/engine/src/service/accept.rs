//! Accepting a request as a stored turn.

use std::sync::Arc;

use turnkit_core::{
    AcceptError, AcceptOutcome, AgentReach, BlobId, BranchPoint, BusyPolicy, ClientCaps, Entry, Fence, History,
    Idempotency, InvalidParam, LiveTurn, LogEntry, Message, NewTurn, Recorded, Repeat, Role,
};
use turnkit_core::{
    Part, SamplingParams, Scope, SessionId, SessionKey, SessionName, StopReason, ToolDefinition, ToolUse, TraceId,
    TurnId, TurnKind, TurnLog, TurnRoute, TurnState,
};

use super::claimed_run::Run;
use super::folder_files::{self, ContextPaths};
use super::{TurnService, client_tools, files, route, stopping};
use crate::agent::Agent;
use crate::title::default_title;

/// The most turns that may wait for a slot. Further ones are rejected before anything is stored, until running turns
/// free their slots.
const MAX_WAITING_TURNS: u64 = 1_000;

/// A request to answer a message in a session.
#[derive(Debug, Clone)]
pub struct TurnRequest {
    /// The session.
    pub session: SessionKey,
    /// The agent of this turn; absent: the agent of the session if it still exists, else the first agent.
    pub agent: Option<String>,
    /// The model and provider of this turn; an absent part is taken from the agent.
    pub route: Option<TurnRoute>,
    /// Sampling parameters of this turn. An absent field is taken from the session, else from the agent.
    pub params: SamplingParams,
    /// Whether this turn may use tools; absent: the session's setting.
    pub tools: Option<ToolUse>,
    /// The mode of this turn, one of the agent's; absent: the session's mode.
    pub mode: Option<Box<str>>,
    /// Tools that the client runs itself, at most [`MAX_CLIENT_TOOLS`](TurnService::MAX_CLIENT_TOOLS). A call of such
    /// a tool waits until the client reports the result. The client must be able to [interact](ClientCaps::interact).
    pub client_tools: Vec<ToolDefinition>,
    /// The message of the user.
    pub message: Message,
    /// Uploaded files that the model reads with the message, at most [`MAX_FILES`](TurnService::MAX_FILES).
    pub files: Vec<BlobId>,
    /// Files of this machine that the model reads with the message; absent: none.
    pub context: Option<Box<ContextPaths>>,
    /// The capabilities of the client.
    pub caps: ClientCaps,
    /// How the turn is handled if the session is busy; absent: the agent's policy.
    pub busy: Option<BusyPolicy>,
    /// The agents whose turns the message may steer or stop. While the session has an unfinished turn of another agent,
    /// the message waits instead, unless it is to be rejected.
    pub reach: AgentReach,
    /// Makes a repeated request return the turn of the first one.
    pub idempotency: Option<Idempotency>,
    /// The turn of the session that this one continues.
    pub after: BranchPoint,
    /// The caller's trace; absent: the turn starts its own trace.
    pub trace: Option<TraceId>,
}

impl TurnRequest {
    /// Creates a request that leaves all settings to the agent and the session. Its client cannot decide about calls,
    /// but can come back after a disconnect.
    pub fn new(session: SessionKey, message: Message) -> Self {
        Self {
            session,
            agent: None,
            route: None,
            params: SamplingParams::default(),
            tools: None,
            mode: None,
            client_tools: Vec::new(),
            message,
            files: Vec::new(),
            context: None,
            caps: ClientCaps { interact: false, resume: true },
            busy: None,
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            trace: None,
        }
    }
}

/// The origin and the purpose of a turn.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// A turn that a user requested.
    OfUser(TurnKind),
    /// A turn that the service starts itself.
    Chore(TurnKind),
}

/// The receipt of a stored turn, which reaches an end even if the process dies.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Receipt {
    /// The turn.
    pub turn: TurnId,
    /// The session of the turn.
    pub session: SessionId,
    /// The client's own name for the session.
    pub name: Option<SessionName>,
    /// Whether this request put the turn in the queue. Always `false` for a repeat.
    pub queued: bool,
    /// Whether the same request was accepted before.
    pub repeated: bool,
}

impl Receipt {
    fn of_repeat(Repeat { turn, session, name }: Repeat) -> Self {
        Self { turn, session, name, queued: false, repeated: true }
    }
}

impl TurnService {
    /// Stores a turn and, if its session is idle, starts it. When this returns, the turn survives the process.
    ///
    /// # Errors
    /// The request is invalid, its session is busy and its policy does not let it wait, too many turns wait already, or
    /// storage failed. No turn is stored. Copies of files that were already read are removed when they are old.
    pub async fn accept(&self, scope: &Scope, request: TurnRequest) -> Result<Receipt, AcceptError> {
        validate(&request.message)?;
        self.accept_valid(scope, request, Purpose::OfUser(TurnKind::Message)).await
    }

    /// Like [`accept`](Self::accept), for a message that may come from an earlier turn and name that turn's files.
    pub(super) async fn accept_valid(
        &self,
        scope: &Scope,
        request: TurnRequest,
        purpose: Purpose,
    ) -> Result<Receipt, AcceptError> {
        let parts = &self.inner.parts;
        if self.inner.tasks.is_closed() {
            return Err(AcceptError::Store(stopping()));
        }
        self.inner.lease.check()?;
        if self.inner.tally.waiting_for_slot.is_at_least(MAX_WAITING_TURNS) {
            return Err(AcceptError::Overloaded);
        }
        let wrong = |InvalidParam { field, reason }| AcceptError::Invalid { field, reason: reason.to_owned() };
        request.params.check().map_err(wrong)?;
        client_tools::check(&request.client_tools, request.caps)?;
        // A repeat does not read files again.
        if request.context.is_some()
            && let Some(receipt) = self.accepted_before(scope, request.idempotency.as_ref()).await?
        {
            return Ok(receipt);
        }
        let (agent, shown) = match self.prepare(scope, &request).await {
            Ok(prepared) => prepared,
            // A request that was accepted once stays accepted, whatever has become of agents and providers since.
            Err(refusal) => return self.accepted_before(scope, request.idempotency.as_ref()).await?.ok_or(refusal),
        };
        let at = parts.clock.now();
        let turn = parts.ids.turn(at);
        let route = request.route.filter(|route| *route != TurnRoute::default()).map(Box::new);
        let params = (!request.params.is_empty()).then(|| Box::new(request.params));
        let (kind, chore) = match purpose {
            Purpose::OfUser(kind) => (kind, false),
            Purpose::Chore(kind) => (kind, true),
        };
        let started = LogEntry {
            at,
            kind: Recorded::TurnStarted {
                agent: agent.name.clone(),
                parent: None,
                route,
                params,
                kind,
                tools: request.tools,
                mode: request.mode,
                trace: request.trace,
                client_tools: request.client_tools.into(),
                lineage: None,
            },
        };
        let title = default_title(&request.message).into();
        let (input, blobs) = files::before(shown, request.message, request.files);
        let accept = NewTurn {
            turn,
            session: request.session,
            new_session: parts.ids.session(at),
            agent: agent.name.as_str().into(),
            title,
            input,
            blobs,
            caps: request.caps,
            busy: request.busy.unwrap_or(agent.settings.busy),
            reach: request.reach,
            idempotency: request.idempotency,
            started,
            worker: parts.worker.clone(),
            at,
            after: request.after,
            chore,
        };
        let (service, scope) = (self.clone(), scope.clone());
        self.run_to_completion(async move { service.store_and_start(&scope, accept).await }).await
    }

    /// Returns the agent that answers, and the files as parts of the message.
    async fn prepare(&self, scope: &Scope, request: &TurnRequest) -> Result<(&Agent, Vec<Part>), AcceptError> {
        let agent = self.answering(scope, request).await?;
        if request.files.is_empty() && request.context.is_none() {
            return Ok((agent, Vec::new()));
        }
        // Boxed so that turns without files do not carry the state of this future.
        let shown = Box::pin(self.shown(scope, agent, request)).await?;
        Ok((agent, shown))
    }

    /// Loads the files that a request names, as parts.
    async fn shown(&self, scope: &Scope, agent: &Agent, request: &TurnRequest) -> Result<Vec<Part>, AcceptError> {
        let (parts, uploaded) = (&self.inner.parts, &request.files);
        let mut shown = files::as_parts(parts.store.as_ref(), scope, uploaded).await?;
        if let Some(paths) = &request.context {
            let _permit = self.inner.file_reads.acquire().await;
            let (roots, places) = (&agent.settings.roots, Self::MAX_FILES.saturating_sub(uploaded.len()));
            shown.extend(folder_files::as_parts(parts, scope, roots, paths, places).await?);
        }
        Ok(shown)
    }

    /// Returns the agent that answers, after checking that a provider matches the requested route.
    async fn answering(&self, scope: &Scope, request: &TurnRequest) -> Result<&Agent, AcceptError> {
        let agent = match &request.agent {
            Some(name) => self.agent(name),
            None => self.usual_agent(scope, &request.session).await?,
        };
        let agent = agent.ok_or_else(|| self.no_agent())?;
        if let Some(mode) = &request.mode {
            check_mode(agent, mode)?;
        }
        client_tools::check_names(agent, &request.client_tools)?;
        if let (Some(asked), Some(directory)) = (&request.route, &self.inner.parts.directory) {
            route::check(asked, &agent.settings, &directory.providers())?;
        }
        Ok(agent)
    }

    pub(super) async fn accepted_before(
        &self,
        scope: &Scope,
        used: Option<&Idempotency>,
    ) -> Result<Option<Receipt>, AcceptError> {
        let Some(used) = used else { return Ok(None) };
        Ok(self.inner.parts.store.find_accepted(scope, used).await?.map(Receipt::of_repeat))
    }

    async fn store_and_start(&self, scope: &Scope, accept: NewTurn) -> Result<Receipt, AcceptError> {
        let parts = &self.inner.parts;
        let (turn, message, started, at) = (accept.turn, accept.input.clone(), accept.started.clone(), accept.at);
        let ephemeral_history = match &accept.session {
            SessionKey::Ephemeral(earlier) => Some(History::of(earlier.iter().cloned())),
            _ => None,
        };
        let accepted = parts.store.accept(scope, accept).await?;
        if !matches!(accepted, AcceptOutcome::Repeated(_)) {
            self.inner.tally.accepted();
        }
        Ok(match accepted {
            AcceptOutcome::Running(claimed) => {
                let (session, name) = (claimed.session.id, claimed.session.name.clone());
                let log = TurnLog::new(session, turn, claimed.number, claimed.claim.fence());
                let live = self.turns().open(turn, LiveTurn::new(first_log(log, message, started)), parts.clock.now());
                self.start(Run { ephemeral_history, ..Run::begin(claimed, Some(live), self.turns()) });
                Receipt { turn, session, name, queued: false, repeated: false }
            }
            AcceptOutcome::Queued { session, name, number, stop, superseded } => {
                // Another process may run the turn, and it would not write to the log that is shown here.
                if !self.inner.lease.is_timed() {
                    let log = TurnLog::new(session, turn, number, Fence::default());
                    self.show_queued(scope, turn, LiveTurn::new(first_log(log, message, started))).await;
                }
                let has_superseded = !superseded.is_empty();
                for queued in superseded {
                    self.dropped(scope, queued, StopReason::Superseded, at).await;
                }
                self.session_changed(scope, session);
                if let Some(running) = stop {
                    self.stop(scope, running, StopReason::Superseded).await;
                }
                // The turn may now be the first in the queue of a session in which nothing runs.
                if has_superseded {
                    self.resume(turn).await;
                }
                Receipt { turn, session, name, queued: true, repeated: false }
            }
            AcceptOutcome::Repeated(repeat) => Receipt::of_repeat(repeat),
        })
    }

    /// Registers a queued turn so that followers can find it, unless its runner has already done so.
    async fn show_queued(&self, scope: &Scope, turn: TurnId, ours: Arc<LiveTurn>) {
        let parts = &self.inner.parts;
        let shown = self.turns().open(turn, Arc::clone(&ours), parts.clock.now());
        if !Arc::ptr_eq(&shown, &ours) {
            return;
        }
        // The turn may have run, or been cancelled through a repeat, before followers could find it. Then nothing else
        // closes this log. Withdrawing it makes its followers continue from the store.
        let state = parts.store.turn(scope, turn).await.map(|record| record.state);
        let will_run = matches!(state, Ok(TurnState::Queued | TurnState::Running | TurnState::Cancelling));
        if !will_run {
            self.turns().withdraw(turn, &ours, parts.clock.now());
        }
    }
}

/// Returns the log of a newly accepted turn.
fn first_log(mut log: TurnLog, message: Message, started: LogEntry) -> TurnLog {
    log.stage_message(Entry::new(message));
    log.stage(started.at, started.kind);
    log.commit();
    log
}

/// Checks that the agent has the mode.
fn check_mode(agent: &Agent, mode: &str) -> Result<(), AcceptError> {
    let modes: Vec<&str> = agent.settings.modes.iter().flat_map(|modes| modes.names()).collect();
    if modes.contains(&mode) {
        return Ok(());
    }
    let reason = match modes.as_slice() {
        [] => "the agent has no modes".to_owned(),
        modes => format!("the agent has no such mode; its modes are {}", modes.join(", ")),
    };
    Err(AcceptError::Invalid { field: "mode", reason })
}

fn validate(message: &Message) -> Result<(), AcceptError> {
    let invalid = |reason: &str| Err(AcceptError::Invalid { field: "message", reason: reason.to_owned() });
    if message.role != Role::User {
        return invalid("must be a user message");
    }
    let said = |part: &Part| match part {
        Part::Text(text) => Some(!text.text.trim().is_empty()),
        Part::Image(_) => Some(true),
        _ => None,
    };
    let Some(said) = message.parts.iter().map(said).collect::<Option<Vec<bool>>>() else {
        return invalid("must contain only text and images");
    };
    if said.contains(&true) { Ok(()) } else { invalid("must not be empty") }
}
