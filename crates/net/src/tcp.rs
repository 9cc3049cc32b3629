//! Sockets, and the lookup of their hosts.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::{GaiAddrs, GaiResolver, Name};
use tower_service::Service;

use crate::NetError;

/// How often a silent connection is asked whether its other side is still there.
const PROBE: Duration = Duration::from_secs(15);
/// How many unanswered probes end a connection.
const PROBES: u32 = 3;
/// How long what was sent may stay unconfirmed.
const UNCONFIRMED: Duration = Duration::from_secs(30);

/// Opens sockets.
pub(crate) type Tcp = HttpConnector<Resolver>;

/// Returns a connector whose sockets send at once and notice a peer that is gone.
pub(crate) fn tcp() -> Tcp {
    let mut tcp = HttpConnector::new_with_resolver(Resolver(GaiResolver::new()));
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_keepalive(Some(PROBE));
    tcp.set_keepalive_interval(Some(PROBE));
    tcp.set_keepalive_retries(Some(PROBES));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    tcp.set_tcp_user_timeout(Some(UNCONFIRMED));
    tcp
}

/// The system's name lookup, whose failures have a name.
#[derive(Debug, Clone)]
pub(crate) struct Resolver(GaiResolver);

impl Service<Name> for Resolver {
    type Response = GaiAddrs;
    type Error = NetError;
    type Future = Pin<Box<dyn Future<Output = Result<GaiAddrs, NetError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let found = self.0.call(name);
        Box::pin(async { found.await.map_err(|_| NetError::Dns) })
    }
}
