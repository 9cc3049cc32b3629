//! Errors of the token endpoint.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::key_failure::KeyFailure;

/// An error of the token endpoint, as in RFC 6749, section 5.2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OAuthError {
    /// A field is missing, repeated or wrong.
    #[error("{0}")]
    InvalidRequest(String),
    /// The client is unknown, or its secret is wrong.
    #[error("the client is unknown, or its secret is wrong")]
    InvalidClient,
    /// The token to exchange is not valid.
    #[error("{0}")]
    InvalidGrant(String),
    /// The audience or the resource is wrong.
    #[error("{0}")]
    InvalidTarget(String),
    /// There is no such grant.
    #[error("the grant type {0} is not supported: use client_credentials or token exchange")]
    UnsupportedGrantType(String),
    /// The request comes from another machine.
    #[error("this request is accepted from this machine only")]
    Remote,
    /// No token could be signed.
    #[error(transparent)]
    Key(#[from] KeyFailure),
}

impl OAuthError {
    fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::InvalidRequest(_) => (StatusCode::BAD_REQUEST, "invalid_request"),
            Self::InvalidClient => (StatusCode::UNAUTHORIZED, "invalid_client"),
            Self::InvalidGrant(_) => (StatusCode::BAD_REQUEST, "invalid_grant"),
            Self::InvalidTarget(_) => (StatusCode::BAD_REQUEST, "invalid_target"),
            Self::UnsupportedGrantType(_) => (StatusCode::BAD_REQUEST, "unsupported_grant_type"),
            Self::Remote => (StatusCode::FORBIDDEN, "access_denied"),
            Self::Key(_) => (StatusCode::INTERNAL_SERVER_ERROR, "server_error"),
        }
    }
}

impl IntoResponse for OAuthError {
    fn into_response(self) -> Response {
        let (status, code) = self.status();
        let body = Json(json!({ "error": code, "error_description": self.to_string() }));
        let no_store = [(header::CACHE_CONTROL, "no-store")];
        if status == StatusCode::UNAUTHORIZED {
            return (status, no_store, [(header::WWW_AUTHENTICATE, "Basic")], body).into_response();
        }
        (status, no_store, body).into_response()
    }
}
