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

pub(crate) use keyring::Keyring;
pub(crate) use principal::{Operator, Overseer, Principal};
pub(crate) use secret::Secret;

use crate::error::{ApiError, Code};
use crate::peer::Peer;
use crate::settings::{AuthMode, Settings};
use failures::Failures;
use rates::Rates;

/// Tells who sends a request.
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

    /// The keys that are valid.
    pub(crate) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Lets requests pass whose sender is known and does not ask too often, and tells their handlers who that is.
    pub(crate) fn identify(&self, request: &mut Request) -> Result<(), ApiError> {
        let principal = self.principal(request, Instant::now())?;
        request.extensions_mut().insert(principal);
        Ok(())
    }

    fn principal(&self, request: &Request, now: Instant) -> Result<Principal, ApiError> {
        let credential = credential::of(request.headers());
        let known = credential.as_ref().ok().copied().flatten().and_then(|credential| self.keyring.find(credential));
        let principal = match self.mode {
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
