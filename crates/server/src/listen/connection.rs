//! One connection.

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
use crate::patience::PatientTimer;
use crate::peer::Peer;

/// The largest head of a request. A larger one is answered with 431.
const HEAD_BYTES: usize = 16 * 1024;
/// What a connection reads ahead, and what it keeps of an answer that its client does not read.
const READ_BYTES: usize = HEAD_BYTES;
/// How long a client may go on sending after its answer.
const LINGER: Duration = Duration::from_secs(5);
/// A client that is silent for so long has sent all it will.
const SILENCE: Duration = Duration::from_millis(500);

/// Speaks HTTP/1.1 with one client.
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

    /// Answers until the client leaves. Once the server stops, the request that is being answered is the last.
    pub(super) async fn serve(self, stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) {
        let _open = self.app.metrics.connection();
        let (router, peer) = (TowerToHyperService::new(self.router.clone()), self.peer);
        // Boxed because taking the stream back asks for a future that can be moved.
        let service = service_fn(move |mut request| {
            request.extensions_mut().insert(peer);
            Box::pin(router.call(request))
        });
        let mut connection = self.protocol().serve_connection(TokioIo::new(stream), service);
        // Nobody is cut before the server stops. To wait for both from the start would cost each token of a stream.
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
            // On the heap, as what it needs is needed at the end only.
            () = Box::pin(linger(connection.into_parts().io.into_inner())) => {}
            () = self.cut.cancelled() => {}
        }
    }

    fn protocol(&self) -> http1::Builder {
        let mut protocol = http1::Builder::new();
        protocol
            .timer(PatientTimer)
            .header_read_timeout(self.app.settings.head_time)
            .max_header_size(HEAD_BYTES)
            .max_buf_size(READ_BYTES);
        protocol
    }
}

/// Takes in what the client still sends. A socket that is closed with input unread is reset, and the client may lose the
/// answer that tells it why.
async fn linger(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    if stream.shutdown().await.is_err() {
        return;
    }
    // Not in the future itself, which is as large as its largest moment for as long as the connection is open.
    let mut ignored = vec![0; 4096];
    let rest = async {
        while let Ok(Ok(read)) = timeout(SILENCE, stream.read(&mut ignored)).await
            && read > 0
        {}
    };
    // A client that sends for longer than this does not wait for an answer.
    let _ = timeout(LINGER, rest).await;
}
