//! The server: its parts put together, begun and ended.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio_util::sync::CancellationToken;
use turnkit_core::StoreError;
use turnkit_core::ports::{Clock, IdSource, ProviderDirectory, Store};
use turnkit_engine::TurnService;

use crate::app::{App, Shared};
use crate::auth::{Authentication, Keyring, Secret};
use crate::guard::Guard;
use crate::listen::Connections;
use crate::metrics::Metrics;
use crate::routes;
use crate::settings::Settings;

/// How long streams have to say goodbye when the server stops.
const FAREWELL: Duration = Duration::from_secs(5);

/// Returns the URL at which programs of this machine reach a server that listens on `address`.
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

/// What a [`Server`] is made of.
pub struct ServerParts {
    /// Runs turns.
    pub service: TurnService,
    /// The store of sessions, turns and API keys. While it serves, the server is the only one that changes the keys.
    pub store: Arc<dyn Store>,
    /// Who answers, where somebody knows; absent: nobody is listed.
    pub providers: Option<Arc<dyn ProviderDirectory>>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where ids come from.
    pub ids: Arc<dyn IdSource>,
    /// What the operator decided.
    pub settings: Settings,
}

/// Answers requests.
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
/// let parts = ServerParts { service, store, providers: None, clock, ids, settings };
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
    /// The host's own routes.
    routes: Option<Router>,
}

impl Server {
    /// A server that does not answer yet.
    ///
    /// # Errors
    /// The API keys could not be read.
    pub async fn new(parts: ServerParts) -> Result<Self, StoreError> {
        let ServerParts { service, store, providers, clock, ids, settings } = parts;
        let (draining, stopping) = (CancellationToken::new(), CancellationToken::new());
        let operator = Secret::random();
        let keyring = Keyring::new(store.keys().await?, &operator, stopping.clone());
        let authentication = Authentication::new(&settings, keyring);
        let metrics = Metrics::new(settings.version, service.clone(), Arc::clone(&store), providers.clone());
        let app = Arc::new(Shared {
            service,
            store,
            providers,
            clock,
            ids,
            settings,
            authentication,
            metrics,
            draining,
            stopping,
        });
        Ok(Self { app, operator, routes: None })
    }

    /// Passes requests that no route of turnkit matches to a router of the host. turnkit's authentication, limits and `Host` check
    /// do not apply to them.
    #[must_use]
    pub fn with_routes(self, routes: Router) -> Self {
        Self { routes: Some(routes), ..self }
    }

    /// Whoever sends this as a bearer token is the person at this machine, and may administer the server. It is another one
    /// at every start.
    pub fn operator_token(&self) -> &str {
        self.operator.reveal()
    }

    /// Returns the state that handlers share.
    #[cfg(test)]
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// All routes behind all guards.
    fn router(&self) -> Router {
        let (open, _document) = routes::open().split_for_parts();
        let (closed, _document) = routes::router().split_for_parts();
        let guard = Guard::new(Arc::clone(&self.app));
        let (uploads, _document) = routes::uploads().split_for_parts();
        let router = guard.closed(closed).merge(guard.uploads(uploads)).merge(guard.open(open));
        let router = match &self.routes {
            Some(routes) => router.fallback_service(routes.clone()),
            None => router,
        };
        router.with_state(Arc::clone(&self.app))
    }

    /// Answers on `listener` until `shutdown`. Then turns that run may finish for `drain`, in which none is started and
    /// everything else is answered as before; after that, what is still open is told that the server stops. Gives whether all turns finished; the others are resumed at the next start.
    ///
    /// # Errors
    /// The listener cannot be used.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
        drain: Duration,
    ) -> std::io::Result<bool> {
        let connections = Connections::new(self.router(), Arc::clone(&self.app));
        let drained = async {
            shutdown.await;
            tracing::info!(seconds = drain.as_secs(), "draining");
            self.app.draining.cancel();
            self.app.service.finish(drain).await;
        };
        // Whoever has lost its stream comes back meanwhile, and others see that they need not come.
        connections.accept_until(listener, drained).await?;
        // Streams go before the turns they follow: then they do not look for who goes on with them.
        connections.close(FAREWELL).await;
        let finished = self.app.service.drain(Duration::ZERO).await;
        tracing::info!(finished, "stopped");
        Ok(finished)
    }
}
