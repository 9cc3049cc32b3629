//! Bodies of an identity provider's responses, and failures without one.

use super::error::TokenError;
use crate::{NetError, Response};

/// The largest response that is read, in bytes.
const MAX_BODY: usize = 64 * 1024;

/// Reads the body of a response that is worth reading, whatever its kind.
pub(super) async fn read(host: &str, response: Response) -> Result<Vec<u8>, TokenError> {
    match response.status() {
        // The address in its header may hold anything, and secrets must not go there.
        status @ 300..=399 => {
            let reason = format!("status {status} leads to another address, which is not followed; configure that one");
            Err(TokenError::Malformed { host: host.to_owned(), reason })
        }
        status @ (408 | 429 | 500..=599) => Err(TokenError::Unavailable { host: host.to_owned(), status }),
        _ => response.into_body().collect(MAX_BODY).await.map_err(|error| unanswered(host, error)),
    }
}

/// Returns the error of a request without a complete response.
pub(super) fn unanswered(host: &str, error: NetError) -> TokenError {
    let host = host.to_owned();
    let reason = match error {
        NetError::TooLarge => format!("it is larger than {MAX_BODY} bytes"),
        // The name of the encoding could contain anything.
        NetError::Encoding(_) => "its content-encoding is not supported".to_owned(),
        NetError::Damaged(_) => error.to_string(),
        error => return TokenError::Unreachable { host, error },
    };
    TokenError::Malformed { host, reason }
}
