//! Opening of connections.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use hyper::Uri;
use hyper::http::uri::Scheme;
use hyper::rt::{Read, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use tower_service::Service;

use crate::tcp::{Tcp, tcp};
use crate::timeout::timeout;
use crate::tunnel::Tunnels;
use crate::{ClientOptions, NetError, Proxy, Reach};

/// The transport of a connection: a socket, or TLS over a socket. Boxed, since TLS needs a kilobyte that a socket does
/// not.
pub(crate) type Stream = Box<dyn Duplex>;

/// Combines reading and writing in one trait, because a trait object allows only one.
pub(crate) trait Duplex: Read + Write + fmt::Debug + Send + Sync + Unpin {}

impl<T: Read + Write + fmt::Debug + Send + Sync + Unpin> Duplex for T {}

type TcpError = <Tcp as Service<Uri>>::Error;
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Opens plain and secure connections within the connect timeout.
#[derive(Debug)]
pub(crate) struct Connector {
    tcp: Tcp,
    /// Connector for TLS. Created on first use: reading the system's certificates takes longer than the start of a
    /// program.
    secure: OnceLock<HttpsConnector<Tcp>>,
    /// Connector for TLS through the proxy.
    tunnelled: OnceLock<HttpsConnector<Tunnels>>,
    proxy: Option<Proxy>,
    timeout: Duration,
    reach: Reach,
}

impl Connector {
    pub(crate) fn new(options: &ClientOptions, proxy: Option<Proxy>) -> Self {
        let (secure, tunnelled) = (OnceLock::new(), OnceLock::new());
        let reach = options.reach;
        let proxy = proxy.filter(|_| reach == Reach::Any);
        Self { tcp: tcp(reach), secure, tunnelled, proxy, timeout: options.connect_timeout, reach }
    }

    /// Connects to the host of `uri`.
    pub(crate) async fn connect(&self, uri: Uri) -> Result<Stream, NetError> {
        let connected = timeout(self.timeout, self.connect_unbounded(uri)).await;
        connected.unwrap_or(Err(NetError::ConnectTimeout))
    }

    async fn connect_unbounded(&self, uri: Uri) -> Result<Stream, NetError> {
        self.reach.check_host(&uri)?;
        if uri.scheme() == Some(&Scheme::HTTP) {
            let plain = self.tcp.clone().call(uri).await.map_err(|error| NetError::from_error(&error))?;
            return Ok(Box::new(plain));
        }
        match self.proxy.as_ref().filter(|proxy| proxy.serves(&uri)) {
            None => connect_securely(connector_in(&self.secure, || self.tcp.clone())?, uri).await,
            Some(proxy) => {
                let tunnels = || Tunnels::new(proxy.clone(), self.tcp.clone());
                connect_securely(connector_in(&self.tunnelled, tunnels)?, uri).await
            }
        }
    }
}

async fn connect_securely<S>(mut secure: HttpsConnector<S>, uri: Uri) -> Result<Stream, NetError>
where
    HttpsConnector<S>: Service<Uri, Response: Duplex + 'static, Error = BoxError>,
{
    let stream = secure.call(uri).await.map_err(|error| match NetError::from_error(&*error) {
        NetError::Failed(why) if !error.is::<TcpError>() => NetError::Tls(why),
        NetError::Incomplete => NetError::Tls("the other side closed the connection".to_owned()),
        other => other,
    })?;
    Ok(Box::new(stream))
}

/// Returns the connector in `place`, creating it on first use.
fn connector_in<S: Clone>(
    place: &OnceLock<HttpsConnector<S>>,
    inner: impl FnOnce() -> S,
) -> Result<HttpsConnector<S>, NetError> {
    if let Some(known) = place.get() {
        return Ok(known.clone());
    }
    let builder = HttpsConnectorBuilder::new().try_with_platform_verifier();
    let builder = builder.map_err(|error| NetError::Tls(error.to_string()))?;
    let made = builder.https_only().enable_http1().wrap_connector(inner());
    Ok(place.get_or_init(|| made).clone())
}
