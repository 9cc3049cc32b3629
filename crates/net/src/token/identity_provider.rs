//! The identity provider: the only code here that sends requests.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::access_token::AccessToken;
use super::answer::TokenAnswer;
use super::backoff::Backoff;
use super::endpoint::Endpoint;
use super::error::{Failure, TokenError};
use super::request::TokenRequest;
use super::response::{read, unanswered};
use super::settings::TokenSettings;
use crate::timeout::timeout;
use crate::{HttpClient, Target};

/// An identity provider, as one client sees it.
pub(super) struct IdentityProvider {
    client: HttpClient,
    endpoint: Endpoint,
    request: TokenRequest,
    limit: Duration,
    /// Failures that concern all requests.
    outage: Mutex<Backoff>,
}

impl IdentityProvider {
    /// Checks the settings. Sends no request yet.
    ///
    /// # Errors
    /// [`TokenError::Setting`] names the setting that cannot be used.
    pub(super) fn new(settings: &TokenSettings, client: HttpClient) -> Result<Self, TokenError> {
        let endpoint = Endpoint::new(settings)?;
        let (request, limit) = (TokenRequest::new(settings), settings.timeout);
        Ok(Self { client, endpoint, request, limit, outage: Mutex::default() })
    }

    pub(super) fn host(&self) -> &str {
        self.endpoint.host()
    }

    /// Returns the time limit of a request.
    pub(super) fn limit(&self) -> Duration {
        self.limit
    }

    /// Requests a token, in exchange for `subject` if there is one.
    pub(super) async fn request(&self, subject: Option<&str>) -> Result<AccessToken, Failure> {
        let requested = timeout(self.limit, self.request_unbounded(subject)).await;
        let timed_out = || TokenError::Timeout { host: self.host().to_owned(), limit: self.limit };
        let result = requested.unwrap_or_else(|_| Err(Failure::outage(timed_out())));
        match &result {
            Err(failure) if failure.is_outage => self.lock().failed(failure.error.clone(), Instant::now()),
            _ => self.lock().succeeded(),
        }
        if result.as_ref().is_err_and(Failure::may_have_moved) {
            self.endpoint.forget();
        }
        result
    }

    /// Returns the last error while the provider is spared further requests.
    pub(super) fn outage(&self, now: Instant) -> Option<TokenError> {
        self.lock().error(now)
    }

    async fn request_unbounded(&self, subject: Option<&str>) -> Result<AccessToken, Failure> {
        let endpoint = self.endpoint.target(&self.client).await.map_err(Failure::outage)?;
        self.request_from(endpoint, subject).await.map_err(Failure::of_caller)
    }

    async fn request_from(&self, endpoint: Target, subject: Option<&str>) -> Result<AccessToken, TokenError> {
        let host = self.host();
        let failed = |error| unanswered(host, error);
        let target = self.request.target(endpoint).map_err(failed)?;
        let requested_at = Instant::now();
        let response = self.client.post(&target, self.request.body(subject)).await.map_err(failed)?;
        let status = response.status();
        let body = read(host, response).await?;
        let secrets = self.request.secrets(subject);
        let secrets: Vec<&str> = secrets.iter().map(String::as_str).collect();
        TokenAnswer { host, status, body: &body, requested_at, secrets: &secrets }.token()
    }

    fn lock(&self) -> MutexGuard<'_, Backoff> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
