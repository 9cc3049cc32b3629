//! Accepts connections, serves HTTP/1.1 on them, and closes them without losing a response.

mod accept;
mod connection;

use std::net::TcpListener;
use std::pin::pin;
use std::time::Duration;

use axum::Router;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::app::App;
use accept::Listener;
use connection::Connection;

/// The connections of a server, each with its own task.
pub(crate) struct Connections {
    app: App,
    router: Router,
    tasks: TaskTracker,
    /// Cancelled to close all open connections at once, whatever their state.
    cut: CancellationToken,
}

impl Connections {
    pub(crate) fn new(router: Router, app: App) -> Self {
        Self { app, router, tasks: TaskTracker::new(), cut: CancellationToken::new() }
    }

    /// Accepts connections until `end`.
    pub(crate) async fn accept_until(
        &self,
        listener: TcpListener,
        end: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let mut listener = Listener::open(listener)?;
        tracing::info!(address = %listener.address(), "listening");
        let mut end = pin!(end);
        loop {
            let (stream, peer) = tokio::select! {
                biased;
                () = &mut end => return Ok(()),
                accepted = listener.next() => accepted,
            };
            let connection = Connection::new(self.router.clone(), &self.app, peer, self.cut.clone());
            self.tasks.spawn(connection.serve(stream));
        }
    }

    /// Signals the connections that the server stops and waits for them to end. After `limit`, cuts those that are
    /// still open.
    pub(crate) async fn close(&self, limit: Duration) {
        self.app.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(limit, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "connections that did not end are cut");
            self.cut.cancel();
            self.tasks.wait().await;
        }
    }
}
