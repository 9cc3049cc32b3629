//! A server on a free port, with an in-memory store.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinSet;
use turnkit_broker::InProcess;
use turnkit_core::WorkerId;
use turnkit_engine::{
    Agent, AgentSettings, Failpoints, Instructions, RandomIds, ServiceParts, SystemClock, TurnService,
};
use turnkit_server::{AuthMode, CreatedKey, Server, ServerParts, Settings};
use turnkit_testkit::ScriptedProvider;
use turnkit_testkit::model_store::{Disk, ModelStore};

use crate::wire::{Reply, Wire};

/// A server that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    /// The operator's token.
    pub(crate) token: String,
    pub(crate) service: TurnService,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinSet<bool>,
}

impl Running {
    /// Starts a server without authentication.
    pub(crate) async fn open() -> Self {
        Self::with(Settings::default()).await
    }

    /// Starts a server that requires keys.
    pub(crate) async fn locked() -> Self {
        Self::with(Settings { auth: AuthMode::ApiKey, ..Settings::default() }).await
    }

    pub(crate) async fn with(settings: Settings) -> Self {
        let store = Arc::new(ModelStore::open(&Disk::default()));
        Self::on(store, settings).await
    }

    /// Starts a server on this store.
    pub(crate) async fn on(store: Arc<ModelStore>, settings: Settings) -> Self {
        let settings = Settings { agents: vec!["assistant".to_owned()], ..settings };
        let (clock, ids) = (Arc::new(SystemClock), Arc::new(RandomIds));
        let agent = Agent {
            name: "assistant".to_owned(),
            flow: Arc::new(Instructions::default()),
            tools: Vec::new(),
            settings: AgentSettings::default(),
        };
        let service = TurnService::new(ServiceParts {
            store: store.clone(),
            broker: Arc::new(InProcess::default()),
            provider: Arc::new(ScriptedProvider::new([])),
            directory: None,
            agents: vec![agent],
            clock: clock.clone(),
            ids: ids.clone(),
            worker: WorkerId("test".into()),
            slots: 16,
            first_suspension: TurnService::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        });
        let parts = ServerParts {
            service: service.clone(),
            store,
            providers: None,
            mcp_servers: None,
            recordings: None,
            clock,
            ids,
            settings,
        };
        let server = Server::new(parts).await.unwrap();
        let token = server.operator_token().to_owned();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let mut serving = JoinSet::new();
        let stopped = async {
            let _ = stopped.await;
        };
        serving.spawn(async move { server.serve(listener, stopped, Duration::from_secs(5)).await.unwrap() });
        Self { address, token, service, stop: Some(stop), serving }
    }

    /// Signals the server to stop.
    pub(crate) fn stop(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
    }

    /// Waits until the server has stopped. Returns `true` if all turns finished.
    pub(crate) async fn stopped(mut self) -> bool {
        self.serving.join_next().await.unwrap().unwrap()
    }

    pub(crate) async fn wire(&self) -> Wire {
        Wire::to(self.address).await
    }

    /// Sends bytes over a new connection.
    pub(crate) async fn send(&self, bytes: impl AsRef<[u8]>) -> Reply {
        let mut wire = self.wire().await;
        wire.send(bytes).await;
        wire.reply().await
    }

    /// Sends a request for `path` with these header lines, and a JSON body unless it is empty.
    pub(crate) async fn ask(&self, method: &str, path: &str, head: &[&str], body: &str) -> Reply {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.address);
        head.iter().for_each(|line| request.extend([line, "\r\n"]));
        if !body.is_empty() {
            request += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        }
        self.send(request + "\r\n" + body).await
    }

    /// Sends a request with this key.
    pub(crate) async fn ask_as(&self, key: &str, method: &str, path: &str, body: &str) -> Reply {
        self.ask(method, path, &[&format!("authorization: Bearer {key}")], body).await
    }

    /// Creates a key for a user.
    pub(crate) async fn key_for(&self, user: &str) -> CreatedKey {
        let body = format!(r#"{{"name":"a key","user":"{user}"}}"#);
        let reply = self.ask_as(&self.token, "POST", "/api/v1/keys", &body).await;
        assert_eq!(reply.status, 201, "{}", reply.body);
        serde_json::from_str(&reply.body).unwrap()
    }
}
