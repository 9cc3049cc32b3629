//! Tunnels: connections through a proxy.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::Uri;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use tower_service::Service;

use crate::tcp::Tcp;
use crate::{NetError, Proxy};

type TunnelError = <Tunnel<Tcp> as Service<Uri>>::Error;

/// Opens tunnels through a proxy. Every error names the proxy.
#[derive(Debug, Clone)]
pub(crate) struct Tunnels {
    tunnel: Tunnel<Tcp>,
    proxy: Proxy,
}

impl Tunnels {
    /// Returns a connector through `proxy`; `tcp` opens the connections to the proxy.
    pub(crate) fn new(proxy: Proxy, tcp: Tcp) -> Self {
        let tunnel = Tunnel::new(proxy.hop().uri().clone(), tcp);
        let tunnel = match proxy.hop().basic_auth() {
            Some(user) => tunnel.with_auth(user.clone()),
            None => tunnel,
        };
        Self { tunnel, proxy }
    }
}

impl Service<Uri> for Tunnels {
    type Response = <Tcp as Service<Uri>>::Response;
    type Error = NetError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, NetError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), NetError>> {
        let proxy = &self.proxy;
        self.tunnel.poll_ready(cx).map_err(|error| failed(proxy, &error))
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        let (opened, proxy) = (self.tunnel.call(address), self.proxy.clone());
        Box::pin(async move { opened.await.map_err(|error| failed(&proxy, &error)) })
    }
}

fn failed(proxy: &Proxy, error: &TunnelError) -> NetError {
    let reason = match error {
        TunnelError::ConnectFailed(error) => NetError::from_error(&**error).to_string(),
        TunnelError::Io(error) => NetError::from_error(error).to_string(),
        TunnelError::ProxyAuthRequired if proxy.hop().basic_auth().is_some() => {
            "does not accept the user and password of its address".to_owned()
        }
        TunnelError::ProxyAuthRequired => "requires a user and a password, as in http://user:password@host".to_owned(),
        TunnelError::TunnelUnsuccessful => "refuses to connect to the provider, or cannot".to_owned(),
        TunnelError::TunnelUnexpectedEof => "closed the connection".to_owned(),
        TunnelError::ProxyHeadersTooLong | TunnelError::MissingHost => error.to_string(),
    };
    NetError::Proxy { host: proxy.host().to_owned(), reason }
}
