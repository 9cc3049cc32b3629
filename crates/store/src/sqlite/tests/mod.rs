//! Tests specific to SQLite: unfit files, full disks, group commit, and the cost of a turn.

mod blobs;
mod cost;
mod cutting;
mod damaged_index;
mod days;
mod everything;
mod expired;
#[cfg(feature = "failpoints")]
mod failpoints;
mod faults;
mod group_commit;
mod opening;
mod past;
mod plans;
mod removing;
mod schemas;

use turnkit_core::ports::{TurnStore as _, WorkerStore as _};
use turnkit_core::{
    AcceptOutcome, AgentReach, Arguments, BranchPoint, BusyPolicy, CallRecord, CallState, CallUid, Checkpoint, Chunk,
    Claim, ClaimedTurn, ClientCaps, Entry, LogEntry, Message, NewTurn, NewWait, Part, RawJson, Recorded, Role, Scope,
    SessionId, SessionKey, StoreError, Timestamp, TurnId, TurnStatus, Usage, WaitId, WaitKind, WaitQuestion, WorkerId,
};
use uuid::Uuid;

use super::{SqliteOptions, SqliteStore};

const AT: Timestamp = Timestamp::from_millis(1_700_000_000_000);

fn scope() -> Scope {
    Scope::local()
}

fn worker() -> WorkerId {
    WorkerId("worker".into())
}

fn open(folder: &tempfile::TempDir) -> SqliteStore {
    SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap()
}

/// Returns a request whose ids are derived from `number`.
fn request(number: u128, session: SessionKey) -> NewTurn {
    NewTurn {
        turn: TurnId(Uuid::from_u128(number)),
        session,
        new_session: SessionId(Uuid::from_u128(number)),
        agent: "assistant".into(),
        input: Message::user("hello"),
        blobs: Vec::new(),
        title: "hello".into(),
        caps: ClientCaps { interact: false, resume: true },
        busy: BusyPolicy::Enqueue,
        reach: AgentReach::default(),
        idempotency: None,
        after: BranchPoint::Head,
        chore: false,
        started: LogEntry { at: AT, kind: Recorded::turn_started("assistant") },
        worker: worker(),
        at: AT,
    }
}

async fn start(store: &SqliteStore, number: u128) -> Result<ClaimedTurn, StoreError> {
    match store.accept(&scope(), request(number, SessionKey::New)).await? {
        AcceptOutcome::Running(claimed) => Ok(*claimed),
        other => panic!("not running: {other:?}"),
    }
}

/// Returns a checkpoint with one message, one entry and `calls` receipts. If it has a status, it is the turn's last.
fn boundary(claim: &Claim, seq: u32, calls: u16, end: Option<TurnStatus>) -> Checkpoint {
    let kind = match end {
        Some(status) => Recorded::TurnEnded { status, usage: Usage::default(), steps: 1, steered_into: None },
        None => Recorded::Notice { code: "said".to_owned(), text: "more".to_owned() },
    };
    let receipt = |ordinal| CallRecord {
        uid: CallUid { turn: claim.turn(), step: 1, ordinal },
        name: "pay".to_owned(),
        state: CallState::Started,
    };
    Checkpoint {
        machine: end.is_none().then(|| RawJson::parse("{}").unwrap()),
        messages: vec![Entry::new(Message::new(Role::Assistant, vec![Part::text("answer")]))],
        calls: (0..calls).map(receipt).collect(),
        chunk: Chunk { fence: claim.fence(), from_seq: seq, to_seq: seq, entries: vec![LogEntry { at: AT, kind }] },
        metadata: serde_json::Map::new(),
        title: None,
        blobs: Vec::new(),
        waits: Vec::new(),
        waiting: false,
        children: Vec::new(),
        has_waited: false,
        report: None,
        handed_over: false,
        end: end.map(|status| (status, Usage::default())),
        anchor: None,
        despite_stop: false,
        removes_partials: false,
        steered: Vec::new(),
        at: AT,
    }
}

/// Returns the wait of a call.
fn wait(claim: &Claim, ordinal: u16) -> NewWait {
    let question = WaitQuestion {
        name: "pay".to_owned(),
        arguments: Arguments("{}".to_owned()),
        reason: "it changes something".to_owned(),
        preview: None,
        question: None,
        grantable: None,
        child: None,
    };
    let id = WaitId { call: CallUid { turn: claim.turn(), step: 1, ordinal }, number: 0 };
    let expires_at = AT.plus(std::time::Duration::from_secs(60));
    NewWait { id, kind: WaitKind::Approval, question, binding: [1; 32], expires_at }
}

/// Adds a model call that ended before the checkpoint.
fn step(mut boundary: Checkpoint) -> Checkpoint {
    let (provider, model) = ("main".into(), "small".into());
    let began = Recorded::Attempt {
        step: 1,
        provider,
        model,
        timeline: turnkit_core::AnswerTimeline::default(),
        message: None,
        withdrawn: Vec::new(),
    };
    let usage = Usage { fresh: 5, output: 2, ..Usage::unmetered() };
    let ended = Recorded::StepEnded { step: 1, finish: turnkit_core::FinishReason::Stop, usage, attempts: Vec::new() };
    boundary.chunk.entries.splice(0..0, [began, ended].map(|kind| LogEntry { at: AT, kind }));
    boundary.chunk.to_seq += 2;
    boundary
}
