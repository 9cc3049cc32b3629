//! The token endpoint of an identity provider.

use std::time::Duration;

use tokio::sync::Mutex;
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

pub(super) struct Discovered {
    issuer: Issuer,
    /// The endpoint and the end of its use. Locked during a discovery, so that concurrent requests share it.
    found: Mutex<Option<(Target, Instant)>>,
}

impl Endpoint {
    pub(super) fn new(settings: &TokenSettings) -> Result<Self, TokenError> {
        Ok(match &settings.endpoint {
            TokenEndpoint::Url(url) => Self::Configured(Box::new(configured("token_url", url)?)),
            TokenEndpoint::Issuer(name) => {
                Self::Discovered(Box::new(Discovered { issuer: Issuer::new(name)?, found: Mutex::default() }))
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
        let discovered = match self {
            Self::Configured(target) => return Ok(Target::clone(target)),
            Self::Discovered(discovered) => discovered,
        };
        let mut found = discovered.found.lock().await;
        if let Some((target, until)) = &*found
            && Instant::now() < *until
        {
            return Ok(target.clone());
        }
        let target = discover(&discovered.issuer, client).await?;
        *found = Some((target.clone(), Instant::now() + DISCOVERED_LIFE));
        Ok(target)
    }

    /// Drops a discovered endpoint.
    pub(super) async fn forget(&self) {
        if let Self::Discovered(discovered) = self {
            *discovered.found.lock().await = None;
        }
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
