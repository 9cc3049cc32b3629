//! Opens a new database, and runs the two transactions of a turn, each in a new session and a separate commit.

use std::error::Error;

use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use turnkit_core::ports::{IdSource as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, AgentReach, BranchPoint, BusyPolicy, Checkpoint, Chunk, ClaimedTurn, ClientCaps, Entry, LogEntry,
    Message, NewTurn, Part, Recorded, Role, Scope, SessionKey, Timestamp, TurnStatus, Usage, WorkerId,
};
use turnkit_engine::RandomIds;
use turnkit_store::{SqliteOptions, SqliteStore};

use crate::Outcome;

const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

pub(crate) fn open(databases: usize) -> Outcome {
    (0..databases).try_for_each(|_| Database::new().map(drop))
}

pub(crate) fn accept(turns: usize) -> Outcome {
    let database = Database::new()?;
    database.runtime.block_on(async {
        for _ in 0..turns {
            database.accept().await?;
        }
        Ok(())
    })
}

pub(crate) fn accept_and_end(turns: usize) -> Outcome {
    let database = Database::new()?;
    database.runtime.block_on(async {
        for _ in 0..turns {
            let claimed = database.accept().await?;
            database.end(&claimed).await?;
        }
        Ok(())
    })
}

struct Database {
    runtime: Runtime,
    store: SqliteStore,
    scope: Scope,
    _folder: TempDir,
}

impl Database {
    fn new() -> Result<Self, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let store = SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db")))?;
        let runtime = Builder::new_current_thread().build()?;
        Ok(Self { runtime, store, scope: Scope::local(), _folder: folder })
    }

    async fn accept(&self) -> Result<ClaimedTurn, Box<dyn Error>> {
        let kind = Recorded::turn_started("assistant");
        let accept = NewTurn {
            turn: RandomIds.turn(AT),
            session: SessionKey::New,
            new_session: RandomIds.session(AT),
            agent: "assistant".into(),
            input: Message::user("What is the answer to the question that nobody has asked so far?"),
            blobs: Vec::new(),
            title: "What is the answer".into(),
            caps: ClientCaps { interact: true, resume: true },
            busy: BusyPolicy::Enqueue,
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            chore: false,
            started: LogEntry { at: AT, kind },
            worker: WorkerId("costs".into()),
            at: AT,
        };
        match self.store.accept(&self.scope, accept).await? {
            AcceptOutcome::Running(claimed) => Ok(*claimed),
            other => Err(format!("not running: {other:?}").into()),
        }
    }

    async fn end(&self, claimed: &ClaimedTurn) -> Outcome {
        let kind = Recorded::TurnEnded {
            status: TurnStatus::Completed,
            usage: Usage::default(),
            steps: 1,
            steered_into: None,
        };
        let text = "It is forty-two, as far as anybody knows. ".repeat(5);
        let chunk =
            Chunk { fence: claimed.claim.fence(), from_seq: 2, to_seq: 2, entries: vec![LogEntry { at: AT, kind }] };
        let checkpoint = Checkpoint {
            machine: None,
            messages: vec![Entry::new(Message::new(Role::Assistant, vec![Part::text(text)]))],
            calls: Vec::new(),
            chunk,
            metadata: serde_json::Map::new(),
            title: None,
            blobs: Vec::new(),
            waits: Vec::new(),
            waiting: false,
            children: Vec::new(),
            has_waited: false,
            report: None,
            handed_over: false,
            end: Some((TurnStatus::Completed, Usage::default())),
            anchor: None,
            despite_stop: false,
            removes_partials: false,
            steered: Vec::new(),
            at: AT,
        };
        self.store.checkpoint(&claimed.claim, checkpoint).await?;
        Ok(())
    }
}
