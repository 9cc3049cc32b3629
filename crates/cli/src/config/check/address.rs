//! Checks of addresses in a configuration.

use std::net::Ipv6Addr;

/// Reports whether the text begins like a URL. The HTTP client checks the rest when it connects.
pub(in crate::config) fn is_web_address(url: &str) -> bool {
    after_scheme(url).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', ':', '?', '#']))
}

/// Reports whether the URL has no path and no user, which browsers call an origin.
pub(super) fn is_origin(url: &str) -> bool {
    after_scheme(url).is_some_and(is_host)
}

/// Reports whether the text is a host, optionally with a port.
pub(super) fn is_host(text: &str) -> bool {
    let (is_named, port) = match text.strip_prefix('[').map(|numbers| numbers.split_once(']')) {
        Some(Some((numbers, port))) => (numbers.parse::<Ipv6Addr>().is_ok(), port),
        Some(None) => (false, ""),
        None => {
            let (name, port) = text.split_at(text.find(':').unwrap_or(text.len()));
            (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c)), port)
        }
    };
    is_named && (port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok()))
}

fn after_scheme(url: &str) -> Option<&str> {
    url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))
}

#[cfg(test)]
mod tests {
    use super::{is_host, is_origin};

    #[test]
    fn hosts_and_origins_are_distinguished_from_other_text() {
        for (text, host) in [
            ("chat.internal", true),
            ("chat.internal:8443", true),
            ("127.0.0.1:1", true),
            ("[::1]", true),
            ("[::1]:8787", true),
            ("", false),
            ("a b", false),
            ("https://chat.internal", false),
            ("chat.internal/", false),
            ("chat.internal:", false),
            ("chat.internal:99999", false),
            ("[::1", false),
            ("[chat]", false),
            ("[1:2]", false),
            ("*", false),
            ("me@host", false),
        ] {
            assert_eq!(is_host(text), host, "{text}");
            assert_eq!(is_origin(&format!("https://{text}")), host, "{text}");
        }
        assert!(!is_origin("chat.internal"));
    }
}
