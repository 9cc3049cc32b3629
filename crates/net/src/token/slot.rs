//! The current token for one caller, or for all of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::access_token::AccessToken;
use super::backoff::Backoff;
use super::error::{Failure, TokenError};
use super::identity_provider::IdentityProvider;
use super::refresh::{Refresh, Waiter};
use crate::NetError;

/// The shortest time between two replacements of refused tokens. A server that refuses every token would otherwise
/// cause a token request for each of its own requests.
const MIN_REFUSAL_INTERVAL: Duration = Duration::from_secs(10);

/// A token and its replacement.
#[derive(Default)]
pub(super) struct Slot {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    token: Option<AccessToken>,
    /// Set if a server has refused the token, which is not used again then.
    is_refused: bool,
    /// The last token that was replaced because of a refusal, and the time of the refusal.
    last_refused: Option<(AccessToken, Instant)>,
    refresh: Option<Refresh>,
    /// Failures that concern only this slot.
    backoff: Backoff,
}

/// What a caller gets at once.
enum Look {
    Known(Result<AccessToken, TokenError>),
    Requested(Waiter),
}

impl Slot {
    /// Returns a token that is valid now. Requests one if there is none, or, in the background, if it is to be replaced
    /// soon.
    pub(super) async fn token(
        &self,
        provider: &Arc<IdentityProvider>,
        subject: Option<&str>,
    ) -> Result<AccessToken, TokenError> {
        match self.look(provider, subject) {
            Look::Known(result) => result,
            Look::Requested(waiter) => waiter.result().await.map_err(|failure| failure.error),
        }
    }

    /// Records that a server has refused `token`. Returns whether a further try may succeed: with a token that has
    /// replaced it, or that will replace it.
    pub(super) fn refuse(&self, token: &AccessToken) -> bool {
        let now = Instant::now();
        let mut state = self.lock();
        state.settle();
        if state.is_refused || state.token.as_ref() != Some(token) {
            return true;
        }
        let is_useless = |(last, at): &(AccessToken, Instant)| last == token || now < *at + MIN_REFUSAL_INTERVAL;
        if state.last_refused.as_ref().is_some_and(is_useless) {
            return false;
        }
        state.is_refused = true;
        state.last_refused = Some((token.clone(), now));
        true
    }

    fn look(&self, provider: &Arc<IdentityProvider>, subject: Option<&str>) -> Look {
        let now = Instant::now();
        let mut state = self.lock();
        state.settle();
        let valid = state.token.clone().filter(|token| !state.is_refused && token.is_valid(now));
        if let Some(token) = valid.as_ref().filter(|token| token.is_fresh(now)) {
            return Look::Known(Ok(token.clone()));
        }
        let waiter = match &state.refresh {
            Some(refresh) => refresh.waiter(),
            None => match provider.outage(now).or_else(|| state.backoff.error(now)) {
                Some(error) => return Look::Known(valid.ok_or(error)),
                None => state.refresh.insert(start(provider, subject)).waiter(),
            },
        };
        match valid {
            Some(token) => Look::Known(Ok(token)),
            None => Look::Requested(waiter),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes over the result of a request that has ended.
    fn settle(&mut self) {
        let Some(outcome) = self.refresh.as_ref().and_then(Refresh::outcome) else { return };
        self.refresh = None;
        match outcome.result {
            Ok(token) => {
                self.token = Some(token);
                self.is_refused = false;
                self.backoff.succeeded();
            }
            // The provider itself keeps its outages, for all slots.
            Err(failure) if failure.is_outage => {}
            Err(failure) => self.backoff.failed(failure.error, outcome.at),
        }
    }
}

fn start(provider: &Arc<IdentityProvider>, subject: Option<&str>) -> Refresh {
    let host = provider.host().to_owned();
    let lost = Failure::outage(TokenError::Unreachable { host, error: NetError::Incomplete });
    let (provider, subject) = (Arc::clone(provider), subject.map(str::to_owned));
    Refresh::start(lost, async move { provider.request(subject.as_deref()).await })
}
