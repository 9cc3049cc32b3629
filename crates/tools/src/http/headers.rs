//! Headers that the operator adds to a request.

use std::fmt;

use turnkit_net::{NetError, Target};

use crate::template::InvalidTemplate;

/// Headers that control the framing or the routing of a request, and are set by the client.
const FRAMING: &[&str] = &["connection", "content-length", "host", "transfer-encoding"];
/// Headers that contain no credentials.
const NO_SECRETS: &[&str] = &["accept", "accept-language", "content-type", "prefer", "user-agent"];
/// The shortest value that is treated as a secret, in bytes. A shorter value, such as a version, occurs in texts by
/// chance.
const MIN_SECRET_BYTES: usize = 8;

/// Headers that the operator adds to a request. Their values may be credentials, so they are never displayed.
#[derive(Clone, Default)]
pub(super) struct Headers(Vec<(String, String)>);

impl Headers {
    /// Adds a header.
    ///
    /// # Errors
    /// The header is not valid in HTTP, or it controls the framing of the request.
    pub(super) fn add(&mut self, name: &str, value: &str) -> Result<(), InvalidTemplate> {
        check(name, value).map_err(|why| InvalidTemplate::new(format!("headers.{name}"), why))?;
        self.0.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Adds the headers to a request.
    pub(super) fn sent_to(&self, target: Target) -> Result<Target, NetError> {
        self.0.iter().try_fold(target, |target, (name, value)| target.secret_header(name, value))
    }

    /// Returns values that may be credentials, and for each also the part after its scheme.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        let may_hold = |name: &str| !NO_SECRETS.iter().any(|harmless| name.eq_ignore_ascii_case(harmless));
        let values = self.0.iter().filter(move |(name, _)| may_hold(name)).map(|(_, value)| value.as_str());
        let parts = values.flat_map(|value| [Some(value), value.split_once(' ').map(|(_, part)| part)]);
        parts.flatten().filter(|part| part.len() >= MIN_SECRET_BYTES)
    }
}

/// Checks that a request may have this header.
///
/// # Errors
/// The header is not allowed. The error contains the reason.
pub(super) fn check(name: &str, value: &str) -> Result<(), String> {
    if FRAMING.iter().any(|framing| name.eq_ignore_ascii_case(framing)) {
        return Err(format!("the header `{name}` is set by the client itself"));
    }
    let example = Target::new("http://localhost/").and_then(|target| target.secret_header(name, value));
    example.map(drop).map_err(|error| error.to_string())
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
