//! The principal of a request.

use std::borrow::Cow;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio_util::sync::CancellationToken;
use turnkit_core::{Scope, UserId};

use crate::error::{ApiError, ErrorCode};

/// The authenticated sender of a request. A handler that extracts one is reached only by authenticated requests.
#[derive(Debug, Clone)]
pub(crate) struct Principal {
    /// The scope of the data that the principal may access.
    pub(crate) scope: Scope,
    /// Whether the principal may also see information about other users. True for the operator, and for the local user
    /// if `auth.mode` is `none`.
    pub(crate) oversees: bool,
    /// Whether the principal may also administer the server.
    pub(crate) operator: bool,
    /// Cancelled when the principal's key is revoked, and when the server stops: its open streams end then.
    pub(crate) access_ended: CancellationToken,
}

impl Principal {
    /// Returns the scope of a list: the caller's, or `user`'s if the caller may see the data of other users.
    pub(crate) fn scope_of(&self, user: Option<&str>) -> Result<Cow<'_, Scope>, ApiError> {
        let Some(user) = user else { return Ok(Cow::Borrowed(&self.scope)) };
        if !self.oversees {
            return Err(ApiError::new(
                ErrorCode::Forbidden,
                "only the operator of the server may read another user's data",
            ));
        }
        Ok(Cow::Owned(Scope { tenant: self.scope.tenant.clone(), user: UserId(user.into()) }))
    }
}

impl<S: Sync> FromRequestParts<S> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(|| ApiError::new(ErrorCode::Unauthenticated, "send an API key"))
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
            false => Err(ApiError::new(ErrorCode::Forbidden, "only the operator of the server may do this")),
        }
    }
}

/// A principal that may see information about other users: the operator, and every caller if `auth.mode` is `none`.
#[derive(Debug, Clone)]
pub(crate) struct Overseer;

impl<S: Sync> FromRequestParts<S> for Overseer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Principal::from_request_parts(parts, state).await?.oversees {
            true => Ok(Self),
            false => Err(ApiError::new(ErrorCode::Forbidden, "only the operator of the server may read this")),
        }
    }
}
