//! The layer that lets requests with a valid token pass.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::keys::KeyError;
use crate::verifier::{TokenError, TokenVerifier};

/// Adds the [`Caller`](crate::Caller) to a request with a valid token, and answers all others itself.
pub(crate) async fn guard(State(verifier): State<Arc<TokenVerifier>>, mut request: Request, next: Next) -> Response {
    let token = bearer(request.headers()).map(str::to_owned);
    let verified = match token {
        Some(token) => verifier.verify(&token).await,
        None => Err(TokenError::Missing),
    };
    match verified {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(error) => refusal(&error),
    }
}

/// Returns the token of a request. The name of the scheme is compared without case, as HTTP wants it.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn refusal(error: &TokenError) -> Response {
    let (status, code) = match error {
        TokenError::Key(KeyError::Unreachable { .. } | KeyError::OtherIssuer { .. }) => {
            (StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable")
        }
        _ => (StatusCode::UNAUTHORIZED, "invalid_token"),
    };
    let body = Json(json!({ "error": code, "error_description": error.to_string() }));
    let challenge = match error {
        // RFC 6750: a request without credentials learns the scheme only.
        TokenError::Missing => "Bearer",
        _ => "Bearer error=\"invalid_token\"",
    };
    if status == StatusCode::UNAUTHORIZED {
        (status, [(header::WWW_AUTHENTICATE, challenge)], body).into_response()
    } else {
        (status, body).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_from_a_header_with_the_scheme_bearer_only() {
        for (value, expected) in [
            ("Bearer abc", Some("abc")),
            ("bearer abc", Some("abc")),
            ("Bearer  abc ", Some("abc")),
            ("Basic abc", None),
            ("abc", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, value.parse().unwrap());
            assert_eq!(bearer(&headers), expected, "{value}");
        }
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
