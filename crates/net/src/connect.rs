//! How a connection comes about.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper::http::uri::Scheme;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::{GaiAddrs, GaiResolver, Name};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tower_service::Service;

use crate::{ClientOptions, NetError};

/// How often a silent connection is asked whether its other side is still there.
const PROBE: Duration = Duration::from_secs(15);
/// How many unanswered probes end a connection.
const PROBES: u32 = 3;
/// How long what was sent may stay unconfirmed.
const UNCONFIRMED: Duration = Duration::from_secs(30);

type Tcp = HttpConnector<Resolver>;
type TcpError = <Tcp as Service<Uri>>::Error;
type Connected = MaybeHttpsStream<TokioIo<TcpStream>>;
type Later<T> = Pin<Box<dyn Future<Output = Result<T, NetError>> + Send>>;

/// Opens connections, plain and secure, in limited time.
#[derive(Debug, Clone)]
pub(crate) struct Connector {
    tcp: Tcp,
    /// Made when first needed: reading the system's certificates takes longer than a program's start.
    secure: Arc<OnceLock<HttpsConnector<Tcp>>>,
    timeout: Duration,
}

impl Connector {
    pub(crate) fn new(options: &ClientOptions) -> Self {
        let mut tcp = HttpConnector::new_with_resolver(Resolver(GaiResolver::new()));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(PROBE));
        tcp.set_keepalive_interval(Some(PROBE));
        tcp.set_keepalive_retries(Some(PROBES));
        #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
        tcp.set_tcp_user_timeout(Some(UNCONFIRMED));
        Self { tcp, secure: Arc::default(), timeout: options.connect_timeout }
    }

    async fn connect(mut self, uri: Uri) -> Result<Connected, NetError> {
        if uri.scheme() == Some(&Scheme::HTTP) {
            let tcp = self.tcp.call(uri).await;
            return tcp.map(MaybeHttpsStream::Http).map_err(|error| NetError::of(&error));
        }
        let mut secure = self.secure()?.clone();
        secure.call(uri).await.map_err(|error| match NetError::of(&*error) {
            NetError::Failed(why) if !error.is::<TcpError>() => NetError::Tls(why),
            NetError::Incomplete => NetError::Tls("the other side closed the connection".to_owned()),
            other => other,
        })
    }

    fn secure(&self) -> Result<&HttpsConnector<Tcp>, NetError> {
        if let Some(known) = self.secure.get() {
            return Ok(known);
        }
        let builder = HttpsConnectorBuilder::new().try_with_platform_verifier();
        let builder = builder.map_err(|error| NetError::Tls(error.to_string()))?;
        let made = builder.https_only().enable_http1().enable_http2().wrap_connector(self.tcp.clone());
        Ok(self.secure.get_or_init(|| made))
    }
}

impl Service<Uri> for Connector {
    type Response = Connected;
    type Error = NetError;
    type Future = Later<Connected>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connected = tokio::time::timeout(self.timeout, self.clone().connect(uri));
        Box::pin(async { connected.await.unwrap_or(Err(NetError::ConnectTimeout)) })
    }
}

/// The system's name lookup, whose failures have a name.
#[derive(Debug, Clone)]
struct Resolver(GaiResolver);

impl Service<Name> for Resolver {
    type Response = GaiAddrs;
    type Error = NetError;
    type Future = Later<GaiAddrs>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let found = self.0.call(name);
        Box::pin(async { found.await.map_err(|_| NetError::Dns) })
    }
}
