//! A server on a free port, with a database and a scripted model.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use tokio::io::DuplexStream;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use turnkit_broker::InProcess;
use turnkit_core::ports::{Clock as _, McpDirectory, ProviderDirectory, RecordingDirectory, Store, Tool};
use turnkit_core::{BusyPolicy, Timestamp, WorkerId};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{
    Agent, AgentSettings, Budgets, ContextSettings, Failpoints, Instructions, ServiceParts, TurnService,
};
use turnkit_files::Roots;
use turnkit_server::{AuthMode, CallerTokenCache, Server, ServerParts, Settings};
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::model_store::{Disk, ModelStore};
use turnkit_testkit::{Reply, ScriptedProvider, SeededIds, VirtualClock};

use crate::client::Client;

/// The configuration of a test server.
pub(crate) struct Setup {
    provider: Arc<ScriptedProvider>,
    tools: Vec<Arc<dyn Tool>>,
    providers: Option<Arc<dyn ProviderDirectory>>,
    mcp_servers: Option<Arc<dyn McpDirectory>>,
    recordings: Option<Arc<dyn RecordingDirectory>>,
    busy: BusyPolicy,
    auth: AuthMode,
    caller_tokens: Option<Arc<CallerTokenCache>>,
    drain: Duration,
    in_memory: bool,
    max_messages: u32,
    roots: Arc<Roots>,
    asks_before: Option<String>,
    budgets: Option<Arc<Budgets>>,
}

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) client: Client,
    pub(crate) address: SocketAddr,
    pub(crate) service: TurnService,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) clock: Arc<VirtualClock>,
    /// The operator's token.
    token: String,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinSet<bool>,
    _folder: TempDir,
}

/// A server of the Model Context Protocol whose client is at the other end of a pipe, until it is dropped.
pub(crate) struct Piped {
    pub(crate) service: TurnService,
    pub(crate) store: Arc<dyn Store>,
    _serving: JoinSet<bool>,
    _folder: TempDir,
}

/// The parts of a server that does not serve yet.
struct Built {
    server: Server,
    service: TurnService,
    clock: Arc<VirtualClock>,
    provider: Arc<ScriptedProvider>,
    drain: Duration,
}

impl Setup {
    /// Uses a model that gives these responses, one for each call.
    pub(crate) fn answering(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::of(ScriptedProvider::new(replies))
    }

    /// Uses a model that gives the same response to every call.
    pub(crate) fn always(reply: Reply) -> Self {
        Self::of(ScriptedProvider::answering(move |_, _| Some(reply.clone())))
    }

    /// Uses this model.
    pub(crate) fn of(provider: ScriptedProvider) -> Self {
        let (busy, auth, drain) = (BusyPolicy::Enqueue, AuthMode::None, Duration::from_secs(5));
        Self {
            provider: Arc::new(provider),
            tools: Vec::new(),
            providers: None,
            mcp_servers: None,
            recordings: None,
            busy,
            auth,
            caller_tokens: None,
            drain,
            in_memory: false,
            max_messages: 0,
            roots: Arc::default(),
            asks_before: None,
            budgets: None,
        }
    }

    pub(crate) fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self
    }

    /// Sets the providers that the server lists.
    pub(crate) fn providers(self, directory: impl ProviderDirectory + 'static) -> Self {
        Self { providers: Some(Arc::new(directory)), ..self }
    }

    /// Sets the MCP servers that the server lists.
    pub(crate) fn mcp_servers(self, directory: impl McpDirectory + 'static) -> Self {
        Self { mcp_servers: Some(Arc::new(directory)), ..self }
    }

    /// Sets the recordings that the server lists.
    pub(crate) fn recordings(self, directory: impl RecordingDirectory + 'static) -> Self {
        Self { recordings: Some(Arc::new(directory)), ..self }
    }

    pub(crate) fn busy(self, busy: BusyPolicy) -> Self {
        Self { busy, ..self }
    }

    /// Requires keys.
    pub(crate) fn locked(self) -> Self {
        Self { auth: AuthMode::ApiKey, ..self }
    }

    /// Sets how callers are authenticated.
    pub(crate) fn auth(self, auth: AuthMode) -> Self {
        Self { auth, ..self }
    }

    /// Keeps the tokens of callers here.
    pub(crate) fn keeping_tokens(self, caller_tokens: Arc<CallerTokenCache>) -> Self {
        Self { caller_tokens: Some(caller_tokens), ..self }
    }

    /// Sets how long turns may finish when the server stops.
    pub(crate) fn drain(self, drain: Duration) -> Self {
        Self { drain, ..self }
    }

    /// Uses an in-memory store, so that no operation waits for a disk and only the test advances the time.
    pub(crate) fn in_memory(self) -> Self {
        Self { in_memory: true, ..self }
    }

    /// Sets the largest number of messages of a request.
    pub(crate) fn max_messages(self, max_messages: u32) -> Self {
        Self { max_messages, ..self }
    }

    /// Lets turns name files of these folders.
    pub(crate) fn reading(self, roots: Roots) -> Self {
        Self { roots: Arc::new(roots), ..self }
    }

    /// Requires approval for calls of this tool.
    pub(crate) fn ask_before(self, tool: &str) -> Self {
        Self { asks_before: Some(tool.to_owned()), ..self }
    }

    /// Limits the consumption of turns.
    pub(crate) fn budgets(self, budgets: Budgets) -> Self {
        Self { budgets: Some(Arc::new(budgets)), ..self }
    }

    pub(crate) async fn run(self) -> Running {
        let folder = tempfile::tempdir().unwrap();
        if self.in_memory {
            let store = Arc::new(ModelStore::open(&Disk::default()));
            return self.run_on(store, folder).await;
        }
        let store = sqlite(&folder);
        self.run_on(store, folder).await
    }

    /// Serves the Model Context Protocol over a pipe. Returns the end of the client.
    pub(crate) async fn pipe(self) -> (Piped, DuplexStream) {
        let folder = tempfile::tempdir().unwrap();
        let store = sqlite(&folder);
        let Built { server, service, drain, .. } = self.build(Arc::clone(&store)).await;
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (input, output) = tokio::io::split(theirs);
        let mut serving = JoinSet::new();
        serving.spawn(async move { server.serve_mcp(input, output, std::future::pending(), drain).await.unwrap() });
        (Piped { service, store, _serving: serving, _folder: folder }, ours)
    }

    async fn run_on(self, store: Arc<dyn Store>, folder: TempDir) -> Running {
        let Built { server, service, clock, provider, drain } = self.build(Arc::clone(&store)).await;
        let token = server.operator_token().to_owned();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let mut serving = JoinSet::new();
        serving.spawn(async move { server.serve(listener, stopped, drain).await.unwrap() });
        let (client, stop) = (Client::of(address, None), Some(stop));
        Running { client, address, service, store, provider, clock, token, stop, serving, _folder: folder }
    }

    async fn build(self, store: Arc<dyn Store>) -> Built {
        let clock = Arc::new(VirtualClock::following_tokio(Timestamp::from_millis(1_800_000_000_000)));
        let ids = Arc::new(SeededIds::new(1));
        let mut rules = vec![Rule::new("*", Decision::Allow)];
        rules.extend(self.asks_before.clone().map(|tool| Rule::new(tool, Decision::Ask)));
        let context = ContextSettings { max_messages: self.max_messages, ..ContextSettings::default() };
        let (busy, roots, budgets) = (self.busy, self.roots, self.budgets);
        let settings = AgentSettings { rules, context, busy, roots, budgets, ..AgentSettings::default() };
        let agent = |name: &str| Agent {
            name: name.to_owned(),
            flow: Arc::new(Instructions::default()),
            tools: self.tools.clone(),
            settings: settings.clone(),
        };
        let service = TurnService::new(ServiceParts {
            store: store.clone(),
            broker: Arc::new(InProcess::default()),
            provider: self.provider.clone(),
            directory: None,
            agents: vec![agent("assistant"), agent("translator")],
            clock: clock.clone(),
            ids: ids.clone(),
            worker: WorkerId("test".into()),
            slots: 64,
            first_suspension: TurnService::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        });
        let agents = vec!["assistant".to_owned(), "translator".to_owned()];
        let parts = ServerParts {
            service: service.clone(),
            store,
            providers: self.providers,
            mcp_servers: self.mcp_servers,
            recordings: self.recordings,
            clock: clock.clone(),
            ids,
            settings: Settings {
                auth: self.auth,
                caller_tokens: self.caller_tokens,
                agents,
                prompts: vec!["terse".to_owned()],
                modes: vec!["plan".to_owned()],
                body_bytes: 4 << 20,
                upload_bytes: 8 << 20,
                ..Settings::default()
            },
        };
        let server = Server::new(parts).await.unwrap();
        Built { server, service, clock, provider: self.provider, drain: self.drain }
    }
}

fn sqlite(folder: &TempDir) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db"))).unwrap())
}

impl Running {
    /// Returns a client with a key of this user.
    pub(crate) async fn user(&self, name: &str) -> Client {
        let key = self.key(name).await;
        Client::of(self.address, Some(key.1))
    }

    /// Creates a key of this user. Returns its id and the key itself.
    pub(crate) async fn key(&self, user: &str) -> (String, String) {
        let operator = self.operator();
        let made = operator.post("/api/v1/keys", &json!({ "name": "a key", "user": user })).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let text = |name: &str| made.json()[name].as_str().unwrap().to_owned();
        (text("id"), text("key"))
    }

    /// Returns a client with this token or key.
    pub(crate) fn bearer(&self, token: impl Into<String>) -> Client {
        self.client.with_key(token)
    }

    /// Returns the time of the server, in seconds.
    pub(crate) fn seconds(&self) -> i64 {
        self.clock.now().millis() / 1000
    }

    pub(crate) fn operator(&self) -> Client {
        Client::of(self.address, Some(self.token.clone()))
    }

    /// Signals the server to stop.
    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Waits until the server has stopped. Returns `true` if all turns finished.
    pub(crate) async fn stopped(mut self) -> bool {
        self.serving.join_next().await.unwrap().unwrap()
    }
}
