//! Who sends a request. It is settled once, before the body is read, whatever form the credentials have.

mod credential;
mod keyring;
mod principal;
mod secret;

use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub(crate) use keyring::Keyring;
pub(crate) use principal::{Operator, Principal};
pub(crate) use secret::Secret;

use crate::app::{App, Shared};
use crate::error::{ApiError, Code};
use crate::settings::AuthMode;

/// Lets requests pass whose sender is known, and tells their handlers who that is.
pub(crate) async fn identify(State(app): State<App>, mut request: Request, next: Next) -> Response {
    match app.principal(&request) {
        Some(principal) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        None => unauthenticated(),
    }
}

impl Shared {
    fn principal(&self, request: &Request) -> Option<Principal> {
        let credential = credential::of(request.headers());
        let known = credential.ok().flatten().and_then(|credential| self.keyring.find(credential));
        match self.settings.auth {
            AuthMode::ApiKey => known,
            // Clients of other servers cannot help sending a key: here it says nothing about who they are.
            AuthMode::None => known.filter(|principal| principal.operator).or_else(|| Some(self.keyring.local())),
        }
    }
}

/// One answer, whatever is wrong with the credentials.
fn unauthenticated() -> Response {
    let message = "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY";
    let mut response = ApiError::new(Code::Unauthenticated, message).into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"turnkit\""));
    response
}
