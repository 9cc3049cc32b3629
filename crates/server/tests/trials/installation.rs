//! A server with a data directory, on a real socket in this process.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use turnkit_broker::InProcess;
use turnkit_core::WorkerId;
use turnkit_core::ports::{LlmProvider, Tool};
use turnkit_engine::machine::Limits;
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{
    Agent, AgentSettings, Failpoints, Instructions, RandomIds, ServiceParts, SystemClock, TurnService,
};
use turnkit_server::{Server, ServerParts, Settings};
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::http::{HttpClient, HttpResponse};

/// The time within which turns may finish when the server stops.
const DRAIN: Duration = Duration::from_secs(5);

/// A running server and a client of it.
pub(crate) struct Installation {
    pub(crate) client: HttpClient,
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinSet<bool>,
}

impl Installation {
    /// Starts a server on a free port. Its tools run without approval and without a limit on calls.
    pub(crate) async fn start(data: &Path, provider: Arc<dyn LlmProvider>, tools: Vec<Arc<dyn Tool>>) -> Self {
        let store = Arc::new(SqliteStore::open(&SqliteOptions::at(data.join("turnkit.db"))).unwrap());
        let (clock, ids) = (Arc::new(SystemClock), Arc::new(RandomIds));
        let rules = vec![Rule::new("*", Decision::Allow)];
        let limits = Limits { max_rounds: u16::MAX, max_calls: u32::MAX, ..Limits::default() };
        let agent = Agent {
            name: "assistant".to_owned(),
            flow: Arc::new(Instructions::default()),
            tools,
            settings: AgentSettings { limits, rules, ..AgentSettings::default() },
        };
        let service = TurnService::new(ServiceParts {
            store: store.clone(),
            broker: Arc::new(InProcess::default()),
            provider,
            directory: None,
            agents: vec![agent],
            clock: clock.clone(),
            ids: ids.clone(),
            worker: WorkerId("trial".into()),
            slots: 1_000,
            first_suspension: TurnService::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        });
        service.resume_unfinished().await.unwrap();
        let settings = Settings { agents: vec!["assistant".to_owned()], ..Settings::default() };
        let parts =
            ServerParts { service, store, providers: None, mcp_servers: None, recordings: None, clock, ids, settings };
        let server = Server::new(parts).await.unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let mut serving = JoinSet::new();
        serving.spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            server.serve(listener, stopped, DRAIN).await.unwrap()
        });
        Self { client: HttpClient::new(address), address, stop, serving }
    }

    /// Stops the server. Its data can be opened again.
    pub(crate) async fn stop(mut self) {
        self.stop.send(()).unwrap();
        self.serving.join_next().await.unwrap().unwrap();
    }

    /// Posts a message, and returns the turn.
    pub(crate) async fn say(&self, session: &str, message: &str) -> String {
        let accepted = self.post(session, message, &[]).await;
        assert_eq!(accepted.status, 202, "{:?}", accepted.json());
        accepted.json()["turn_id"].as_str().unwrap().to_owned()
    }

    /// Posts a message with these headers.
    pub(crate) async fn post(&self, session: &str, message: &str, headers: &[(&str, &str)]) -> HttpResponse {
        let body = json!({ "session_id": session, "message": message });
        self.client.post("/api/v1/turns", headers, &body).await.unwrap()
    }

    /// Returns the JSON at `path`.
    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.client.get(path).await.unwrap();
        assert_eq!(answer.status, 200, "{path}: {:?}", answer.json());
        answer.json()
    }

    /// Returns the metrics of the server.
    pub(crate) async fn metrics(&self) -> String {
        String::from_utf8(self.client.get("/metrics").await.unwrap().body).unwrap()
    }

    /// Creates a session, and returns its id.
    pub(crate) async fn session(&self) -> String {
        let made = self.client.post("/api/v1/sessions", &[], &json!({})).await.unwrap();
        assert_eq!(made.status, 201, "{:?}", made.json());
        made.json()["id"].as_str().unwrap().to_owned()
    }

    /// Polls a turn until it has ended, without following it, and returns its state.
    pub(crate) async fn ended(&self, turn: &str) -> String {
        for _ in 0..1_000 {
            let state = self.get(&format!("/api/v1/turns/{turn}")).await["state"].as_str().unwrap().to_owned();
            if !matches!(state.as_str(), "queued" | "running" | "cancelling") {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("turn {turn} does not come to its end");
    }
}
