//! Requests and checkpoints for the conformance tests: small, valid, and numbered instead of random.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use turnkit_core::ports::{NewSession, SessionStore as _, TurnStore as _, WorkerStore as _};
use turnkit_core::{
    AcceptOutcome, AgentReach, BranchPoint, BusyPolicy, Checkpoint, CheckpointOutcome, Chunk, Claim, ClaimedTurn,
    ClaimedTurns, ClientCaps, Entry, History, Idempotency, LogEntry, Message, NewTurn, Part, RawJson, Recorded, Role,
    SamplingParams, Scope, SessionId, SessionKey, SessionSummary, Sweep, Timestamp, ToolUse, TurnId, TurnState,
    TurnStatus, Usage, WorkerId,
};
use uuid::Uuid;

use super::Backend;

pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;

/// A store under test, with a source of ids and timestamps.
pub(crate) struct Fixture<B> {
    backend: B,
    drawn: AtomicU32,
}

impl<B: Backend> Fixture<B> {
    pub(crate) async fn new() -> Result<Self, Error> {
        Ok(Self { backend: B::fresh().await?, drawn: AtomicU32::new(0) })
    }

    /// Creates a store for several workers, whose leases last `lease`. The fixture's own worker is one of them.
    pub(crate) async fn shared(lease: Duration) -> Result<Self, Error> {
        let fixture = Self { backend: B::shared(lease).await?, drawn: AtomicU32::new(0) };
        fixture.store().register(&fixture.worker()).await?;
        Ok(fixture)
    }

    /// Advances the store's clock.
    pub(crate) fn pass(&self, time: Duration) {
        self.backend.pass(time);
    }

    pub(crate) fn store(&self) -> &B::Store {
        self.backend.store()
    }

    /// Simulates a crash: reopens the store in a new process with nothing in memory.
    pub(crate) async fn restart(self) -> Result<Self, Error> {
        Ok(Self { backend: self.backend.reopen().await?, drawn: self.drawn })
    }

    fn draw(&self) -> u32 {
        self.drawn.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Returns a timestamp later than all earlier ones.
    pub(crate) fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_700_000_000_000 + i64::from(self.draw()))
    }

    pub(crate) fn uuid(&self) -> Uuid {
        Uuid::from_u128(u128::from(self.draw()))
    }

    pub(crate) fn scope(&self) -> Scope {
        Scope::new("acme", "ada")
    }

    pub(crate) fn sweep(&self) -> Sweep {
        Sweep::new(self.worker())
    }

    fn worker(&self) -> WorkerId {
        WorkerId("worker".into())
    }

    /// Creates a request with the message `text` for `session`.
    pub(crate) fn says(&self, session: SessionKey, text: &str) -> NewTurn {
        let at = self.now();
        let agent = "assistant";
        NewTurn {
            turn: TurnId(self.uuid()),
            session,
            new_session: SessionId(self.uuid()),
            agent: agent.into(),
            input: Message::user(text),
            blobs: Vec::new(),
            title: text.into(),
            caps: ClientCaps { interact: true, resume: false },
            busy: BusyPolicy::Enqueue,
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            chore: false,
            started: LogEntry { at, kind: Recorded::turn_started(agent) },
            worker: self.worker(),
            at,
        }
    }

    /// Starts a turn in a new session.
    pub(crate) async fn start(&self, text: &str) -> Result<ClaimedTurn, Error> {
        running(self.store().accept(&self.scope(), self.says(SessionKey::New, text)).await?)
    }

    /// Creates a session that has no turn yet.
    pub(crate) async fn create(&self, name: Option<&str>) -> Result<SessionSummary, Error> {
        let new = NewSession {
            id: SessionId(self.uuid()),
            name: name.map(str::parse).transpose()?,
            agent: "assistant".into(),
            title: "new".into(),
            metadata: serde_json::Map::new(),
            prompt: None,
            params: SamplingParams::default(),
            tools: ToolUse::Auto,
            mode: None,
            at: self.now(),
        };
        Ok(self.store().create(&self.scope(), new).await?)
    }

    /// Adds a turn to the queue of a busy session.
    pub(crate) async fn enqueue(&self, session: SessionId, text: &str) -> Result<TurnId, Error> {
        let accept = self.says(SessionKey::Id(session), text);
        let turn = accept.turn;
        match self.store().accept(&self.scope(), accept).await? {
            AcceptOutcome::Queued { .. } => Ok(turn),
            other => Err(format!("not queued: {other:?}").into()),
        }
    }

    /// Claims every turn that has no owner and saw no more than one death.
    pub(crate) async fn claim_all(&self) -> Result<Vec<ClaimedTurn>, Error> {
        self.claim_oldest(&self.sweep(), usize::MAX).await
    }

    /// Claims up to `most` turns for a worker, oldest first.
    pub(crate) async fn claim_oldest(&self, sweep: &Sweep, most: usize) -> Result<Vec<ClaimedTurn>, Error> {
        let ClaimedTurns { claimed, failed } = self.store().claim_oldest(sweep, most, self.now()).await?;
        if failed.is_empty() { Ok(claimed) } else { Err(format!("not claimed: {failed:?}").into()) }
    }

    /// Ends a turn with an answer and returns the next turn of its session, if any.
    pub(crate) async fn end(&self, claim: &Claim, text: &str) -> Result<Option<Box<ClaimedTurn>>, Error> {
        ended(self.store().checkpoint(claim, self.last(claim, text)?).await?)
    }

    /// Creates a checkpoint in the middle of a turn, with one message.
    pub(crate) fn boundary(&self, claim: &Claim, from_seq: u32, text: &str) -> Result<Checkpoint, Error> {
        let at = self.now();
        let kind = Recorded::Notice { code: "said".to_owned(), text: text.to_owned() };
        Ok(Checkpoint {
            machine: Some(RawJson::parse(r#"{"step":1}"#)?),
            messages: vec![answer(text)],
            calls: Vec::new(),
            chunk: Chunk { fence: claim.fence(), from_seq, to_seq: from_seq, entries: vec![LogEntry { at, kind }] },
            metadata: serde_json::Map::new(),
            title: None,
            blobs: Vec::new(),
            waits: Vec::new(),
            waiting: false,
            children: Vec::new(),
            has_waited: false,
            report: None,
            handed_over: false,
            end: None,
            anchor: None,
            despite_stop: false,
            removes_partials: false,
            steered: Vec::new(),
            at,
        })
    }

    /// Creates the checkpoint that completes a turn whose log has one event so far.
    pub(crate) fn last(&self, claim: &Claim, text: &str) -> Result<Checkpoint, Error> {
        self.ending(claim, 2, TurnStatus::Completed, text)
    }

    /// Creates the checkpoint that ends a turn.
    pub(crate) fn ending(&self, claim: &Claim, seq: u32, status: TurnStatus, text: &str) -> Result<Checkpoint, Error> {
        let (at, usage) = (self.now(), Usage { fresh: 3, output: 2, ..Usage::default() });
        let kind = Recorded::TurnEnded { status, usage: usage.clone(), steps: 1, steered_into: None };
        Ok(Checkpoint {
            machine: None,
            messages: vec![answer(text)],
            calls: Vec::new(),
            chunk: Chunk { fence: claim.fence(), from_seq: seq, to_seq: seq, entries: vec![LogEntry { at, kind }] },
            metadata: serde_json::Map::new(),
            title: None,
            blobs: Vec::new(),
            waits: Vec::new(),
            waiting: false,
            children: Vec::new(),
            has_waited: false,
            report: None,
            handed_over: false,
            end: Some((status, usage)),
            anchor: None,
            despite_stop: false,
            removes_partials: false,
            steered: Vec::new(),
            at,
        })
    }

    /// Returns the texts of a turn's messages.
    pub(crate) async fn said_in(&self, turn: TurnId) -> Result<Vec<String>, Error> {
        let log = self.store().log(&self.scope(), turn).await?;
        Ok(log.messages.iter().map(|entry| entry.message().text()).collect())
    }

    pub(crate) async fn state(&self, turn: TurnId) -> Result<TurnState, Error> {
        Ok(self.store().turn(&self.scope(), turn).await?.state)
    }
}

/// Creates an assistant message.
pub(crate) fn answer(text: &str) -> std::sync::Arc<Entry> {
    Entry::new(Message::new(Role::Assistant, vec![Part::text(text)]))
}

/// Returns the text of each message.
pub(crate) fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::text).collect()
}

/// Returns the texts of the messages that are sent to a model.
pub(crate) fn sent(history: &History) -> Vec<String> {
    let said = |message: &Message| message.summary().map_or_else(|| message.text(), |summary| summary.text.clone());
    history.iter().map(|entry| said(entry.message())).collect()
}

/// Creates an idempotency key.
pub(crate) fn key(key: &str, body: u8) -> Option<Idempotency> {
    Some(Idempotency { key: key.into(), body_sha256: [body; 32] })
}

/// Returns the claim of a turn that must have begun.
pub(crate) fn running(accepted: AcceptOutcome) -> Result<ClaimedTurn, Error> {
    match accepted {
        AcceptOutcome::Running(claimed) => Ok(*claimed),
        other => Err(format!("not running: {other:?}").into()),
    }
}

/// Returns the turn that begins after a checkpoint, which must have been committed.
pub(crate) fn ended(done: CheckpointOutcome) -> Result<Option<Box<ClaimedTurn>>, Error> {
    match done {
        CheckpointOutcome::Committed { next, .. } => Ok(next),
        other => Err(format!("not committed: {other:?}").into()),
    }
}
