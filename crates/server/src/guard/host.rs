//! The check of the `Host` header.
//!
//! A page of another site can make its own name resolve to this machine (DNS rebinding) and then send requests as if
//! this were its own server. It cannot change the `Host` that the browser sends, so the server responds only to known
//! hosts.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header};

use crate::error::{ApiError, ErrorCode};
use crate::settings::Settings;

/// A host in the form of the `Host` and `Origin` headers, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    name: String,
    port: Option<u16>,
}

impl Host {
    /// Reports whether both hosts are the same in a protocol with this default port.
    pub(super) fn is(&self, other: &Self, default_port: u16) -> bool {
        self.name == other.name && self.port.unwrap_or(default_port) == other.port.unwrap_or(default_port)
    }

    fn is_loopback(&self) -> bool {
        let named = self.name == "localhost" || self.name.ends_with(".localhost");
        let numbered = self.name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback());
        named || numbered || self.name == "[::1]"
    }

    /// Reports whether the host is an IP address, which no page of another site can make resolve to this machine.
    fn is_address(&self) -> bool {
        self.name.starts_with('[') || self.name.parse::<Ipv4Addr>().is_ok()
    }
}

/// The error for a text that is not a host.
#[derive(Debug)]
pub(super) struct NotAHost;

impl FromStr for Host {
    type Err = NotAHost;

    fn from_str(text: &str) -> Result<Self, NotAHost> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (text, None),
        };
        let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.map(|port| port.parse().ok().filter(|_| digits(port)).ok_or(NotAHost)).transpose()?;
        let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let name = match bracketed {
            Some(address) => format!("[{}]", address.parse::<Ipv6Addr>().map_err(|_| NotAHost)?),
            None => name.to_ascii_lowercase(),
        };
        let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        if name.is_empty() || (bracketed.is_none() && !name.bytes().all(is_name_byte)) {
            return Err(NotAHost);
        }
        Ok(Self { name, port })
    }
}

/// The hosts for which a server responds, besides loopback names.
pub(super) struct Hosts {
    listed: Vec<Host>,
    /// Whether it responds for every IP address.
    accepts_addresses: bool,
}

impl Hosts {
    pub(super) fn new(settings: &Settings) -> Self {
        let public = settings.public_url.as_deref().and_then(|url| url.parse::<Uri>().ok());
        let public = public.and_then(|url| url.host()?.parse().ok());
        let listed = settings.allowed_hosts.iter().filter_map(|host| {
            let parsed = host.parse().ok();
            if parsed.is_none() {
                tracing::warn!(
                    ?host,
                    "an entry of allowed_hosts is not a host name and is ignored: write `name` or `name:port`"
                );
            }
            parsed
        });
        Self { listed: listed.chain(public).collect(), accepts_addresses: false }
    }

    /// Returns the same hosts, and every IP address.
    pub(super) fn with_addresses(settings: &Settings) -> Self {
        Self { accepts_addresses: true, ..Self::new(settings) }
    }

    /// Returns the host that the request names, or an error if the host is not known.
    pub(super) fn check(&self, request: &Request) -> Result<Host, ApiError> {
        let named = named_by(request.headers(), request.uri()).filter(|host| self.allow(host));
        named.ok_or_else(|| {
            let message = "this server does not serve this host: list it in server.allowed_hosts";
            ApiError::new(ErrorCode::HostNotAllowed, message)
        })
    }

    fn allow(&self, host: &Host) -> bool {
        let listed = |listed: &Host| listed.name == host.name && (listed.port.is_none() || listed.port == host.port);
        let is_accepted_address = self.accepts_addresses && host.is_address();
        host.is_loopback() || is_accepted_address || self.listed.iter().any(listed)
    }
}

/// Returns the only host that a request names. If the request target also names a host, both must be the same.
fn named_by(headers: &HeaderMap, uri: &Uri) -> Option<Host> {
    let mut values = headers.get_all(header::HOST).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let host: Host = value.to_str().ok()?.parse().ok()?;
    let agrees = |authority: &str| authority.parse::<Host>().is_ok_and(|other| other.is(&host, 80));
    uri.authority().is_none_or(|authority| agrees(authority.as_str())).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_served_for_addresses_and_known_names_only() {
        let settings = Settings { allowed_hosts: vec!["turnkit.internal".to_owned()], ..Settings::default() };
        let (usual, of_metrics) = (Hosts::new(&settings), Hosts::with_addresses(&settings));
        for (host, of_usual, expected) in [
            ("127.0.0.1:9090", true, true),
            ("localhost:9090", true, true),
            ("turnkit.internal:9090", true, true),
            ("10.1.2.3:9090", false, true),
            ("[fd00::1]:9090", false, true),
            ("10.1.2.3.evil.example:9090", false, false),
            ("evil.example", false, false),
        ] {
            let host: Host = host.parse().unwrap();
            assert_eq!((usual.allow(&host), of_metrics.allow(&host)), (of_usual, expected), "{host:?}");
        }
    }
}
