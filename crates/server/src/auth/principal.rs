//! The principal of a request.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use turnkit_core::{AccessScope, AccessScopes, KeyId, Scope, UserId};

use crate::error::{ApiError, ErrorCode};

/// The authenticated sender of a request. A handler that extracts one is reached only by authenticated requests with
/// the scope that its route needs.
#[derive(Debug, Clone)]
pub(crate) struct Principal {
    /// The scope of the data that the principal may access.
    pub(crate) scope: Scope,
    /// The API key of the principal, if it has one.
    pub(crate) key: Option<HeldKey>,
    /// The requests that the principal may send, and the agents with which it may start turns.
    pub(crate) access: AccessScopes,
    /// Whether the principal may also see information about other users of its tenant. True with the scope `admin`, and
    /// for the local user if `auth.mode` is `none`.
    pub(crate) oversees: bool,
    /// Whether the principal is the operator: it administers all tenants, and its rate is not limited.
    pub(crate) operator: bool,
    /// Cancelled when the principal's key is revoked, and when the server stops: its open streams end then.
    pub(crate) access_ended: CancellationToken,
    /// When the principal's token stops being accepted: its open streams end then, too.
    pub(crate) expires_at: Option<Instant>,
}

/// The API key that a principal sent.
#[derive(Debug, Clone)]
pub(crate) struct HeldKey {
    pub(crate) id: KeyId,
    /// The name that its owner gave the key.
    pub(crate) name: Arc<str>,
}

impl Principal {
    /// Returns the scope of a list: the caller's, or `user`'s if the caller may see the data of other users. The log
    /// says whose data was read by whom.
    pub(crate) fn scope_of(&self, user: Option<&str>) -> Result<Cow<'_, Scope>, ApiError> {
        let Some(user) = user else { return Ok(Cow::Borrowed(&self.scope)) };
        if !self.oversees {
            return Err(ApiError::new(
                ErrorCode::Forbidden,
                "only the operator of the server, or a key with the scope `admin`, may read another user's data",
            ));
        }
        let scope = Scope { tenant: self.scope.tenant.clone(), user: UserId(user.into()) };
        if scope != self.scope {
            let reader = self.scope.user.0.escape_debug();
            tracing::info!(%reader, user = %user.escape_debug(), "data of another user is read");
        }
        Ok(Cow::Owned(scope))
    }

    /// Reports whether the principal may see and change the state of what all tenants share, such as providers. An
    /// administrator of a tenant other than `local` may not.
    pub(crate) fn administers_shared(&self) -> bool {
        self.operator || (self.oversees && self.scope.tenant == Scope::local().tenant)
    }

    /// Waits until the principal loses access, or the server stops.
    pub(crate) async fn access_end(&self) {
        match self.expires_at {
            None => self.access_ended.cancelled().await,
            Some(at) => tokio::select! {
                biased;
                () = self.access_ended.cancelled() => {}
                () = tokio::time::sleep_until(at) => {}
            },
        }
    }

    /// Waits until the principal's key is revoked or its token expires. Does not return when the server stops: uploads
    /// and downloads may end then.
    pub(crate) async fn access_loss(&self, stopping: &CancellationToken) {
        self.access_end().await;
        if stopping.is_cancelled() {
            std::future::pending::<()>().await;
        }
    }

    /// Returns an error that names the scope if the principal lacks it.
    pub(crate) fn check_access(&self, scope: AccessScope) -> Result<(), ApiError> {
        if self.access.permits(scope) {
            return Ok(());
        }
        let message =
            format!("only the operator of the server, or a key or token with the scope `{scope}`, may do this");
        Err(ApiError::new(ErrorCode::Forbidden, message))
    }
}

impl<S: Sync> FromRequestParts<S> for Principal {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(|| ApiError::new(ErrorCode::Unauthenticated, "send an API key"))
    }
}
