//! A data directory, and the processes that run on it one after another.

use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use turnkit_broker::InProcess;
use turnkit_core::ports::{AgentFlow, Clock as _, NewSession, ProviderDirectory, SessionStore, Tool, TurnStore};
use turnkit_core::{
    AgentReach, BranchPoint, BusyPolicy, ClientCaps, Cursor, EventKind, Message, SamplingParams, Scope, Session,
    SessionId, SessionKey, Timestamp, ToolUse, TurnEvent, TurnId, TurnRecord, TurnStatus, WorkerId, replay,
};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{
    Agent, AgentSettings, ContextSettings, Failpoints, FeedItem, Instructions, Receipt, ServiceParts, TurnFeed,
    TurnRequest, TurnService,
};
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::transcript::check_history;
use turnkit_testkit::{InterceptedStore, Ledger, Reply, ScriptedProvider, SeededIds, VirtualClock, check_views};

use crate::store_watch::StoreWatch;

/// Longer than any test takes, and longer than any duration a test passes to [`pass`].
const MAX_LIFE: Duration = Duration::from_secs(61);

/// The state that outlives a process: the database, the effects of its tools, and time.
pub(crate) struct World {
    folder: TempDir,
    lives: std::cell::Cell<u16>,
    pub(crate) start: Timestamp,
}

/// The configuration of a process.
pub(crate) struct Setup {
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) directory: Option<Arc<dyn ProviderDirectory>>,
    /// The first agent. The others differ in their name and in their policy for busy sessions.
    pub(crate) agent: &'static str,
    pub(crate) others: Vec<(&'static str, BusyPolicy)>,
    pub(crate) flow: Arc<dyn AgentFlow>,
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) settings: AgentSettings,
    pub(crate) slots: usize,
}

/// A process.
pub(crate) struct Host {
    pub(crate) service: TurnService,
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) store: Arc<StoreWatch>,
    pub(crate) sqlite: Arc<SqliteStore>,
    pub(crate) broker: Arc<InProcess>,
    pub(crate) clock: Arc<VirtualClock>,
}

impl From<Vec<Reply>> for Setup {
    fn from(script: Vec<Reply>) -> Self {
        ScriptedProvider::new(script).into()
    }
}

impl From<ScriptedProvider> for Setup {
    fn from(provider: ScriptedProvider) -> Self {
        let rules = vec![Rule::new("*", Decision::Allow)];
        // Unrequested compactions would consume the replies of a test's script.
        let context = ContextSettings { precompact_at: 0, ..ContextSettings::default() };
        let settings = AgentSettings { rules, context, ..AgentSettings::default() };
        let (agent, flow) = ("assistant", Arc::new(Instructions(None)));
        let (provider, directory) = (Arc::new(provider), None);
        Self { provider, directory, agent, others: Vec::new(), flow, tools: Vec::new(), settings, slots: 16 }
    }
}

impl Setup {
    pub(crate) fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

impl World {
    pub(crate) fn new() -> Self {
        let (folder, lives) = (tempfile::tempdir().unwrap(), std::cell::Cell::default());
        Self { folder, lives, start: Timestamp::from_millis(1_800_000_000_000) }
    }

    /// Runs `body` in a process, which then dies: everything in progress stops where it is.
    pub(crate) fn life<T>(&self, setup: impl Into<Setup>, body: impl AsyncFnOnce(Host) -> T) -> T {
        self.life_with(setup, |_| {}, body)
    }

    /// Like [`life`](Self::life), with changed agents.
    pub(crate) fn life_with<T>(
        &self,
        setup: impl Into<Setup>,
        change: impl FnOnce(&mut Vec<Agent>),
        body: impl AsyncFnOnce(Host) -> T,
    ) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let host = self.host_with(setup.into(), change);
            tokio::time::timeout(MAX_LIFE, body(host)).await.unwrap()
        })
    }

    /// Starts another process on the same data.
    pub(crate) fn host(&self, setup: Setup) -> Host {
        self.host_with(setup, |_| {})
    }

    fn host_with(&self, setup: Setup, change: impl FnOnce(&mut Vec<Agent>)) -> Host {
        let life = self.lives.get() + 1;
        self.lives.set(life);
        let sqlite = Arc::new(SqliteStore::open(&SqliteOptions::at(self.database())).unwrap());
        let store = Arc::new(StoreWatch::default());
        let clock = Arc::new(VirtualClock::fixed(self.start.plus(Duration::from_secs(u64::from(life)))));
        let agent =
            Agent { name: setup.agent.to_owned(), flow: setup.flow, tools: setup.tools, settings: setup.settings };
        let other = |(name, busy): (&str, BusyPolicy)| Agent {
            name: name.to_owned(),
            settings: AgentSettings { busy, ..agent.settings.clone() },
            ..agent.clone()
        };
        let agents = setup.others.into_iter().map(other);
        let mut agents: Vec<Agent> = std::iter::once(agent.clone()).chain(agents).collect();
        change(&mut agents);
        let broker = Arc::new(InProcess::default());
        let service = TurnService::new(ServiceParts {
            store: Arc::new(InterceptedStore::around(sqlite.clone(), Arc::clone(&store))),
            broker: Arc::clone(&broker) as _,
            provider: Arc::clone(&setup.provider) as _,
            directory: setup.directory,
            agents,
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(SeededIds::new(life)),
            worker: WorkerId(format!("process-{life}").into()),
            slots: setup.slots,
            first_suspension: Duration::from_millis(100),
            failpoints: Failpoints::default(),
        });
        Host { service, provider: setup.provider, store, sqlite, broker, clock }
    }

    pub(crate) fn database(&self) -> std::path::PathBuf {
        self.folder.path().join("turnkit.db")
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::open(self.folder.path().join("effects")).unwrap()
    }
}

pub(crate) fn ada() -> Scope {
    Scope::new("acme", "ada")
}

pub(crate) fn request(session: SessionKey, text: &str) -> TurnRequest {
    TurnRequest {
        session,
        agent: None,
        route: None,
        params: SamplingParams::default(),
        tools: None,
        client_tools: Vec::new(),
        mode: None,
        message: Message::user(text),
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

impl Host {
    /// Starts a turn in a new session.
    pub(crate) async fn submit(&self, text: &str) -> Receipt {
        self.service.accept(&ada(), request(SessionKey::New, text)).await.unwrap()
    }

    /// Starts a turn in a session, or adds it to its queue.
    pub(crate) async fn adds(&self, session: SessionId, text: &str) -> Receipt {
        self.service.accept(&ada(), request(SessionKey::Id(session), text)).await.unwrap()
    }

    /// Creates a session without turns.
    pub(crate) async fn empty_session(&self) -> SessionId {
        let session = NewSession {
            id: SessionId(uuid::Uuid::from_u128(7)),
            name: None,
            agent: "assistant".into(),
            title: "Nothing yet".into(),
            metadata: serde_json::Map::new(),
            prompt: None,
            params: SamplingParams::default(),
            tools: ToolUse::Auto,
            mode: None,
            at: self.clock.now(),
        };
        self.sqlite.create(&ada(), session).await.unwrap().id
    }

    pub(crate) async fn follow(&self, turn: TurnId, cursor: Option<Cursor>) -> TurnFeed {
        self.service.follow(&ada(), turn, cursor.into()).await.unwrap()
    }

    /// Returns all events of a turn, up to its end. Its stored messages must match them.
    pub(crate) async fn events(&self, turn: TurnId) -> Vec<TurnEvent> {
        let events = rest(&mut self.follow(turn, None).await).await;
        if let Ok(logged) = self.sqlite.log(&ada(), turn).await {
            let (record, messages) = (self.sqlite.turn(&ada(), turn).await.unwrap(), logged.messages.iter());
            check_views(&record, &events, messages.map(|entry| entry.message())).unwrap();
        }
        events
    }

    /// Waits for the end of a turn, and returns its status.
    pub(crate) async fn ends(&self, turn: TurnId) -> TurnStatus {
        status(&self.events(turn).await)
    }

    /// Waits for the end of a turn as the client that submitted it, and returns its status.
    pub(crate) async fn ends_for_its_client(&self, receipt: &Receipt) -> TurnStatus {
        status(&rest(&mut self.service.follow_accepted(&ada(), receipt).await.unwrap()).await)
    }

    pub(crate) async fn record(&self, turn: TurnId) -> TurnRecord {
        self.sqlite.turn(&ada(), turn).await.unwrap()
    }

    /// Returns the stored log of a turn, as events.
    pub(crate) async fn stored(&self, turn: TurnId) -> Vec<TurnEvent> {
        replay(&self.sqlite.log(&ada(), turn).await.unwrap(), 0)
    }

    pub(crate) async fn session(&self, session: SessionId) -> Session {
        self.sqlite.session(&ada(), session).await.unwrap()
    }

    /// Returns the stored messages of a session as lines that are easy to compare. They must be a valid transcript.
    pub(crate) async fn transcript(&self, session: SessionId) -> Vec<String> {
        let messages = self.sqlite.messages(&ada(), session).await.unwrap();
        let history = turnkit_core::History::of(messages);
        check_history(&history).unwrap();
        let marked = |message: &Message| message.mark.map(|mark| format!(" [{mark:?}]")).unwrap_or_default();
        history.iter().map(|entry| format!("{}{}", line(entry.message()), marked(entry.message()))).collect()
    }
}

/// Advances time for all timers in the process. Before and after, lets all tasks run as far as they can without
/// storage.
pub(crate) async fn pass(duration: Duration) {
    let settled = async || {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::pause();
    settled().await;
    tokio::time::advance(duration).await;
    settled().await;
    tokio::time::resume();
}

/// Returns the remaining events of a feed, which must not resync.
pub(crate) async fn rest(feed: &mut TurnFeed) -> Vec<TurnEvent> {
    let mut events = Vec::new();
    while let Some(item) = feed.next().await.unwrap() {
        match item {
            FeedItem::Event(event) => events.push(event),
            FeedItem::Resync(snapshot) => panic!("{snapshot:?}"),
            FeedItem::Pending(_) | FeedItem::Progress(_) => {}
        }
    }
    events
}

/// Returns the next event of a feed.
pub(crate) async fn next(feed: &mut TurnFeed) -> (TurnEvent, Cursor) {
    loop {
        match feed.next().await.unwrap() {
            Some(FeedItem::Event(event)) => {
                let cursor = event.cursor(feed.number());
                return (event, cursor);
            }
            Some(FeedItem::Pending(_) | FeedItem::Progress(_)) => {}
            other => panic!("no event: {other:?}"),
        }
    }
}

/// Reads a feed up to the first event of this name, and returns that event.
pub(crate) async fn until(feed: &mut TurnFeed, name: &str) -> TurnEvent {
    loop {
        let (event, _) = next(feed).await;
        if event.kind.name() == name {
            return event;
        }
    }
}

/// Returns the events of a feed up to the first one of this name.
pub(crate) async fn shown_until(feed: &mut TurnFeed, name: &str) -> Vec<TurnEvent> {
    let mut shown = Vec::new();
    loop {
        let (event, _) = next(feed).await;
        shown.push(event);
        if shown.last().is_some_and(|event| event.kind.name() == name) {
            return shown;
        }
    }
}

/// Returns the final status in these events, which must be a complete log.
pub(crate) fn status(events: &[TurnEvent]) -> TurnStatus {
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=events.len() as u32).collect::<Vec<_>>());
    assert_eq!(events[0].kind.name(), "turn.started");
    assert_eq!(events.iter().filter(|event| event.kind.is_terminal()).count(), 1);
    match events.last().map(|event| &event.kind) {
        Some(EventKind::TurnEnded { status, .. }) => *status,
        other => panic!("the last event is {other:?}"),
    }
}

/// Returns the names of the events without the pieces of text. Tool events include their tool, and errors their code.
pub(crate) fn outline(events: &[TurnEvent]) -> Vec<String> {
    let told = events.iter().filter_map(|event| match &event.kind {
        EventKind::PartStarted { .. } | EventKind::PartDelta { .. } | EventKind::PartEnded { .. } => None,
        EventKind::ToolStarted { name, .. } => Some(format!("tool.started {name}")),
        EventKind::ToolFinished { name, error: None, .. } => Some(format!("tool.finished {name}")),
        EventKind::ToolFinished { name, error: Some(kind), .. } => Some(format!("tool.finished {name} {kind:?}")),
        EventKind::Error { code, .. } => Some(format!("error {code}")),
        EventKind::TurnEnded { status, .. } => Some(format!("turn.ended {}", status.as_str())),
        kind => Some(kind.name().to_owned()),
    });
    told.collect()
}

fn line(message: &Message) -> String {
    let parts = message.parts.iter().map(|part| match part {
        turnkit_core::Part::Text(text) => text.text.clone(),
        turnkit_core::Part::ToolCall(call) => format!("<{} {}>", call.name, call.arguments.0),
        turnkit_core::Part::ToolResult(result) if result.ok => format!("<{} gave {}>", result.name, result.content),
        turnkit_core::Part::ToolResult(result) => format!("<{} failed {:?}>", result.name, result.error),
        turnkit_core::Part::Notice(notice) => format!("<{}>", notice.code),
        other => format!("{other:?}"),
    });
    format!("{:?}: {}", message.role, parts.collect::<String>())
}
