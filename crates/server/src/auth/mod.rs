//! Who sends a request. It is settled once, before the body is read, whatever form the credentials have.

mod credential;
mod failures;
mod keyring;
mod principal;
mod rates;
mod secret;

use std::time::Duration;

use axum::extract::Request;
use tokio::time::Instant;

pub(crate) use failures::Failures;
pub(crate) use keyring::Keyring;
pub(crate) use principal::{Operator, Overseer, Principal};
pub use rates::RateLimit;
pub(crate) use rates::Rates;
pub(crate) use secret::Secret;

use crate::app::Shared;
use crate::error::{ApiError, Code};
use crate::listen::Peer;
use crate::settings::AuthMode;

/// Lets requests pass whose sender is known and does not ask too often, and tells their handlers who that is.
pub(crate) fn identify(app: &Shared, request: &mut Request) -> Result<(), ApiError> {
    let principal = app.principal(request, Instant::now())?;
    request.extensions_mut().insert(principal);
    Ok(())
}

impl Shared {
    fn principal(&self, request: &Request, now: Instant) -> Result<Principal, ApiError> {
        let credential = credential::of(request.headers());
        let known = credential.as_ref().ok().copied().flatten().and_then(|credential| self.keyring.find(credential));
        let principal = match self.settings.auth {
            AuthMode::ApiKey => known,
            // Clients of other servers cannot help sending a key: here it says nothing about who they are.
            AuthMode::None => known.filter(|principal| principal.operator).or_else(|| Some(self.keyring.local())),
        };
        let Some(principal) = principal else {
            let peer = request.extensions().get::<Peer>().filter(|_| credential != Ok(None));
            peer.map_or(Ok(()), |peer| self.failures.note(peer.0, now)).map_err(mistaken)?;
            // One answer, whatever is wrong with the credentials.
            let message = "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY";
            return Err(ApiError::new(Code::Unauthenticated, message));
        };
        if !principal.operator {
            self.rates.note(&principal.scope, now).map_err(hasty)?;
        }
        Ok(principal)
    }
}

fn mistaken(wait: Duration) -> ApiError {
    ApiError::new(Code::RateLimited, "too many keys that are not known came from this address").after(wait)
}

fn hasty(wait: Duration) -> ApiError {
    ApiError::new(Code::RateLimited, "this user asks more often than limits.rate_limit allows").after(wait)
}
