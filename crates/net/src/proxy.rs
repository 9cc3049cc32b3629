//! The proxy of secure connections.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use hyper::Uri;
use hyper::http::uri::Authority;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use url::Url;

use crate::NetError;

/// An HTTP proxy that opens connections to `https:` addresses on `CONNECT`, and the hosts that are exempt from it.
/// Connections to loopback hosts, such as `localhost`, never use it.
///
/// The proxy resolves host names: this process only connects to the address of the proxy.
///
/// ```
/// use turnkit_net::Proxy;
///
/// let proxy = Proxy::new("http://user:password@proxy.example:3128", "internal.example, 10.0.0.0/8").unwrap();
/// assert_eq!(proxy.host(), "proxy.example:3128");
/// ```
#[derive(Clone)]
pub struct Proxy(Arc<Inner>);

struct Inner {
    url: Url,
    exceptions: String,
    /// The address and credentials of the proxy.
    hop: Intercept,
    /// Matches addresses that are not exempt.
    matcher: Matcher,
}

impl Proxy {
    /// Returns the proxy at `url`, such as `http://user:password@proxy.example:3128` or `proxy.example:3128`.
    /// `exceptions` lists the hosts to connect to directly, separated by commas: names, which include their subdomains,
    /// addresses, networks such as `10.0.0.0/8`, or `*` for all.
    ///
    /// # Errors
    /// [`NetError::Address`] if the address cannot be used; it does not repeat the address.
    pub fn new(url: &str, exceptions: &str) -> Result<Self, NetError> {
        let unusable = |why: &str| NetError::Address(why.to_owned());
        let with_scheme = if url.contains("://") { url.to_owned() } else { format!("http://{url}") };
        let url = Url::parse(&with_scheme).map_err(|error| NetError::Address(error.to_string()))?;
        if url.scheme() != "http" {
            return Err(unusable("only proxies whose address begins with http:// are supported"));
        }
        let matcher = |exceptions: &str| Matcher::builder().https(url.as_str()).no(exceptions).build();
        let hop = matcher("").intercept(&Uri::from_static("https://proxied.invalid/"));
        let hop = hop.ok_or_else(|| unusable("a proxy has an address such as http://proxy.example:3128"))?;
        let (matcher, exceptions) = (matcher(exceptions), exceptions.to_owned());
        Ok(Self(Arc::new(Inner { url, exceptions, hop, matcher })))
    }

    /// Returns the proxy configured by environment variables: `HTTPS_PROXY` or `https_proxy`, with the exceptions in
    /// `NO_PROXY` or `no_proxy`. Of each pair, the first variable that is set and not blank counts. `variable` reads
    /// one of them.
    ///
    /// # Errors
    /// The name of the variable with the invalid address, and why the address cannot be used.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, (&'static str, NetError)> {
        let first = |names: [&'static str; 2]| {
            let set = |name| Some((name, variable(name)?.trim().to_owned()));
            names.into_iter().filter_map(set).find(|(_, value)| !value.is_empty())
        };
        let Some((name, url)) = first(["HTTPS_PROXY", "https_proxy"]) else { return Ok(None) };
        let exceptions = first(["NO_PROXY", "no_proxy"]).map(|(_, hosts)| hosts).unwrap_or_default();
        Self::new(&url, &exceptions).map(Some).map_err(|error| (name, error))
    }

    /// Returns the host and port of the proxy, without its user.
    pub fn host(&self) -> &str {
        self.0.hop.uri().authority().map(Authority::as_str).unwrap_or_default()
    }

    /// Reports whether connections to an address go through the proxy.
    pub(crate) fn serves(&self, uri: &Uri) -> bool {
        !uri.host().is_some_and(is_loopback) && self.0.matcher.intercept(uri).is_some()
    }

    pub(crate) fn hop(&self) -> &Intercept {
        &self.0.hop
    }
}

/// Reports whether a host is this machine. A proxy could not reach its services.
pub(crate) fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    is_localhost(host) || address.is_ok_and(|address| address.is_loopback())
}

/// Reports whether a name is `localhost` or below it.
pub(crate) fn is_localhost(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    name == "localhost" || name.ends_with(".localhost")
}

impl Eq for Proxy {}

impl PartialEq for Proxy {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.url, &self.0.exceptions) == (&other.0.url, &other.0.exceptions)
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proxy").field("host", &self.host()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn https_addresses_go_through_the_proxy_unless_excepted() {
        for (exceptions, address, expected) in [
            ("", "https://llm.example/v1", true),
            ("", "http://llm.example/v1", false),
            ("", "https://localhost:1/v1", false),
            ("", "https://ollama.localhost/v1", false),
            ("", "https://127.0.0.1/v1", false),
            ("", "https://[::1]:8443/v1", false),
            ("", "https://10.1.2.3/v1", true),
            ("10.0.0.0/8", "https://10.1.2.3/v1", false),
            ("other.example, .llm.example", "https://llm.example/v1", false),
            ("example", "https://llm.example/v1", false),
            ("LLM.example", "https://eu.llm.example:8443/v1", false),
            ("m.example", "https://llm.example/v1", true),
            ("*", "https://llm.example/v1", false),
        ] {
            let proxy = Proxy::new("http://proxy.example:3128", exceptions).unwrap();
            assert_eq!(proxy.serves(&address.parse().unwrap()), expected, "{exceptions:?} {address}");
        }
    }

    #[test]
    fn an_address_yields_a_host_and_credentials_and_is_never_shown_completely() {
        for (url, host, auth) in [
            ("http://proxy.example:3128/", "proxy.example:3128", None),
            ("proxy.example:3128", "proxy.example:3128", None),
            ("http://me:p%40ss@proxy.example:3128", "proxy.example:3128", Some("Basic bWU6cEBzcw==")),
            ("me:p@ss@[::1]:3128", "[::1]:3128", Some("Basic bWU6cEBzcw==")),
        ] {
            let proxy = Proxy::new(url, "").unwrap();
            let found = proxy.hop().basic_auth().map(|value| value.to_str().unwrap());
            assert_eq!((proxy.host(), found), (host, auth), "{url}");
            assert!(!format!("{proxy:?}").contains("me"), "{proxy:?}");
        }
    }

    #[test]
    fn an_unusable_address_is_rejected_without_being_repeated() {
        for url in ["", "http://", "socks5://me:hidden@h:1", "https://me:hidden@h", "http://me:hidden@h:x", "a b"] {
            let refused = Proxy::new(url, "").unwrap_err();
            assert!(matches!(&refused, NetError::Address(why) if !why.contains("hidden")), "{url}: {refused}");
        }
    }
}
