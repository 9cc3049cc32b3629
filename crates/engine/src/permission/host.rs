//! Patterns of hosts.

use std::str::FromStr;

use url::{Host, Url};

use super::InvalidPattern;

/// The name or the address of a host. `*.` before a name matches all hosts below it.
///
/// ```
/// use turnkit_engine::permission::HostPattern;
///
/// let pattern: HostPattern = "*.example.com".parse().unwrap();
/// assert!(pattern.matches("https://docs.EXAMPLE.com./start"));
/// assert!(!pattern.matches("https://example.com.evil.org/"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostPattern {
    host: String,
    below: bool,
}

impl HostPattern {
    /// Reports whether the pattern matches the host of `url`, regardless of case or a trailing dot.
    pub fn matches(&self, url: &str) -> bool {
        let Ok(url) = Url::parse(url) else { return false };
        let Some(host) = url.host_str().map(str::to_lowercase) else { return false };
        let host = host.strip_suffix('.').unwrap_or(&host);
        match self.below {
            true => host.strip_suffix(&self.host).is_some_and(|rest| rest.ends_with('.')),
            false => host == self.host,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.host.len()
    }
}

impl FromStr for HostPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let (below, name) = text.strip_prefix("*.").map_or((false, text), |name| (true, name));
        let invalid =
            || InvalidPattern(format!("`{text}` is not a host; write a name such as example.com or *.example.com"));
        let name = name.strip_suffix('.').unwrap_or(name);
        match Host::parse(name).map_err(|_| invalid())? {
            Host::Domain(host) if host.contains('*') => Err(invalid()),
            Host::Domain(host) => Ok(Self { host, below }),
            address if !below => Ok(Self { host: address.to_string(), below }),
            _ => Err(invalid()),
        }
    }
}
