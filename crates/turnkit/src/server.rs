//! The HTTP server inside a host's process.

use std::fmt;
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
const LOG_CLEANUP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Serves the agents of a [`Turnkit`] over HTTP, with the routes of `turnkit serve`.
///
/// The interactions of turns that HTTP clients start are decided by those clients, not by
/// [`Agent::on_interaction`](crate::Agent::on_interaction).
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

/// The reason why a server cannot serve.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The server cannot listen on the address.
    #[error("cannot serve on this address: {0}")]
    Listen(io::Error),
    /// Without authentication, anyone who can reach the address could use the agents and read all sessions.
    #[error(
        "{0} can be reached from other machines, and the server asks for no key: set `auth` of the settings to \
         `AuthMode::ApiKey` and `allowed_hosts` to the names that clients use, or listen on 127.0.0.1"
    )]
    Open(SocketAddr),
    /// The server's address cannot be written to the folder of the database, where commands look it up.
    #[error("cannot write the server's address beside its database: {0}")]
    Announce(io::Error),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Prints the message, because an error that `main` returns is printed in this form.
impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Server {
    /// Creates a server for these agents. It does not listen yet, and requires no key.
    pub fn new(turnkit: Turnkit) -> Self {
        Self { turnkit, settings: Settings::default(), routes: None }
    }

    /// Changes settings such as authentication, allowed hosts, rate limits and size limits.
    #[must_use]
    pub fn settings(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    /// Adds the host's own routes, which handle requests that match no route of turnkit.
    ///
    /// Keys, limits and the check of the `Host` header do not apply to them, and their connections cannot be upgraded.
    #[must_use]
    pub fn routes(self, routes: Router) -> Self {
        Self { routes: Some(routes), ..self }
    }

    /// Serves on an address.
    ///
    /// Dropping the future stops accepting connections. To close open connections too, use
    /// [`serve_until`](Self::serve_until).
    ///
    /// # Errors
    /// Same as [`serve_until`](Self::serve_until).
    pub async fn serve(self, address: impl ToSocketAddrs) -> Result<(), ServeError> {
        let listener = TcpListener::bind(address).map_err(ServeError::Listen)?;
        self.serve_until(listener, std::future::pending(), Duration::ZERO).await.map(drop)
    }

    /// Serves until `stop` completes, then waits up to `patience` for turns to finish. Returns `true` if all turns
    /// finished.
    ///
    /// Unfinished turns continue when the database is opened again.
    ///
    /// # Errors
    /// The listener cannot be used, it is reachable from other machines without authentication, or storage fails.
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
            mcp_servers: None,
            recordings: None,
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
            never = delete_old_logs(&installation.service) => match never {},
        }
    }
}

/// Deletes the logs of old turns at regular intervals. Logs failures and retries at the next interval.
async fn delete_old_logs(service: &TurnService) -> std::convert::Infallible {
    let mut times = tokio::time::interval(LOG_CLEANUP_INTERVAL);
    times.tick().await;
    loop {
        times.tick().await;
        if let Err(error) = service.delete_expired().await {
            tracing::warn!(%error, "cannot delete the logs of old turns");
        }
    }
}
