//! What a turn costs by the length of its session: cold, when history is read and parsed, and warm, when it is shared.
//!
//! A whole turn is measured, from accept to the terminal event, on the real store with an answer of one word.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to tell")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use turnkit_broker::InProcess;
use turnkit_core::ports::{BoxFuture, CallContext, IdSource, LlmProvider, OpenedAnswer, TurnStore};
use turnkit_core::{
    AcceptOutcome, AgentReach, BranchPoint, BusyPolicy, ChatRequest, Checkpoint, Chunk, ClientCaps, Delta, Entry,
    FinishReason, LogEntry, Message, NewTurn, Part, PartKind, ProviderError, Recorded, Role, SamplingParams, Scope,
    SessionId, SessionKey, Timestamp, TurnStatus, Usage, WorkerId,
};
use turnkit_engine::{
    Agent, AgentSettings, Failpoints, FollowFrom, Instructions, RandomIds, ServiceParts, SystemClock, TurnRequest,
    TurnService,
};
use turnkit_store::{SqliteOptions, SqliteStore};

const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A model that agrees, and keeps nothing of what it is sent.
struct AgreeingModel;

impl LlmProvider for AgreeingModel {
    fn stream<'a>(&'a self, _: ChatRequest, _: &'a CallContext) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        let said =
            vec![Delta::start(0, PartKind::Text), Delta::text(0, "AgreeingModel."), Delta::Finish(FinishReason::Stop)];
        let deltas = Box::pin(futures_util::stream::iter([Ok(said)]));
        let opened = OpenedAnswer {
            provider: "bench".into(),
            model: "yes".into(),
            prices: None,
            notices: Vec::new(),
            failed: vec![],
            deltas,
        };
        Box::pin(std::future::ready(Ok(opened)))
    }
}

struct Bench {
    runtime: Runtime,
    store: Arc<SqliteStore>,
    scope: Scope,
    _folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap());
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        Self { runtime, store, scope: Scope::local(), _folder: folder }
    }

    /// A service with nothing in its cache.
    fn service(&self) -> TurnService {
        let clock = Arc::new(SystemClock);
        let agent = Agent {
            name: "bench".to_owned(),
            flow: Arc::new(Instructions(None)),
            tools: Vec::new(),
            settings: AgentSettings::default(),
        };
        TurnService::new(ServiceParts {
            store: self.store.clone(),
            broker: Arc::new(InProcess::default()),
            provider: Arc::new(AgreeingModel),
            directory: None,
            agents: vec![agent],
            clock,
            ids: Arc::new(RandomIds),
            worker: worker(),
            slots: 8,
            first_suspension: TurnService::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        })
    }

    /// A session in which so much was said, all of it in one turn.
    async fn session(&self, messages: usize) -> SessionId {
        let kind = Recorded::turn_started("bench");
        let accept = NewTurn {
            turn: RandomIds.turn(AT),
            session: SessionKey::New,
            new_session: RandomIds.session(AT),
            agent: "bench".into(),
            input: Message::user("Tell me all you know about ferries between the islands."),
            blobs: Vec::new(),
            title: "Ferries".into(),
            caps: ClientCaps { interact: false, resume: true },
            busy: BusyPolicy::Enqueue,
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            chore: false,
            started: LogEntry { at: AT, kind },
            worker: worker(),
            at: AT,
        };
        let AcceptOutcome::Running(claimed) = self.store.accept(&self.scope, accept).await.unwrap() else {
            return SessionId::default();
        };
        let said = |index: usize| {
            let role = if index % 2 == 1 { Role::Assistant } else { Role::User };
            let text = "They leave at seven, at noon, and at six in the evening, except on Sundays. ".repeat(3);
            Entry::new(Message::new(role, vec![Part::text(text)]))
        };
        let kind = Recorded::TurnEnded {
            status: TurnStatus::Completed,
            usage: Usage::default(),
            steps: 1,
            steered_into: None,
        };
        let checkpoint = Checkpoint {
            machine: None,
            messages: (1..messages).map(said).collect(),
            calls: Vec::new(),
            chunk: Chunk {
                fence: claimed.claim.fence(),
                from_seq: 2,
                to_seq: 2,
                entries: vec![LogEntry { at: AT, kind }],
            },
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
        self.store.checkpoint(&claimed.claim, checkpoint).await.unwrap();
        claimed.session.id
    }

    async fn turn(&self, service: &TurnService, session: SessionId) -> Duration {
        let request = TurnRequest {
            session: SessionKey::Id(session),
            agent: None,
            route: None,
            params: SamplingParams::default(),
            tools: None,
            client_tools: Vec::new(),
            mode: None,
            message: Message::user("Is there one tonight?"),
            files: Vec::new(),
            context: None,
            caps: ClientCaps { interact: false, resume: true },
            busy: None,
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            trace: None,
        };
        let began = Instant::now();
        let receipt = service.accept(&self.scope, request).await.unwrap();
        let mut feed = service.follow(&self.scope, receipt.turn, FollowFrom::Start).await.unwrap();
        while feed.next().await.unwrap().is_some() {}
        began.elapsed()
    }

    /// One turn of a session that no turn of this run has touched.
    fn measure(&self, messages: usize, warm: bool) -> Duration {
        self.runtime.block_on(async {
            let session = self.session(messages).await;
            let service = self.service();
            if warm {
                self.turn(&service, session).await;
            }
            let took = self.turn(&service, session).await;
            service.drain(Duration::from_secs(1)).await;
            took
        })
    }
}

fn worker() -> WorkerId {
    WorkerId("bench".into())
}

fn by_length(criterion: &mut Criterion) {
    let bench = Bench::new();
    for (warmth, warm) in [("cold", false), ("warm", true)] {
        let mut group = criterion.benchmark_group(format!("turn, {warmth} session"));
        group.sample_size(10);
        for messages in [10_usize, 100, 1_000, 10_000] {
            group.bench_with_input(BenchmarkId::from_parameter(messages), &messages, |bencher, messages| {
                bencher.iter_custom(|rounds| (0..rounds).map(|_| bench.measure(*messages, warm)).sum());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, by_length);
criterion_main!(benches);
