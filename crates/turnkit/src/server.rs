//! The HTTP server in a host's process.

use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use turnkit_core::StoreError;
use turnkit_engine::{RandomIds, SystemClock, TurnService};
use turnkit_server::{AuthMode, ServerParts, Settings};
use turnkit_store::LocalServer;

use crate::Turnkit;

/// The interval at which the logs of old turns are deleted.
const TIDYING: Duration = Duration::from_secs(60 * 60);

/// Serves the agents of a [`Turnkit`] over HTTP, with the routes that `turnkit serve` has. Turns of HTTP clients are decided by
/// those clients, not by [`Agent::on_interaction`](crate::Agent::on_interaction).
///
/// ```no_run
/// use turnkit::axum::{Router, routing::get};
/// use turnkit::{Agent, Server, Turnkit};
///
/// # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
/// let turnkit = Turnkit::open("sqlite:app.db").agent("assistant", Agent::new("offline")).await?;
/// let routes = Router::new().route("/hello", get(|| async { "Hello from the host." }));
/// Server::new(turnkit).routes(routes).serve("127.0.0.1:8787").await?;
/// # Ok(()) }
/// ```
pub struct Server {
    turnkit: Turnkit,
    settings: Settings,
    routes: Option<Router>,
}

/// Why a server does not serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot serve on this address: {0}")]
    Listen(io::Error),
    /// Everyone who can reach the address could use the agents and read all sessions.
    #[error(
        "{0} can be reached from other machines, and the server asks for no key: set `auth` of the settings to \
         `AuthMode::ApiKey` and `allowed_hosts` to the names that clients use, or listen on 127.0.0.1"
    )]
    Open(SocketAddr),
    /// The address of the server cannot be written into the folder of the database, where commands look for it.
    #[error("cannot write the server's address beside its database: {0}")]
    Announce(io::Error),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Server {
    /// Creates a server of these agents, which listens nowhere yet. It asks for no key.
    pub fn new(turnkit: Turnkit) -> Self {
        Self { turnkit, settings: Settings::default(), routes: None }
    }

    /// Changes who may ask, how often, and how much.
    #[must_use]
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Adds the host's own routes. They answer requests that no route of turnkit matches. Keys, limits and the check of the `Host`
    /// header do not apply to them, and connections are not upgraded.
    #[must_use]
    pub fn routes(self, routes: Router) -> Self {
        Self { routes: Some(routes), ..self }
    }

    /// Serves on an address. Dropping the future stops accepting connections; use [`serve_until`](Self::serve_until) to close
    /// those that are open, too.
    ///
    /// # Errors
    /// As of [`serve_until`](Self::serve_until).
    pub async fn serve(self, address: impl ToSocketAddrs) -> Result<(), ServeError> {
        let listener = TcpListener::bind(address).map_err(ServeError::Listen)?;
        self.serve_until(listener, std::future::pending(), Duration::ZERO).await.map(drop)
    }

    /// Serves until `stop` is ready, and then lets turns finish for at most `patience`. The rest continue when the database
    /// is opened again. Returns whether all turns finished.
    ///
    /// # Errors
    /// The listener cannot be used, it is open to other machines without authentication, or storage fails.
    pub async fn serve_until(
        mut self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
        patience: Duration,
    ) -> Result<bool, ServeError> {
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        if !address.ip().is_loopback() && self.settings.auth == AuthMode::None {
            return Err(ServeError::Open(address));
        }
        let installation = Arc::clone(&self.turnkit.0);
        self.settings.agents.clone_from(&installation.agents);
        let server = turnkit_server::Server::new(ServerParts {
            service: installation.service.clone(),
            store: Arc::clone(&installation.store) as _,
            providers: None,
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            settings: self.settings,
        });
        let server = server.await?;
        let token = server.operator_token().to_owned();
        let announced =
            installation.directory.announce(&LocalServer { url: turnkit_server::local_url(address), token });
        announced.map_err(ServeError::Announce)?;
        let server = match self.routes {
            Some(routes) => server.with_routes(routes),
            None => server,
        };
        tokio::select! {
            served = server.serve(listener, stop, patience) => served.map_err(ServeError::Listen),
            never = tidy(&installation.service) => match never {},
        }
    }
}

/// Periodically deletes the logs of old turns. Logs failures, and retries.
async fn tidy(service: &TurnService) -> std::convert::Infallible {
    let mut times = tokio::time::interval(TIDYING);
    times.tick().await;
    loop {
        times.tick().await;
        if let Err(error) = service.forget_old().await {
            tracing::warn!(%error, "the logs of old turns could not be deleted");
        }
    }
}
