//! Why a server did not do what it was asked to.

use serde::Deserialize;
use turnkit_net::{NetError, Response};

use crate::failure::Failure;

/// How much of a refusal is read, in bytes.
const MAX_REFUSAL: usize = 64 * 1024;

/// A request to a server that came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoteError {
    /// It could not be asked.
    #[error("the server at {} cannot be reached: {why}", without_user(url))]
    Unreachable { url: String, why: NetError },
    /// It was asked and does not answer.
    #[error("the server at {} does not answer", without_user(url))]
    Silent { url: String },
    /// It said no.
    #[error("{message}{}", hint(code))]
    Refused { status: u16, code: String, message: String },
    /// It is not one of ours, or of another version.
    #[error("what the server answers cannot be read: {0}; is it a turnkit of this version?")]
    Strange(String),
    /// HTTP cannot carry the key.
    #[error("TURNKIT_API_KEY holds characters HTTP cannot carry, such as a line end")]
    Key,
}

#[derive(Deserialize)]
struct Refusal {
    error: Said,
}

#[derive(Deserialize)]
struct Said {
    code: String,
    message: String,
}

impl RemoteError {
    /// What the server says about a request it refuses.
    pub(super) async fn of_refusal(url: &str, response: Response) -> Self {
        let status = response.status();
        let body = response.into_body().collect(MAX_REFUSAL).await.unwrap_or_default();
        match serde_json::from_slice::<Refusal>(&body) {
            Ok(Refusal { error: Said { code, message } }) => Self::Refused { status, code, message },
            Err(_) => Self::Strange(format!("{} answered with status {status}", without_user(url))),
        }
    }

    /// Whether there is no such thing.
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Whether something about the request was wrong.
    pub(super) fn is_invalid(&self) -> bool {
        matches!(self, Self::Refused { status: 422, .. })
    }

    /// Whether the key is not known.
    pub(super) fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Refused { status: 401, .. })
    }

    /// Whether asking again may help: the server is starting again, or has just done so.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable { why, .. } => {
                !matches!(why, NetError::Address(_) | NetError::Header(_) | NetError::Tls(_))
            }
            Self::Silent { .. } => true,
            Self::Refused { status, .. } => matches!(status, 429 | 500..),
            Self::Strange(_) | Self::Key => false,
        }
    }
}

impl From<RemoteError> for Failure {
    fn from(error: RemoteError) -> Self {
        match &error {
            RemoteError::Key | RemoteError::Unreachable { why: NetError::Address(_), .. } => {
                Self::Usage(error.to_string())
            }
            RemoteError::Refused { status: 422, .. } => Self::Usage(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

fn hint(code: &str) -> &'static str {
    match code {
        "unauthenticated" => "; put a key that `turnkit keys create` made into TURNKIT_API_KEY",
        "host_not_allowed" => "; the server answers to names in server.allowed_hosts and server.public_url only",
        _ => "",
    }
}

/// An address may hold a password.
fn without_user(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => format!("{scheme}://{}", rest.rsplit('@').next().unwrap_or(rest)),
        None => "that address".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_an_address_is_not_shown() {
        for (url, shown) in [
            ("http://me:hidden@host:1", "http://host:1"),
            ("http://me:hid@den@host:1", "http://host:1"),
            ("https://host", "https://host"),
            ("me:hidden@host", "that address"),
        ] {
            let said = RemoteError::Silent { url: url.to_owned() }.to_string();
            assert_eq!(said, format!("the server at {shown} does not answer"));
        }
    }
}
