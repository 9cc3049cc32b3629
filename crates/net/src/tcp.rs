//! Sockets and name lookup.

use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::{GaiResolver, Name};
use tower_service::Service;

use crate::{NetError, Reach};

/// Interval between keepalive probes on a silent connection.
const PROBE: Duration = Duration::from_secs(15);
/// Number of unanswered probes after which a connection is closed.
const PROBES: u32 = 3;
/// How long sent data may stay unacknowledged.
const UNCONFIRMED: Duration = Duration::from_secs(30);

/// Opens sockets to hosts resolved by the system.
pub(crate) type Tcp = HttpConnector<Resolver<GaiResolver>>;

/// Returns a connector whose sockets send without delay and detect a dead peer.
pub(crate) fn tcp(reach: Reach) -> Tcp {
    with_lookup(GaiResolver::new(), reach)
}

fn with_lookup<L>(lookup: L, reach: Reach) -> HttpConnector<Resolver<L>> {
    let mut tcp = HttpConnector::new_with_resolver(Resolver { lookup, reach });
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_keepalive(Some(PROBE));
    tcp.set_keepalive_interval(Some(PROBE));
    tcp.set_keepalive_retries(Some(PROBES));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    tcp.set_tcp_user_timeout(Some(UNCONFIRMED));
    tcp
}

/// A name lookup with typed failures. The client connects only to the addresses it returns: a name is resolved once for
/// each connection.
#[derive(Debug, Clone)]
pub(crate) struct Resolver<L> {
    lookup: L,
    reach: Reach,
}

impl<L> Service<Name> for Resolver<L>
where
    L: Service<Name, Response: Iterator<Item = SocketAddr>, Future: Send + 'static>,
{
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = NetError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, NetError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let (found, reach) = (self.lookup.call(name), self.reach);
        Box::pin(async move { reachable(found.await.map_err(|_| NetError::Dns)?, reach) })
    }
}

/// Filters the addresses of a name. A name with any forbidden address is rejected as a whole, because the name server
/// determines which address is tried first.
fn reachable(
    addresses: impl Iterator<Item = SocketAddr>,
    reach: Reach,
) -> Result<std::vec::IntoIter<SocketAddr>, NetError> {
    let addresses: Vec<SocketAddr> = addresses.collect();
    addresses.iter().try_for_each(|address| reach.check(address.ip()))?;
    Ok(addresses.into_iter())
}

#[cfg(test)]
mod tests;
