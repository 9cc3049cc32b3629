//! Reads the keys that an issuer publishes.

use std::time::Duration;

use serde::Deserialize;
use turnkit_net::{ClientOptions, HttpClient, NetError, Target};

use super::key::Keys;
use crate::jwt_settings::{JwtSettings, KeySource};

/// The path of the discovery document below the issuer.
const DISCOVERY: &str = "/.well-known/openid-configuration";
/// The time limit of each request.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The largest document, in bytes.
const MAX_DOCUMENT: usize = 1024 * 1024;

/// The longest address of keys that a discovery document may name, in bytes.
const MAX_ADDRESS: usize = 2048;
/// The most characters of another issuer that an error repeats.
const MAX_FOUND: usize = 256;

/// The reason why the keys of an issuer cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeySetError {
    /// There was no response.
    #[error("{url}: {reason}")]
    Network {
        /// The address.
        url: String,
        /// The cause.
        reason: NetError,
    },
    /// There was no complete response in time.
    #[error("{url}: no answer within {} s", TIMEOUT.as_secs())]
    Timeout {
        /// The address.
        url: String,
    },
    /// The response has another status than 200. Redirects are not followed.
    #[error("{url}: the answer has status {status}")]
    Status {
        /// The address.
        url: String,
        /// The status.
        status: u16,
    },
    /// The address begins with `http:`, so others on the network could replace the keys, or it is on this machine and a
    /// document of another one names it.
    #[error("{url}: keys are read over https, or from this machine if the configured address is on it")]
    Exposed {
        /// The address.
        url: String,
    },
    /// The response is not a discovery document.
    #[error("{url}: not a discovery document with `issuer` and `jwks_uri`")]
    Discovery {
        /// The address.
        url: String,
    },
    /// The discovery document is that of another issuer.
    #[error("{url}: the document is of the issuer {found}; set the configured issuer to it, if it is the right one")]
    Issuer {
        /// The address.
        url: String,
        /// The beginning of the issuer in the document.
        found: String,
    },
    /// The key set has no key that can verify tokens.
    #[error("{url}: no key for signatures with RSA, on P-256 or P-384, or with Ed25519; several need a `kid` each")]
    NoKeys {
        /// The address.
        url: String,
    },
}

/// Reads the keys of one issuer.
#[derive(Debug, Clone)]
pub(super) struct KeyReader {
    client: HttpClient,
    issuer: String,
    source: KeySource,
}

#[derive(Deserialize)]
struct DiscoveryDocument {
    issuer: String,
    jwks_uri: String,
}

impl KeyReader {
    pub(super) fn new(settings: &JwtSettings) -> Self {
        let options = ClientOptions { idle_per_host: 1, max_body: MAX_DOCUMENT, ..ClientOptions::default() };
        let client = HttpClient::with_proxy(settings.proxy.clone(), &options);
        Self { client, issuer: settings.issuer.clone(), source: settings.key_source.clone() }
    }

    /// Reads the keys as they are published now.
    pub(super) async fn read(&self) -> Result<Keys, KeySetError> {
        let url = match &self.source {
            KeySource::KeySet(url) => url.clone(),
            KeySource::Discovery(url) => self.discover(url).await?,
            KeySource::Issuer => self.discover(&format!("{}{DISCOVERY}", self.issuer.trim_end_matches('/'))).await?,
        };
        let json = self.get(&url).await?;
        Keys::read(&json).ok_or(KeySetError::NoKeys { url })
    }

    /// Returns the address of the key set that a discovery document names.
    async fn discover(&self, url: &str) -> Result<String, KeySetError> {
        let url = url.to_owned();
        let json = self.get(&url).await?;
        let Ok(document) = serde_json::from_slice::<DiscoveryDocument>(&json) else {
            return Err(KeySetError::Discovery { url });
        };
        if document.issuer != self.issuer {
            return Err(KeySetError::Issuer { url, found: beginning(&document.issuer) });
        }
        // The address is part of errors and of lines of the log.
        if document.jwks_uri.len() > MAX_ADDRESS {
            return Err(KeySetError::Discovery { url });
        }
        check_address(&url, &document.jwks_uri)?;
        Ok(document.jwks_uri)
    }

    async fn get(&self, url: &str) -> Result<Vec<u8>, KeySetError> {
        let network = |reason| KeySetError::Network { url: url.to_owned(), reason };
        let target = target(url)?;
        if target.is_exposed() {
            return Err(KeySetError::Exposed { url: url.to_owned() });
        }
        let document = async {
            let response = self.client.get(&target).await.map_err(network)?;
            match response.status() {
                200 => response.into_body().collect(MAX_DOCUMENT).await.map_err(network),
                status => Err(KeySetError::Status { url: url.to_owned(), status }),
            }
        };
        let read = turnkit_net::timeout(TIMEOUT, document).await;
        read.unwrap_or_else(|_| Err(KeySetError::Timeout { url: url.to_owned() }))
    }
}

/// Checks that a discovery document may name this address of keys.
fn check_address(document: &str, keys: &str) -> Result<(), KeySetError> {
    match target(document)?.may_name(&target(keys)?) {
        true => Ok(()),
        false => Err(KeySetError::Exposed { url: keys.to_owned() }),
    }
}

/// Returns the beginning of a text from another machine, without what a terminal would act on.
fn beginning(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(MAX_FOUND).collect()
}

fn target(url: &str) -> Result<Target, KeySetError> {
    Target::new(url).map_err(|reason| KeySetError::Network { url: url.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_document_of_this_machine_leads_to_its_keys_or_to_keys_without_https() {
        for (document, keys, is_accepted) in [
            ("https://login.example.com/d", "https://keys.example.com/k", true),
            ("https://login.example.com/d", "https://localhost/k", false),
            ("https://login.example.com/d", "http://localhost/k", false),
            ("https://login.example.com/d", "HTTP://127.0.0.1:8787/k", false),
            ("https://login.example.com/d", "http://keys.example.com/k", false),
            ("http://127.0.0.1:9000/d", "http://127.0.0.1:9000/k", true),
            ("https://localhost/d", "http://[::1]/k", true),
            ("https://login.example.com/d", "file:///keys", false),
        ] {
            assert_eq!(check_address(document, keys).is_ok(), is_accepted, "{document} {keys}");
        }
    }

    #[test]
    fn an_error_repeats_the_beginning_of_another_issuer() {
        for (issuer, expected) in [
            ("https://login.example.com".to_owned(), "https://login.example.com".to_owned()),
            ("a\u{1b}[2Jb\n".to_owned(), "a[2Jb".to_owned()),
            ("ä".repeat(1024 * 1024), "ä".repeat(MAX_FOUND)),
        ] {
            assert_eq!(beginning(&issuer), expected);
        }
    }
}
