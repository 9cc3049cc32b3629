//! Access tokens of requests over HTTP.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use turnkit_net::{AccessToken, TokenSource};

use crate::http_failure::HttpFailure;

/// The number of sent tokens that are remembered. Each replaces an earlier one, so older ones have expired.
const MAX_SENT: usize = 4;

/// The access tokens that the connections of one owner send.
#[derive(Clone)]
pub(crate) struct Tokens {
    source: Arc<TokenSource>,
    sent: Arc<Mutex<Vec<AccessToken>>>,
}

impl Tokens {
    pub(crate) fn new(source: Arc<TokenSource>) -> Self {
        Self { source, sent: Arc::default() }
    }

    /// Returns the token of the next request.
    ///
    /// # Errors
    /// The identity provider issued none, so the request is not sent.
    pub(crate) async fn token(&self) -> Result<AccessToken, HttpFailure> {
        let token = self.source.token().await.map_err(|error| HttpFailure::NoToken(Box::new(error)))?;
        let mut sent = self.lock();
        if !sent.contains(&token) {
            if sent.len() >= MAX_SENT {
                sent.remove(0);
            }
            sent.push(token.clone());
        }
        Ok(token)
    }

    /// Records that the server has refused a token. Returns whether the request may succeed with another one.
    pub(crate) fn refused(&self, token: &AccessToken) -> bool {
        self.source.refused(token)
    }

    /// Returns the tokens that were sent last.
    pub(crate) fn sent(&self) -> Vec<AccessToken> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<AccessToken>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
