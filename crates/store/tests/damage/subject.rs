//! A database to be damaged: a session of one owner with rows of every kind, and a session of another owner that must
//! stay intact.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use tempfile::TempDir;
use turnkit_core::ports::{ApiKey, BlobStore as _, KeyStore as _, PinOwner, PinStore as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, AccessScopes, AgentReach, AnswerTimeline, Arguments, BlobId, BranchPoint, BusyPolicy, CallRecord,
    CallState, CallUid, Checkpoint, Chunk, Claim, ClientCaps, Entry, FinishReason, Grant, GrantCoverage, GrantId,
    Idempotency, KeyId, LogEntry, Message, NewBlob, NewTurn, NewWait, PartKind, PartialSave, RawJson, Recorded,
    Resolution, SavedText, SchemaHash, Scope, SessionId, SessionKey, Timestamp, ToolPin, TurnId, TurnStatus, Usage,
    WaitId, WaitKind, WaitQuestion, WorkerId,
};
use turnkit_store::{OpenError, SqliteOptions, SqliteStore, Synchronous};
use uuid::Uuid;

pub(crate) const AT: Timestamp = Timestamp::from_millis(1_700_000_000_000);

/// The session to be damaged. Its turns are 1 (ended), 2 (running) and 3 (queued).
pub(crate) fn damaged() -> (Scope, SessionId) {
    (Scope::new("acme", "ada"), session(1))
}

/// The session that stays intact.
pub(crate) fn sound() -> (Scope, SessionId) {
    (Scope::new("acme", "bob"), session(4))
}

pub(crate) fn turn(number: u128) -> TurnId {
    TurnId(Uuid::from_u128(number))
}

pub(crate) fn session(number: u128) -> SessionId {
    SessionId(Uuid::from_u128(100 + number))
}

/// The file that the first turn of the damaged session references.
pub(crate) fn blob() -> BlobId {
    BlobId(Uuid::from_u128(200))
}

/// The save of the running turn's incomplete answer.
pub(crate) fn partial() -> PartialSave {
    let texts = vec![SavedText { part: 0, kind: PartKind::Text, from: 0, text: "so far".into() }];
    PartialSave { step: 2, attempt: 1, order: 0, texts }
}

/// A wait of the running turn.
pub(crate) fn asked() -> NewWait {
    let question = WaitQuestion {
        name: "pay".to_owned(),
        arguments: Arguments("{}".to_owned()),
        reason: "it changes something".to_owned(),
        preview: None,
        question: None,
        grantable: None,
        child: None,
    };
    let id = WaitId { call: CallUid { turn: turn(2), step: 1, ordinal: 0 }, number: 0 };
    let expires_at = AT.plus(Duration::from_secs(60));
    NewWait { id, kind: WaitKind::Approval, question, binding: [1; 32], expires_at }
}

/// The grant of the decision for another call of that turn.
pub(crate) fn granted() -> Grant {
    Grant {
        id: GrantId(Uuid::from_u128(300)),
        tool: "pay".to_owned(),
        schema: SchemaHash([1; 32]),
        coverage: GrantCoverage::Subject(turnkit_core::Subject::None),
        untrusted: false,
        created_at: AT,
    }
}

/// A definition of a tool of the damaged owner, in a version.
pub(crate) fn pinned(version: u8) -> ToolPin {
    ToolPin { source: "bank".to_owned(), tool: "bank__pay".to_owned(), fingerprint: [version; 32] }
}

/// A closed database file in its own folder.
pub(crate) struct Subject {
    folder: TempDir,
}

impl Subject {
    pub(crate) async fn new() -> Self {
        let subject = Self { folder: tempfile::tempdir().unwrap() };
        let store = subject.open().unwrap();
        let (ada, id) = damaged();
        let content = stream::iter([Ok(Bytes::from_static(b"a note"))]).boxed();
        store.put(&ada, NewBlob { id: blob(), name: "note.txt".into(), at: AT }, content).await.unwrap();
        let key = SessionKey::Name("mine".parse().unwrap());
        let first = NewTurn { blobs: vec![blob()], ..request(1, key) };
        let first = running(store.accept(&ada, first).await.unwrap());
        store.checkpoint(&first, boundary(&first, 2, Some(TurnStatus::Completed))).await.unwrap();
        let second = running(store.accept(&ada, request(2, SessionKey::Id(id))).await.unwrap());
        let mut other = asked();
        other.id.call.ordinal = 1;
        let asks = Checkpoint { waits: vec![asked(), other.clone()], ..boundary(&second, 2, None) };
        store.checkpoint(&second, asks).await.unwrap();
        store.resolve(&ada, other.id, Resolution::APPROVED, Some(granted()), AT).await.unwrap();
        for version in [1, 2] {
            store.pin(&PinOwner::User(ada.clone()), vec![pinned(version)], AT).await.unwrap();
        }
        store.save_partial(&second, partial()).await.unwrap();
        store.accept(&ada, request(3, SessionKey::Id(id))).await.unwrap();
        let (bob, _) = sound();
        let other = running(store.accept(&bob, request(4, SessionKey::New)).await.unwrap());
        store.checkpoint(&other, boundary(&other, 2, Some(TurnStatus::Completed))).await.unwrap();
        let id = KeyId(Uuid::from_u128(1));
        let (name, access, sha256) = ("ci".into(), AccessScopes::default(), [1; 32]);
        let key = ApiKey { id, name, scope: ada, access, sha256, created_at: AT, revoked_at: None };
        store.add_key(key).await.unwrap();
        subject
    }

    /// Copies the database.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap() };
        fs::copy(self.path(), copy.path()).unwrap();
        let content = copy.content();
        fs::create_dir_all(content.parent().unwrap()).unwrap();
        fs::copy(self.content(), content).unwrap();
        copy
    }

    /// Returns the path of the content of [`blob`].
    fn content(&self) -> PathBuf {
        let name = blob().to_string();
        self.folder.path().join("turnkit.blobs").join(&name[name.len() - 2..]).join(name)
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("turnkit.db")
    }

    pub(crate) fn open(&self) -> Result<SqliteStore, OpenError> {
        SqliteStore::open(&SqliteOptions::at(self.path()).with_synchronous(Synchronous::Normal))
    }
}

/// Returns a request with its own idempotency key. Its ids are derived from `number`.
pub(crate) fn request(number: u128, key: SessionKey) -> NewTurn {
    NewTurn {
        turn: turn(number),
        session: key,
        new_session: session(number),
        agent: "assistant".into(),
        input: Message::user("hello"),
        blobs: Vec::new(),
        title: "hello".into(),
        caps: ClientCaps { interact: false, resume: true },
        busy: BusyPolicy::Enqueue,
        reach: AgentReach::default(),
        idempotency: Some(Idempotency { key: number.to_string().into(), body_sha256: [1; 32] }),
        after: BranchPoint::Head,
        chore: false,
        started: LogEntry { at: AT, kind: Recorded::turn_started("assistant") },
        worker: WorkerId("worker".into()),
        at: AT,
    }
}

fn running(accepted: AcceptOutcome) -> Claim {
    match accepted {
        AcceptOutcome::Running(claimed) => claimed.claim,
        other => panic!("not running: {other:?}"),
    }
}

/// Returns a checkpoint with a message that needs its own pages, a receipt and a model call. If it has a status, it is
/// the last.
pub(crate) fn boundary(claim: &Claim, seq: u32, end: Option<TurnStatus>) -> Checkpoint {
    let recorded = match end {
        Some(status) => vec![Recorded::TurnEnded { status, usage: Usage::default(), steps: 1, steered_into: None }],
        None => {
            let (provider, model) = ("main".into(), "small".into());
            let began = Recorded::Attempt {
                step: 1,
                provider,
                model,
                timeline: AnswerTimeline::default(),
                message: None,
                withdrawn: Vec::new(),
            };
            vec![
                began,
                Recorded::StepEnded {
                    step: 1,
                    finish: FinishReason::Stop,
                    usage: Usage::unmetered(),
                    attempts: Vec::new(),
                },
            ]
        }
    };
    let entries: Vec<_> = recorded.into_iter().map(|kind| LogEntry { at: AT, kind }).collect();
    let to_seq = seq - 1 + entries.len() as u32;
    let uid = CallUid { turn: claim.turn(), step: 1, ordinal: 0 };
    Checkpoint {
        machine: end.is_none().then(|| RawJson::parse("{}").unwrap()),
        messages: vec![Entry::new(Message::user("long ".repeat(2000)))],
        calls: vec![CallRecord { uid, name: "pay".to_owned(), state: CallState::Started }],
        chunk: Chunk { fence: claim.fence(), from_seq: seq, to_seq, entries },
        metadata: serde_json::Map::from_iter([("mood".to_owned(), "good".into())]),
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
