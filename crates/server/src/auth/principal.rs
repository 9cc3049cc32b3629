//! Whose request it is.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio_util::sync::CancellationToken;
use turnkit_core::Scope;

use crate::error::{ApiError, Code};

/// Who sent a request. A handler that takes one is only reached by those who may ask.
#[derive(Debug, Clone)]
pub(crate) struct Principal {
    /// Whose data it may touch.
    pub(crate) scope: Scope,
    /// Whether it is told what is about other users too: the operator, and the person at this machine where nobody needs a
    /// key.
    pub(crate) oversees: bool,
    /// Whether it may also administer the server.
    pub(crate) operator: bool,
    /// Cancelled when the principal's key is revoked, and when the server stops: its open streams end then.
    pub(crate) gone: CancellationToken,
}

impl<S: Sync> FromRequestParts<S> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(|| ApiError::new(Code::Unauthenticated, "send an API key"))
    }
}

/// A principal that may administer the server.
#[derive(Debug, Clone)]
pub(crate) struct Operator;

impl<S: Sync> FromRequestParts<S> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Principal::from_request_parts(parts, state).await?.operator {
            true => Ok(Self),
            false => Err(ApiError::new(Code::Forbidden, "only the operator of the server may do this")),
        }
    }
}
