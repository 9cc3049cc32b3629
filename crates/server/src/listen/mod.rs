//! Connections: accepted, spoken HTTP/1.1 with, and closed so that nobody loses an answer.

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

/// The connections of a server, one task each.
pub(crate) struct Connections {
    app: App,
    router: Router,
    tasks: TaskTracker,
    /// Closes what is still open, whatever it is doing.
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

    /// Tells the connections that the server stops, waits for them to end, and cuts those that have not after `patience`.
    pub(crate) async fn close(&self, patience: Duration) {
        self.app.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(patience, self.tasks.wait()).await.is_err() {
            tracing::warn!(connections = self.tasks.len(), "connections that did not end are cut");
            self.cut.cancel();
            self.tasks.wait().await;
        }
    }
}
