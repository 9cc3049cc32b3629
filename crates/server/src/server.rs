//! Builds, runs and stops a server.

use std::future::pending;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use turnkit_core::StoreError;
use turnkit_core::ports::{Clock, IdSource, McpDirectory, ProviderDirectory, RecordingDirectory, Store};
use turnkit_engine::TurnService;

use crate::app::{App, Shared};
use crate::auth::{Authentication, Keyring, Secret};
use crate::guard::Guard;
use crate::listen::Connections;
use crate::mcp;
use crate::metrics::Metrics;
use crate::routes;
use crate::running_calls::RunningCalls;
use crate::settings::Settings;

/// The time for streams to end when the server stops.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the URL at which programs on this machine reach a server that listens on `address`.
///
/// ```
/// assert_eq!(turnkit_server::local_url(([0, 0, 0, 0], 8787).into()), "http://127.0.0.1:8787");
/// ```
pub fn local_url(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{address}")
}

/// The parts from which a [`Server`] is built.
pub struct ServerParts {
    /// The service that runs turns.
    pub service: TurnService,
    /// The store of sessions, turns and API keys. While the server runs, no other process may change the keys.
    pub store: Arc<dyn Store>,
    /// The directory of providers. If `None`, no providers are listed.
    pub providers: Option<Arc<dyn ProviderDirectory>>,
    /// The directory of MCP servers. If `None`, no MCP servers are listed.
    pub mcp_servers: Option<Arc<dyn McpDirectory>>,
    /// The recorded exchanges of turns. If `None`, nothing is recorded.
    pub recordings: Option<Arc<dyn RecordingDirectory>>,
    /// The source of the current time.
    pub clock: Arc<dyn Clock>,
    /// The source of new ids.
    pub ids: Arc<dyn IdSource>,
    /// The settings that the operator chose.
    pub settings: Settings,
}

/// An HTTP server.
///
/// ```
/// use std::net::TcpListener;
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use turnkit_broker::InProcess;
/// use turnkit_core::ports::{Clock, IdSource};
/// use turnkit_engine::{Agent, AgentSettings, Failpoints, Instructions, RandomIds, ServiceParts, SystemClock, TurnService};
/// use turnkit_llm::offline::OfflineResponder;
/// use turnkit_server::{Server, ServerParts, Settings};
/// use turnkit_store::{SqliteOptions, SqliteStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// let store = Arc::new(SqliteStore::open(&SqliteOptions::at(folder.path().join("turnkit.db")))?);
/// let (clock, ids) = (Arc::new(SystemClock), Arc::new(RandomIds));
/// let service = TurnService::new(ServiceParts {
///     store: store.clone(),
///     broker: Arc::new(InProcess::default()),
///     provider: Arc::new(OfflineResponder),
///     directory: None,
///     agents: vec![Agent {
///         name: "assistant".to_owned(),
///         flow: Arc::new(Instructions::default()),
///         tools: Vec::new(),
///         settings: AgentSettings::default(),
///     }],
///     clock: clock.clone(),
///     ids: ids.clone(),
///     worker: ids.worker(clock.now()),
///     slots: 100,
///     first_suspension: TurnService::FIRST_SUSPENSION,
///     failpoints: Failpoints::default(),
/// });
/// service.resume_unfinished().await?;
///
/// let settings = Settings { agents: vec!["assistant".to_owned()], ..Settings::default() };
/// let parts =
///     ServerParts { service, store, providers: None, mcp_servers: None, recordings: None, clock, ids, settings };
/// let server = Server::new(parts).await?;
/// let stop = async { /* until a signal comes */ };
/// let all_finished = server.serve(TcpListener::bind("127.0.0.1:0")?, stop, Duration::from_secs(10)).await?;
/// assert!(all_finished);
/// # Ok(())
/// # }
/// ```
pub struct Server {
    app: App,
    operator: Secret,
    /// Routes of the host application.
    routes: Option<Router>,
    /// The listener for metrics, if they have one of their own.
    metrics: Option<TcpListener>,
}

impl Server {
    /// Creates a server, which does not accept requests yet.
    ///
    /// # Errors
    /// The API keys could not be read.
    pub async fn new(parts: ServerParts) -> Result<Self, StoreError> {
        let ServerParts { service, store, providers, mcp_servers, recordings, clock, ids, settings } = parts;
        let (draining, stopping) = (CancellationToken::new(), CancellationToken::new());
        let operator = Secret::random();
        let keyring = Keyring::new(store.keys().await?, &operator, stopping.clone());
        let authentication = Authentication::new(&settings, keyring, Arc::clone(&clock));
        let metrics = Metrics::new(settings.version, service.clone(), Arc::clone(&store), providers.clone());
        let app = Arc::new(Shared {
            service,
            store,
            providers,
            mcp_servers,
            recordings,
            clock,
            ids,
            settings,
            authentication,
            metrics,
            running_calls: RunningCalls::default(),
            draining,
            stopping,
        });
        Ok(Self { app, operator, routes: None, metrics: None })
    }

    /// Forwards requests that match no route of turnkit to a router of the host application. turnkit's authentication,
    /// limits and `Host` check do not apply to them.
    #[must_use]
    pub fn with_routes(self, routes: Router) -> Self {
        Self { routes: Some(routes), ..self }
    }

    /// Serves `/metrics` on a listener of its own, and no longer on that of [`serve`](Self::serve). The listener serves
    /// nothing else and needs no key, so every client that can connect to it reads the metrics.
    #[must_use]
    pub fn with_metrics_on(self, listener: TcpListener) -> Self {
        Self { metrics: Some(listener), ..self }
    }

    /// Returns the operator token. A request with this bearer token acts as the local user, and may administer the
    /// server. The token changes at every start.
    pub fn operator_token(&self) -> &str {
        self.operator.reveal()
    }

    /// Returns the state that handlers share.
    #[cfg(test)]
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Returns all routes, wrapped in their guards.
    fn router(&self) -> Router {
        let (open, _document) = routes::open().split_for_parts();
        let closed = match self.metrics {
            Some(_) => routes::router(),
            None => routes::router().merge(routes::metrics()),
        };
        let (closed, mut scopes) = closed.into_parts();
        let (uploads, scopes_of_uploads) = routes::uploads().into_parts();
        scopes.extend(scopes_of_uploads);
        let guard = Guard::new(Arc::clone(&self.app), scopes);
        let router = guard.closed(closed).merge(guard.uploads(uploads)).merge(guard.open(open));
        #[cfg(feature = "page")]
        let router = router.merge(guard.open(crate::page::router(&self.app.settings.page)));
        let router = match &self.routes {
            Some(routes) => router.fallback_service(routes.clone()),
            None => router,
        };
        router.with_state(Arc::clone(&self.app))
    }

    /// Returns the route of the listener for metrics, wrapped in its guards.
    fn metrics_router(&self) -> Router {
        let (metrics, _scopes) = routes::metrics().into_parts();
        let guard = Guard::of_metrics(Arc::clone(&self.app));
        guard.alone(metrics).with_state(Arc::clone(&self.app))
    }

    /// Serves requests on `listener` until `shutdown` completes, and metrics on theirs if they have one.
    ///
    /// Running turns may then finish within `drain`. During that time no turn is started, and all other requests are
    /// served as before. After that, the server signals open connections that it stops. Returns `true` if all turns
    /// finished; the others are resumed at the next start.
    ///
    /// # Errors
    /// A listener cannot be used.
    pub async fn serve(
        mut self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
        drain: Duration,
    ) -> std::io::Result<bool> {
        let connections = Connections::new(self.router(), Arc::clone(&self.app));
        let apart = self.metrics.take().map(|listener| (listener, self.metrics_router()));
        let (listener_of_metrics, metrics_router) = apart.unzip();
        let metrics = metrics_router.map(|router| Connections::new(router, Arc::clone(&self.app)));
        let served_metrics = async {
            match listener_of_metrics.zip(metrics.as_ref()) {
                Some((listener, metrics)) => metrics.accept_until(listener, pending()).await,
                None => pending().await,
            }
        };
        let drained = async {
            shutdown.await;
            tracing::info!(seconds = drain.as_secs(), "draining");
            self.app.draining.cancel();
            self.app.service.finish(drain).await;
        };
        // During the drain, clients that lost their stream can still reconnect, and others receive an error that the
        // server is stopping.
        tokio::select! {
            biased;
            served = connections.accept_until(listener, drained) => served?,
            served = served_metrics => served?,
        }
        // Streams are closed before the turns they follow, so that they do not search for a new owner of those turns.
        connections.close(CLOSE_TIMEOUT).await;
        if let Some(metrics) = metrics {
            metrics.close(CLOSE_TIMEOUT).await;
        }
        let finished = self.app.service.drain(Duration::ZERO).await;
        tracing::info!(finished, "stopped");
        Ok(finished)
    }

    /// Serves one client of the Model Context Protocol over two streams, such as standard input and output, instead of
    /// HTTP. The client acts as the local user.
    ///
    /// When the input has ended and all requests are answered, or when `shutdown` completes, running turns may finish
    /// within `drain`. Returns `true` if all turns finished; the others are resumed at the next start.
    ///
    /// # Errors
    /// The streams cannot be used.
    pub async fn serve_mcp(
        self,
        input: impl AsyncRead + Unpin,
        output: impl AsyncWrite + Unpin,
        shutdown: impl Future<Output = ()>,
        drain: Duration,
    ) -> std::io::Result<bool> {
        let principal = self.app.authentication.keyring().local();
        let served = tokio::select! {
            biased;
            () = shutdown => Ok(()),
            served = mcp::serve(&self.app, &principal, input, output) => served,
        };
        self.app.draining.cancel();
        let finished = self.app.service.drain(drain).await;
        tracing::info!(finished, "stopped");
        served.map(|()| finished)
    }
}
