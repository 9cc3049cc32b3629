//! Access tokens of requests over HTTP.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turnkit_core::Scope;
use turnkit_core::ports::{CallerTokens, NoCallerToken};
use turnkit_net::{AccessToken, SubjectToken, TokenError, TokenSource};

use crate::http_failure::HttpFailure;

/// The number of sent tokens that are remembered. An older one was replaced after most of its life, after a server had
/// refused it, or when its user sent a newer token of their own.
const MAX_SENT: usize = 4;

/// The access tokens of a server.
#[derive(Clone)]
pub(crate) enum TokenGrants {
    /// All owners of sessions share the tokens.
    Shared(Arc<TokenSource>),
    /// Each owner has tokens of its own, in exchange for the one that it has sent.
    Exchanged(Arc<TokenSource>, Arc<dyn CallerTokens>),
}

/// The access tokens that the connections of one owner send.
#[derive(Clone)]
pub(crate) struct Tokens {
    source: Arc<TokenSource>,
    /// The caller whose token is exchanged; `None` if all owners share the tokens.
    caller: Option<Caller>,
    sent: Arc<Mutex<Vec<AccessToken>>>,
}

/// A caller on whose behalf requests are sent.
#[derive(Clone)]
struct Caller {
    owner: Scope,
    tokens: Arc<dyn CallerTokens>,
}

impl TokenGrants {
    /// Returns the tokens of an owner.
    ///
    /// # Errors
    /// The tokens are those of an owner, and there is none. The error contains the reason.
    pub(crate) fn of(&self, owner: Option<&Scope>) -> Result<Tokens, String> {
        let (source, caller) = match self {
            Self::Shared(source) => (source, None),
            Self::Exchanged(source, tokens) => {
                let owner = owner.ok_or("it acts on behalf of a user, and this session has none")?.clone();
                (source, Some(Caller { owner, tokens: Arc::clone(tokens) }))
            }
        };
        Ok(Tokens { source: Arc::clone(source), caller, sent: Arc::default() })
    }

    /// Checks that there is a token of this owner, if one is needed.
    ///
    /// # Errors
    /// There is none, so no request could be sent.
    pub(crate) fn check_caller(&self, owner: &Scope) -> Result<(), NoCallerToken> {
        match self {
            Self::Shared(_) => Ok(()),
            Self::Exchanged(_, tokens) => tokens.newest(owner).map(drop),
        }
    }

    /// Returns the longest time that a request waits for its token.
    pub(crate) fn longest_wait(&self) -> Duration {
        match self {
            Self::Shared(source) | Self::Exchanged(source, _) => source.longest_wait(),
        }
    }
}

impl Tokens {
    /// Returns the token of the next request.
    ///
    /// # Errors
    /// There is none, so the request is not sent.
    pub(crate) async fn token(&self) -> Result<AccessToken, HttpFailure> {
        let token = match &self.caller {
            None => self.source.token().await,
            Some(caller) => {
                let own = caller.tokens.newest(&caller.owner).map_err(HttpFailure::NoCallerToken)?;
                let token = self.source.token_for(SubjectToken::new(own.as_str()).valid_for(own.valid_for())).await;
                if token.as_ref().is_err_and(TokenError::refuses_subject) {
                    caller.tokens.refused(&caller.owner, &own);
                }
                token
            }
        };
        let token = token.map_err(|error| HttpFailure::NoToken(Box::new(error)))?;
        let mut sent = self.lock();
        if !sent.contains(&token) {
            if sent.len() >= MAX_SENT {
                sent.remove(0);
            }
            sent.push(token.clone());
        }
        Ok(token)
    }

    /// Checks that there is a token of the caller, if one is needed.
    ///
    /// # Errors
    /// There is none, so no request could be sent.
    pub(crate) fn check_caller(&self) -> Result<(), NoCallerToken> {
        self.caller.as_ref().map_or(Ok(()), |caller| caller.tokens.newest(&caller.owner).map(drop))
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
