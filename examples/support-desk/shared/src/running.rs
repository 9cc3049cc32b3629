//! A server that runs until it is stopped.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The time that open requests have when the server stops.
const GRACE: Duration = Duration::from_secs(2);

/// A server that runs in the background until it is stopped.
pub struct RunningServer {
    url: String,
    stopping: CancellationToken,
    tasks: TaskTracker,
}

/// Binds an address. Port 0 stands for any free port.
pub async fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

impl RunningServer {
    /// Serves `routes` until `stopping` is cancelled. Handlers may read the address of a client as `ConnectInfo`.
    pub fn start(listener: TcpListener, routes: Router, stopping: CancellationToken) -> io::Result<Self> {
        let url = format!("http://{}", listener.local_addr()?);
        let service = routes.into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, service).with_graceful_shutdown(stopping.clone().cancelled_owned());
        let tasks = TaskTracker::new();
        tasks.spawn(async move { serving.await });
        tasks.close();
        Ok(Self { url, stopping, tasks })
    }

    /// Returns the address of the server, without a slash at its end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Accepts no more requests, and waits at most two seconds for those that are open.
    pub async fn stop(self) {
        self.stopping.cancel();
        // Requests that take longer end with the process.
        let _ = tokio::time::timeout(GRACE, self.tasks.wait()).await;
    }
}
