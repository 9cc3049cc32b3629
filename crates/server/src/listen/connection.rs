//! Serves HTTP/1.1 on one connection.

use std::future::poll_fn;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::grace::GraceTimer;
use crate::peer::Peer;

/// The largest head of a request. A larger one is rejected with 431.
const HEAD_BYTES: usize = 16 * 1024;
/// The size of a connection's read buffer, and of the buffered part of a response that its client does not read.
const READ_BYTES: usize = HEAD_BYTES;
/// How long a client may continue to send after its response.
const LINGER: Duration = Duration::from_secs(5);
/// The silence after which a client is assumed to have sent all its data.
const SILENCE: Duration = Duration::from_millis(500);

/// One HTTP/1.1 connection of a client.
pub(super) struct Connection {
    router: Router,
    app: App,
    peer: Peer,
    cut: CancellationToken,
}

impl Connection {
    pub(super) fn new(router: Router, app: &App, peer: Peer, cut: CancellationToken) -> Self {
        Self { router, app: App::clone(app), peer, cut }
    }

    /// Serves requests until the client leaves. Once the server stops, the request in progress is the last one.
    pub(super) async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let _open = self.app.metrics.connection();
        let (router, peer) = (TowerToHyperService::new(self.router.clone()), self.peer);
        // Boxed, because taking the stream back requires an `Unpin` future.
        let service = service_fn(move |mut request| {
            request.extensions_mut().insert(peer);
            Box::pin(router.call(request))
        });
        let mut connection = self.protocol().serve_connection(TokioIo::new(stream), service);
        // No connection is cut before the server stops. Waiting for both from the start would add a cost to each token
        // of a stream.
        let outcome = tokio::select! {
            biased;
            outcome = poll_fn(|cx| connection.poll_without_shutdown(cx)) => outcome,
            () = self.app.stopping.cancelled() => {
                Pin::new(&mut connection).graceful_shutdown();
                tokio::select! {
                    outcome = poll_fn(|cx| connection.poll_without_shutdown(cx)) => outcome,
                    () = self.cut.cancelled() => return,
                }
            }
        };
        if let Err(error) = outcome {
            tracing::debug!(?error, "a connection broke off");
        }
        tokio::select! {
            // Boxed, because its state is needed only at the end.
            () = Box::pin(linger(connection.into_parts().io.into_inner())) => {}
            () = self.cut.cancelled() => {}
        }
    }

    fn protocol(&self) -> http1::Builder {
        let mut protocol = http1::Builder::new();
        protocol
            .timer(GraceTimer)
            .header_read_timeout(self.app.settings.head_time)
            .max_header_size(HEAD_BYTES)
            .max_buf_size(READ_BYTES);
        protocol
    }
}

/// Reads and discards the data that the client still sends. Closing a socket with unread input resets the connection,
/// and the client may lose the response that explains the error.
async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    if stream.shutdown().await.is_err() {
        return;
    }
    // The buffer is on the heap: a future keeps the size of its largest state for as long as the connection is open.
    let mut ignored = vec![0; 4096];
    let rest = async {
        while let Ok(Ok(read)) = timeout(SILENCE, stream.read(&mut ignored)).await
            && read > 0
        {}
    };
    // A client that sends for longer than this does not wait for a response.
    let _ = timeout(LINGER, rest).await;
}
