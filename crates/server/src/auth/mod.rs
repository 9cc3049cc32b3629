//! Who sends a request. It is settled once, before the body is read, whatever form the credentials have.

mod credential;
mod failures;
mod keyring;
mod principal;
mod rates;
mod secret;

use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

pub(crate) use failures::Failures;
pub(crate) use keyring::Keyring;
pub(crate) use principal::{Operator, Principal};
pub use rates::RateLimit;
pub(crate) use rates::Rates;
pub(crate) use secret::Secret;

use crate::app::{App, Shared};
use crate::error::{ApiError, Code};
use crate::listen::Peer;
use crate::settings::AuthMode;

/// Lets requests pass whose sender is known and does not ask too often, and tells their handlers who that is.
pub(crate) async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    match app.principal(&request, Instant::now()) {
        Ok(principal) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        Err(refused) => refused.into_response(),
    }
}

impl Shared {
    fn principal(&self, request: &Request, now: Instant) -> Result<Principal, Refused> {
        let credential = credential::of(request.headers());
        let known = credential.as_ref().ok().copied().flatten().and_then(|credential| self.keyring.find(credential));
        let principal = match self.settings.auth {
            AuthMode::ApiKey => known,
            // Clients of other servers cannot help sending a key: here it says nothing about who they are.
            AuthMode::None => known.filter(|principal| principal.operator).or_else(|| Some(self.keyring.local())),
        };
        let Some(principal) = principal else {
            let peer = request.extensions().get::<Peer>().filter(|_| credential != Ok(None));
            peer.map_or(Ok(()), |peer| self.failures.note(peer.0, now)).map_err(Refused::Mistaken)?;
            return Err(Refused::Unknown);
        };
        if !principal.operator {
            self.rates.note(&principal.scope, now).map_err(Refused::Hasty)?;
        }
        Ok(principal)
    }
}

/// Why a request does not pass.
enum Refused {
    /// Its sender is not known.
    Unknown,
    /// Its sender is not known, as often before.
    Mistaken(Duration),
    /// Its sender asks too often.
    Hasty(Duration),
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self {
            // One answer, whatever is wrong with the credentials.
            Self::Unknown => {
                let message = "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY";
                let mut response = ApiError::new(Code::Unauthenticated, message).into_response();
                let wanted = HeaderValue::from_static("Bearer realm=\"turnkit\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, wanted);
                response
            }
            Self::Mistaken(wait) => later("too many keys that are not known came from this address", wait),
            Self::Hasty(wait) => later("this user asks more often than limits.rate_limit allows", wait),
        }
    }
}

fn later(message: &str, wait: Duration) -> Response {
    ApiError::new(Code::RateLimited, message).after(wait).into_response()
}
