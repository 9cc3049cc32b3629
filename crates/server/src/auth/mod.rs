//! Authentication. A request is authenticated once, before its body is read, whatever form its credentials have.

mod credential;
mod failures;
mod keyring;
mod principal;
mod rates;
mod route_scopes;
mod secret;

use std::time::Duration;

use axum::extract::Request;
use tokio::time::Instant;

pub(crate) use keyring::Keyring;
pub(crate) use principal::Principal;
pub(crate) use route_scopes::RouteScopes;
pub(crate) use secret::Secret;

use crate::error::{ApiError, ErrorCode};
use crate::peer::Peer;
use crate::settings::{AuthMode, Settings};
use failures::Failures;
use rates::Rates;

/// Authenticates requests and limits their rate.
pub(crate) struct Authentication {
    mode: AuthMode,
    keyring: Keyring,
    failures: Failures,
    rates: Rates,
}

impl Authentication {
    pub(crate) fn new(settings: &Settings, keyring: Keyring) -> Self {
        let (failures, rates) = (Failures::default(), Rates::new(settings.rate_limit));
        Self { mode: settings.auth, keyring, failures, rates }
    }

    /// Returns the keys that are valid.
    pub(crate) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Attaches the principal to the request for its handlers. Returns an error if the credential is unknown, the
    /// principal exceeds its rate limit, or it lacks the scope that `scopes` requires for the route.
    pub(crate) fn identify(&self, request: &mut Request, scopes: &RouteScopes) -> Result<(), ApiError> {
        let principal = self.principal(request, Instant::now())?;
        // Without a scope no handler of a route is reached, and a principal would not be checked.
        let Some(scope) = scopes.of(request) else { return Ok(()) };
        principal.check_access(scope)?;
        request.extensions_mut().insert(principal);
        Ok(())
    }

    fn principal(&self, request: &Request, now: Instant) -> Result<Principal, ApiError> {
        let credential = credential::of(request.headers());
        let known = credential.as_ref().ok().copied().flatten().and_then(|credential| self.keyring.find(credential));
        let principal = match self.mode {
            AuthMode::ApiKey => known,
            // Clients made for other servers always send a key. In this mode such a key does not identify the caller.
            AuthMode::None => known.filter(|principal| principal.operator).or_else(|| Some(self.keyring.local())),
        };
        let Some(principal) = principal else {
            let peer = request.extensions().get::<Peer>().filter(|_| credential != Ok(None));
            peer.map_or(Ok(()), |peer| self.failures.record_failure(peer.0, now)).map_err(too_many_failures)?;
            // The response is the same for every kind of invalid credential.
            let message = "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY";
            return Err(ApiError::new(ErrorCode::Unauthenticated, message));
        };
        if !principal.operator {
            self.rates.check(&principal.scope, now).map_err(rate_limited)?;
        }
        Ok(principal)
    }
}

fn too_many_failures(wait: Duration) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, "too many unknown keys came from this address").retry_after(wait)
}

fn rate_limited(wait: Duration) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, "this user sends more requests than limits.rate_limit allows")
        .retry_after(wait)
}
