//! Measures the storage cost of a turn: the processor time of all threads, and how a cold read grows with the session.
//!
//! A turn takes two transactions, its accept and its end. `callers` is the number of concurrent callers, and therefore
//! roughly the number of turns that share a commit. Times are processor times where the system reports them (Linux),
//! and wall-clock times elsewhere.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to tell")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use futures_util::future::join_all;
use tokio::runtime::{Builder, Runtime};
use turnkit_core::ports::TurnStore as _;
use turnkit_core::{
    AcceptOutcome, AgentReach, BranchPoint, BusyPolicy, Checkpoint, Chunk, ClaimedTurn, ClientCaps, Entry, LogEntry,
    Message, NewTurn, Part, Recorded, Role, Scope, SessionId, SessionKey, Timestamp, TurnId, TurnStatus, Usage,
    WorkerId,
};
use turnkit_store::{SqliteOptions, SqliteStore, Synchronous};
use uuid::Uuid;

type Failed = Box<dyn Error + Send + Sync>;

struct Bench {
    runtime: Runtime,
    store: SqliteStore,
    scope: Scope,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new(synchronous: Synchronous) -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let options = SqliteOptions::at(folder.path().join("turnkit.db")).with_synchronous(synchronous);
        let runtime = Builder::new_current_thread().build()?;
        Ok(Self { runtime, store: SqliteStore::open(&options)?, scope: Scope::local(), _folder: folder })
    }

    async fn begin(&self, number: u128, session: SessionKey) -> Result<ClaimedTurn, Failed> {
        let at = Timestamp::from_millis(1_700_000_000_000);
        let accept = NewTurn {
            turn: TurnId(Uuid::from_u128(number)),
            session,
            new_session: SessionId(Uuid::from_u128(number)),
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
            started: LogEntry { at, kind: Recorded::turn_started("assistant") },
            worker: WorkerId("bench".into()),
            at,
        };
        match self.store.accept(&self.scope, accept).await? {
            AcceptOutcome::Running(claimed) => Ok(*claimed),
            other => Err(format!("not running: {other:?}").into()),
        }
    }

    async fn end(&self, claimed: &ClaimedTurn) -> Result<(), Failed> {
        let at = claimed.started_at;
        let kind = Recorded::TurnEnded {
            status: TurnStatus::Completed,
            usage: Usage::default(),
            steps: 1,
            steered_into: None,
        };
        let text = "It is forty-two, as far as anybody knows. ".repeat(5);
        let checkpoint = Checkpoint {
            machine: None,
            messages: vec![Entry::new(Message::new(Role::Assistant, vec![Part::text(text)]))],
            calls: Vec::new(),
            chunk: Chunk { fence: claimed.claim.fence(), from_seq: 2, to_seq: 2, entries: vec![LogEntry { at, kind }] },
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
            at,
        };
        self.store.checkpoint(&claimed.claim, checkpoint).await?;
        Ok(())
    }

    /// Runs `callers` concurrent turns in new sessions.
    fn turns(&self, first: u128, callers: u128) -> Result<(), Failed> {
        let turn = |number| async move {
            let claimed = self.begin(number, SessionKey::New).await?;
            self.end(&claimed).await
        };
        self.runtime.block_on(join_all((first..first + callers).map(turn))).into_iter().collect()
    }

    /// Starts a turn after `messages` messages.
    fn session(&self, messages: u128) -> Result<ClaimedTurn, Failed> {
        self.runtime.block_on(async {
            let mut claimed = self.begin(1, SessionKey::New).await?;
            for number in 1..=messages / 2 {
                self.end(&claimed).await?;
                claimed = self.begin(1 + number, SessionKey::Id(claimed.session.id)).await?;
            }
            Ok(claimed)
        })
    }
}

/// Returns the processor time spent by all threads of this process.
fn processor_time() -> Option<Duration> {
    let mut total = 0;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        let spent = fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        total += spent.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(total))
}

/// Returns the processor time that `work` takes.
fn measure(work: impl FnOnce() -> Result<(), Failed>) -> Result<Duration, Failed> {
    let (before, clock) = (processor_time(), Instant::now());
    work()?;
    Ok(before.zip(processor_time()).map_or(clock.elapsed(), |(before, after)| after - before))
}

fn whole_turns(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("accept and end");
    for synchronous in [Synchronous::Full, Synchronous::Normal] {
        for callers in [1_u64, 8, 16] {
            let bench = Bench::new(synchronous).unwrap();
            let mut first = 1;
            group.throughput(Throughput::Elements(callers));
            group.bench_function(BenchmarkId::new(format!("{synchronous:?}"), callers), |bencher| {
                bencher.iter_custom(|rounds| {
                    let work = || {
                        (0..rounds).try_for_each(|_| {
                            first += u128::from(callers);
                            bench.turns(first, u128::from(callers))
                        })
                    };
                    measure(work).unwrap()
                });
            });
        }
    }
}

fn cold_history(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cold history");
    for messages in [10, 100, 1_000, 10_000] {
        let bench = Bench::new(Synchronous::Normal).unwrap();
        let claimed = bench.session(messages).unwrap();
        group.throughput(Throughput::Elements(messages as u64));
        group.bench_function(BenchmarkId::from_parameter(messages), |bencher| {
            bencher.iter(|| black_box(bench.runtime.block_on(bench.store.history(&claimed.claim)).unwrap().len()));
        });
    }
}

criterion_group!(benches, whole_turns, cold_history);
criterion_main!(benches);
