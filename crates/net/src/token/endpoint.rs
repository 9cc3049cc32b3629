//! The token endpoint of an identity provider.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::address::configured;
use super::discovery::Issuer;
use super::error::TokenError;
use super::response::{read, unanswered};
use super::settings::{TokenEndpoint, TokenSettings};
use crate::{HttpClient, Target};

/// How long a discovered endpoint is used.
const DISCOVERED_LIFE: Duration = Duration::from_secs(60 * 60);

/// A token endpoint that is configured, or discovered at its first use.
pub(super) enum Endpoint {
    Configured(Box<Target>),
    Discovered(Box<Discovered>),
}

/// The endpoint of an issuer.
pub(super) struct Discovered {
    issuer: Issuer,
    /// The endpoint, and the end of its use.
    found: Mutex<Option<(Target, Instant)>>,
    /// Locked during a discovery, so that concurrent requests share it.
    discovery: tokio::sync::Mutex<()>,
}

impl Endpoint {
    pub(super) fn new(settings: &TokenSettings) -> Result<Self, TokenError> {
        Ok(match &settings.endpoint {
            TokenEndpoint::Url(url) => Self::Configured(Box::new(configured("token_url", url)?)),
            TokenEndpoint::Issuer(name) => {
                let (issuer, found) = (Issuer::new(name)?, Mutex::default());
                Self::Discovered(Box::new(Discovered { issuer, found, discovery: tokio::sync::Mutex::default() }))
            }
        })
    }

    /// Returns the host of the configured address.
    pub(super) fn host(&self) -> &str {
        match self {
            Self::Configured(target) => target.host(),
            Self::Discovered(discovered) => discovered.issuer.host(),
        }
    }

    /// Returns the target of requests.
    pub(super) async fn target(&self, client: &HttpClient) -> Result<Target, TokenError> {
        match self {
            Self::Configured(target) => Ok(Target::clone(target)),
            Self::Discovered(discovered) => discovered.target(client).await,
        }
    }

    /// Drops a discovered endpoint, so that the next request discovers it again.
    pub(super) fn forget(&self) {
        if let Self::Discovered(discovered) = self {
            *discovered.lock() = None;
        }
    }
}

impl Discovered {
    async fn target(&self, client: &HttpClient) -> Result<Target, TokenError> {
        if let Some(target) = self.known() {
            return Ok(target);
        }
        let _discovery = self.discovery.lock().await;
        if let Some(target) = self.known() {
            return Ok(target);
        }
        let target = discover(&self.issuer, client).await?;
        *self.lock() = Some((target.clone(), Instant::now() + DISCOVERED_LIFE));
        Ok(target)
    }

    fn known(&self) -> Option<Target> {
        let found = self.lock();
        found.as_ref().filter(|(_, until)| Instant::now() < *until).map(|(target, _)| target.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Option<(Target, Instant)>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn discover(issuer: &Issuer, client: &HttpClient) -> Result<Target, TokenError> {
    let host = issuer.host();
    let malformed = |reason| TokenError::Malformed { host: host.to_owned(), reason };
    let mut last_status = 0;
    for address in &issuer.metadata {
        let response = client.get(address).await.map_err(|error| unanswered(host, error))?;
        last_status = response.status();
        // A provider without this kind of metadata may have the other one.
        if !(400..=499).contains(&last_status) {
            let metadata = read(host, response).await?;
            return issuer.token_endpoint(&metadata).map_err(malformed);
        }
    }
    Err(malformed(format!("status {last_status} where an issuer has its metadata; configure `token_url` instead")))
}
