//! Errors of requests to a server.

use serde::Deserialize;
use turnkit_net::{NetError, Response};

use crate::failure::Failure;

/// The largest part of an error response that is read, in bytes.
const MAX_ERROR_BODY: usize = 64 * 1024;

/// The reason why a request to a server failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RemoteError {
    /// The address is not one of a server.
    #[error("not a usable address: {0}; write it like http://127.0.0.1:8787")]
    Address(String),
    /// The server could not be reached.
    #[error("the server at {} cannot be reached: {why}", without_user(url))]
    Unreachable { url: String, why: NetError },
    /// The server was reached but did not respond.
    #[error("the server at {} does not answer", without_user(url))]
    NoResponse { url: String },
    /// The server rejected the request. `field` is the invalid field of its body.
    #[error("{message}{}", hint(code))]
    Refused { status: u16, code: String, message: String, field: Option<String> },
    /// The server is not a turnkit server, or has another version.
    #[error("the server's response is invalid: {0}; does the server run the same version of turnkit?")]
    InvalidResponse(String),
    /// The key cannot be sent in an HTTP header.
    #[error("TURNKIT_API_KEY contains characters that are not allowed in an HTTP header, such as a line break")]
    Key,
}

#[derive(Deserialize)]
struct ErrorResponse {
    error: ErrorBody,
}

#[derive(Deserialize)]
struct ErrorBody {
    code: String,
    message: String,
    param: Option<String>,
}

impl RemoteError {
    /// Reads the error of a response that rejects a request.
    pub(super) async fn from_response(url: &str, response: Response) -> Self {
        let status = response.status();
        let body = response.into_body().collect(MAX_ERROR_BODY).await.unwrap_or_default();
        match serde_json::from_slice::<ErrorResponse>(&body) {
            Ok(ErrorResponse { error: ErrorBody { code, message, param } }) => {
                Self::Refused { status, code, message, field: param }
            }
            Err(_) => Self::InvalidResponse(format!("{} answered with status {status}", without_user(url))),
        }
    }

    /// Reports whether the requested object does not exist.
    pub(crate) fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: 404, .. })
    }

    /// Reports whether the request was invalid.
    pub(super) fn is_invalid(&self) -> bool {
        matches!(self, Self::Refused { status: 422, .. })
    }

    /// Reports whether the key is unknown.
    pub(super) fn is_unauthenticated(&self) -> bool {
        matches!(self, Self::Refused { status: 401, .. })
    }

    /// Reports whether a retry may succeed because the server is restarting, or has just restarted.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable { why, .. } => !matches!(why, NetError::Header(_) | NetError::Tls(_)),
            Self::NoResponse { .. } => true,
            Self::Refused { status, .. } => matches!(status, 429 | 500..),
            Self::Address(_) | Self::InvalidResponse(_) | Self::Key => false,
        }
    }
}

impl From<RemoteError> for Failure {
    fn from(error: RemoteError) -> Self {
        match &error {
            RemoteError::Key | RemoteError::Address(_) | RemoteError::Refused { status: 422, .. } => {
                Self::Usage(error.to_string())
            }
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

/// Removes the user part of a URL, which may contain a password.
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
            let message = RemoteError::NoResponse { url: url.to_owned() }.to_string();
            assert_eq!(message, format!("the server at {shown} does not answer"));
        }
    }
}
