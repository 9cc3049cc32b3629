//! The public keys of an issuer.

use std::time::Duration;

use jsonwebtoken::jwk::{Jwk, JwkSet};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The time for which fetched keys are used. A key that the issuer has removed is accepted no longer than this.
const MAX_AGE: Duration = Duration::from_secs(5 * 60);

/// The time limit of each request to the issuer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The public keys of an issuer, fetched from the address in its discovery document and cached.
///
/// A token with an unknown key id makes the set fetch the keys again, so a new key of the issuer is accepted at once.
/// If the issuer has no such key either, the next fetch for an unknown key waits for the pause: tokens with invented key
/// ids cannot turn this server into a source of load on the issuer.
pub struct KeySet {
    issuer: String,
    pause: Duration,
    client: reqwest::Client,
    // Held during a fetch, so that concurrent requests share one.
    cached: Mutex<Cached>,
}

/// An error of the lookup of a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The issuer has no key with the id of the token.
    #[error("the issuer has no key with the id that the token names")]
    Unknown,
    /// The keys could not be fetched.
    #[error("cannot fetch the keys of {issuer}: {source}")]
    Unreachable {
        /// The address of the issuer.
        issuer: String,
        /// The failure of the request.
        source: reqwest::Error,
    },
    /// The discovery document belongs to another issuer.
    #[error("the issuer {expected} calls itself {found}: configure the address that it uses for itself")]
    OtherIssuer {
        /// The configured issuer.
        expected: String,
        /// The issuer in the document.
        found: String,
    },
}

#[derive(Default)]
struct Cached {
    keys: JwkSet,
    fetched: Option<Instant>,
    /// The time of the last fetch that did not find the key it was made for.
    missed: Option<Instant>,
}

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl KeySet {
    /// Returns the keys of `issuer`, which is the address below which its discovery document is. Fetches nothing yet.
    pub fn new(issuer: &str, pause: Duration) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build()?;
        Ok(Self { issuer: issuer.trim_end_matches('/').to_owned(), pause, client, cached: Mutex::default() })
    }

    /// Returns the key with this id.
    ///
    /// # Errors
    ///
    /// [`KeyError::Unknown`] if the issuer has no such key, another error if its keys cannot be fetched.
    pub async fn find(&self, id: &str) -> Result<Jwk, KeyError> {
        let mut cached = self.cached.lock().await;
        if cached.is_fresh() {
            if let Some(key) = cached.keys.find(id) {
                return Ok(key.clone());
            }
            if cached.missed.is_some_and(|missed| missed.elapsed() < self.pause) {
                return Err(KeyError::Unknown);
            }
        }
        cached.keys = self.fetch().await?;
        cached.fetched = Some(Instant::now());
        let found = cached.keys.find(id).cloned();
        cached.missed = if found.is_some() { None } else { cached.fetched };
        found.ok_or(KeyError::Unknown)
    }

    /// Returns the issuer.
    pub(crate) fn issuer(&self) -> &str {
        &self.issuer
    }

    async fn fetch(&self) -> Result<JwkSet, KeyError> {
        let address = format!("{}/.well-known/openid-configuration", self.issuer);
        let discovery: Discovery = self.get(&address).await?;
        if discovery.issuer != self.issuer {
            return Err(KeyError::OtherIssuer { expected: self.issuer.clone(), found: discovery.issuer });
        }
        self.get(&discovery.jwks_uri).await
    }

    async fn get<T: DeserializeOwned>(&self, address: &str) -> Result<T, KeyError> {
        let unreachable = |source| KeyError::Unreachable { issuer: self.issuer.clone(), source };
        let response = self.client.get(address).send().await.map_err(unreachable)?;
        let response = response.error_for_status().map_err(unreachable)?;
        response.json().await.map_err(unreachable)
    }
}

impl Cached {
    fn is_fresh(&self) -> bool {
        self.fetched.is_some_and(|fetched| fetched.elapsed() < MAX_AGE)
    }
}
