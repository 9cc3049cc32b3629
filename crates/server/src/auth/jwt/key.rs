//! The keys that an issuer publishes.

use std::collections::HashMap;

use jsonwebtoken::crypto::verify;
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;

use super::error::TokenError;
use super::header::UnverifiedToken;

/// The largest number of keys of an issuer. Further ones are ignored.
const MAX_KEYS: usize = 256;

/// A public key, and the one algorithm of its signatures.
#[derive(Clone)]
pub(super) struct Key {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Key {
    /// Checks that the token is signed with this key.
    pub(super) fn verify(&self, token: &UnverifiedToken<'_>) -> Result<(), TokenError> {
        if algorithm(&token.header.alg) != Some(self.algorithm) {
            return Err(TokenError::Algorithm);
        }
        match verify(token.signature, token.message.as_bytes(), &self.key, self.algorithm) {
            Ok(true) => Ok(()),
            Ok(false) | Err(_) => Err(TokenError::Signature),
        }
    }
}

/// The keys of an issuer that can verify tokens.
pub(super) struct Keys {
    named: HashMap<String, Key>,
    /// The key of a set with a single one. Only it verifies tokens that name no key.
    only: Option<Key>,
}

impl Keys {
    /// Parses a JSON Web Key Set. Keys of other kinds and uses are ignored, and of several keys those without a name.
    /// Returns `None` if no key is left.
    pub(super) fn read(json: &[u8]) -> Option<Self> {
        let set: KeySetDocument = serde_json::from_slice(json).ok()?;
        let readable = set.keys.into_iter().filter_map(|key| serde_json::from_value::<KeyDocument>(key).ok());
        let keys: Vec<(Option<String>, Key)> =
            readable.take(MAX_KEYS).filter_map(|key| Some((key.kid.clone(), key.key()?))).collect();
        let only = match keys.as_slice() {
            [(_, key)] => Some(key.clone()),
            _ => None,
        };
        let mut named = HashMap::new();
        for (name, key) in keys {
            if let Some(name) = name {
                // Of several keys with one name, the first counts.
                named.entry(name).or_insert(key);
            }
        }
        let verifies = only.is_some() || !named.is_empty();
        verifies.then_some(Self { named, only })
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        self.named.len().max(usize::from(self.only.is_some()))
    }

    /// Returns the key that a token names. The name is only looked up here, so it can lead nowhere else.
    pub(super) fn find(&self, name: Option<&str>) -> Option<&Key> {
        match name {
            Some(name) => self.named.get(name),
            None => self.only.as_ref(),
        }
    }
}

#[derive(Deserialize)]
struct KeySetDocument {
    keys: Vec<Value>,
}

/// A JSON Web Key.
#[derive(Deserialize)]
struct KeyDocument {
    kty: String,
    r#use: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    kid: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl KeyDocument {
    /// Returns the key if it can verify signatures.
    fn key(&self) -> Option<Key> {
        let signs = self.r#use.as_deref().is_none_or(|usage| usage == "sig");
        let verifies = self.key_ops.as_ref().is_none_or(|operations| operations.iter().any(|name| name == "verify"));
        if !signs || !verifies {
            return None;
        }
        let algorithm = match &self.alg {
            Some(name) => algorithm(name)?,
            None => self.usual_algorithm()?,
        };
        let key = match (self.kty.as_str(), algorithm) {
            ("RSA", Algorithm::RS256 | Algorithm::RS384 | Algorithm::RS512)
            | ("RSA", Algorithm::PS256 | Algorithm::PS384 | Algorithm::PS512) => {
                DecodingKey::from_rsa_components(self.n.as_deref()?, self.e.as_deref()?)
            }
            // A curve has one algorithm.
            ("EC" | "OKP", _) if self.usual_algorithm() != Some(algorithm) => return None,
            ("EC", _) => DecodingKey::from_ec_components(self.x.as_deref()?, self.y.as_deref()?),
            ("OKP", _) => DecodingKey::from_ed_components(self.x.as_deref()?),
            _ => return None,
        };
        Some(Key { algorithm, key: key.ok()? })
    }

    /// Returns the algorithm of a key that names none.
    fn usual_algorithm(&self) -> Option<Algorithm> {
        match (self.kty.as_str(), self.crv.as_deref()) {
            ("RSA", None) => Some(Algorithm::RS256),
            ("EC", Some("P-256")) => Some(Algorithm::ES256),
            ("EC", Some("P-384")) => Some(Algorithm::ES384),
            ("OKP", Some("Ed25519")) => Some(Algorithm::EdDSA),
            _ => None,
        }
    }
}

/// Returns the algorithm with this name. Algorithms with a shared secret are unknown: a secret that verifies tokens
/// could also sign them.
fn algorithm(name: &str) -> Option<Algorithm> {
    Some(match name {
        "RS256" => Algorithm::RS256,
        "RS384" => Algorithm::RS384,
        "RS512" => Algorithm::RS512,
        "PS256" => Algorithm::PS256,
        "PS384" => Algorithm::PS384,
        "PS512" => Algorithm::PS512,
        "ES256" => Algorithm::ES256,
        "ES384" => Algorithm::ES384,
        "EdDSA" | "Ed25519" => Algorithm::EdDSA,
        _ => return None,
    })
}
