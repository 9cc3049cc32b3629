//! Authentication. A request is authenticated once, before its body is read, whatever form its credentials have.

mod credential;
mod failures;
mod jwt;
mod keyring;
mod principal;
mod rates;
mod route_scopes;
mod secret;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::HeaderMap;
use tokio::time::Instant;
use turnkit_core::ports::Clock;

pub use jwt::KeySetError;
pub(crate) use keyring::Keyring;
pub(crate) use principal::Principal;
pub(crate) use route_scopes::RouteScopes;
pub(crate) use secret::Secret;

use crate::caller_token_cache::{CallerTokenCache, SentToken};
use crate::error::{ApiError, ErrorCode};
use crate::peer::Peer;
use crate::settings::{AuthMode, Settings};
use failures::Failures;
use jwt::{Holder, TokenError, TokenVerifier};
use rates::Rates;

/// Authenticates requests and limits their rate.
pub(crate) struct Authentication {
    /// Whether a caller without a valid credential is the local user.
    is_open: bool,
    /// Whether API keys are valid. The operator's token always is.
    accepts_keys: bool,
    /// Verifies the tokens of an identity provider, if they are valid.
    tokens: Option<TokenVerifier>,
    /// Where verified tokens are kept, if tools need them.
    caller_tokens: Option<Arc<CallerTokenCache>>,
    keyring: Keyring,
    clock: Arc<dyn Clock>,
    failures: Failures,
    rates: Rates,
}

impl Authentication {
    pub(crate) fn new(settings: &Settings, keyring: Keyring, clock: Arc<dyn Clock>) -> Self {
        let (accepts_keys, tokens) = match &settings.auth {
            AuthMode::None => (false, None),
            AuthMode::ApiKey => (true, None),
            AuthMode::Jwt(tokens) => (false, Some(tokens)),
            AuthMode::ApiKeyOrJwt(tokens) => (true, Some(tokens)),
        };
        Self {
            is_open: settings.auth == AuthMode::None,
            accepts_keys,
            tokens: tokens.map(|tokens| TokenVerifier::new(tokens.clone(), Arc::clone(&clock))),
            caller_tokens: settings.caller_tokens.clone(),
            keyring,
            clock,
            failures: Failures::default(),
            rates: Rates::new(settings.rate_limit),
        }
    }

    /// Returns the keys that are valid.
    pub(crate) fn keyring(&self) -> &Keyring {
        &self.keyring
    }

    /// Attaches the principal to the request for its handlers. Returns an error if the credential is unknown, the
    /// principal exceeds its rate limit, or it lacks the scope that `scopes` requires for the route.
    pub(crate) async fn identify(&self, request: &mut Request, scopes: &RouteScopes) -> Result<(), ApiError> {
        let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
        let principal = self.principal(request.headers(), peer).await?;
        if !principal.operator {
            self.rates.check(&principal.scope, Instant::now()).map_err(rate_limited)?;
        }
        // Without a scope no handler of a route is reached, and a principal would not be checked.
        let Some(scope) = scopes.of(request) else { return Ok(()) };
        principal.check_access(scope)?;
        request.extensions_mut().insert(principal);
        Ok(())
    }

    async fn principal(&self, headers: &HeaderMap, peer: Option<IpAddr>) -> Result<Principal, ApiError> {
        let credential = credential::of(headers);
        let sent = credential.as_ref().ok().copied().flatten();
        let known = sent.and_then(|credential| self.keyring.find(credential));
        if let Some(principal) = known.filter(|known| self.accepts_keys || known.operator) {
            return Ok(principal);
        }
        // Clients made for other servers always send a key. Such a key does not identify the caller.
        if self.is_open {
            return Ok(self.keyring.local());
        }
        match (&self.tokens, sent) {
            (Some(tokens), Some(token)) if token.contains(&b'.') => {
                // Boxed, because keys are more frequent, and their requests need not carry its state.
                let verified = Box::pin(tokens.verify(token)).await;
                let holder = verified.map_err(|error| self.refused(&error, peer))?;
                self.keep(&holder, token);
                Ok(self.keyring.of_token(holder, self.clock.now()))
            }
            _ => {
                let peer = peer.filter(|_| credential != Ok(None));
                Err(self.failed(peer).err().unwrap_or_else(|| self.unknown_credential()))
            }
        }
    }

    /// Keeps a verified token for tools that act on behalf of its holder.
    fn keep(&self, holder: &Holder, token: &[u8]) {
        // A verified token is text, because its parts were decoded.
        let (Some(kept), Ok(text)) = (&self.caller_tokens, str::from_utf8(token)) else { return };
        let token = SentToken { text, issued_at: holder.issued_at, expires_at: holder.expires_at };
        kept.keep(&holder.scope, &token);
    }

    /// Returns the error for a token. An expired one does not count as a failure: its client has to learn that it needs
    /// another one. Neither does one with an unknown key: after the issuer has replaced its keys, the tokens of all
    /// clients have one until the keys are read again.
    fn refused(&self, error: &TokenError, peer: Option<IpAddr>) -> ApiError {
        let refusal = match error {
            TokenError::Unavailable { retry_after } => {
                return ApiError::new(ErrorCode::Unavailable, "the keys of the token issuer cannot be read now")
                    .retry_after(*retry_after);
            }
            TokenError::Expired => ApiError::invalid_token("the token has expired"),
            TokenError::UnknownKey => ApiError::invalid_token("the token is not valid"),
            _ => match self.failed(peer) {
                Err(too_many) => too_many,
                Ok(()) => ApiError::invalid_token("the token is not valid"),
            },
        };
        tracing::info!(reason = %error, "a token was refused");
        refusal
    }

    /// Counts a failure. Returns an error if there were too many.
    fn failed(&self, peer: Option<IpAddr>) -> Result<(), ApiError> {
        let Some(peer) = peer else { return Ok(()) };
        self.failures.record_failure(peer, Instant::now()).map_err(too_many_failures)
    }

    /// Returns the error for a request without a key or token. It is the same for every kind of invalid credential.
    fn unknown_credential(&self) -> ApiError {
        let message = match (self.accepts_keys, &self.tokens) {
            (true, None) => "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY",
            (true, Some(_)) => "send a key that is known, or a valid token: Authorization: Bearer KEY or TOKEN",
            (false, _) => "send a valid token: Authorization: Bearer TOKEN",
        };
        ApiError::new(ErrorCode::Unauthenticated, message)
    }
}

fn too_many_failures(wait: Duration) -> ApiError {
    let message = "too many unknown keys or invalid tokens came from this address";
    ApiError::new(ErrorCode::RateLimited, message).retry_after(wait)
}

fn rate_limited(wait: Duration) -> ApiError {
    ApiError::new(ErrorCode::RateLimited, "this user sends more requests than limits.rate_limit allows")
        .retry_after(wait)
}
