//! The keys of the provider, and their rotation.

use std::sync::{Mutex, MutexGuard, PoisonError};

use jsonwebtoken::jwk::{Jwk, JwkSet};

use crate::claims::Claims;
use crate::key_failure::KeyFailure;
use crate::signing_key::SigningKey;

/// The key that signs, and earlier keys until the last token that they signed has expired.
pub(crate) struct Keys {
    held: Mutex<Held>,
}

struct Held {
    current: SigningKey,
    retired: Vec<RetiredKey>,
}

/// A key that only verifies.
struct RetiredKey {
    public: Jwk,
    /// The time, in seconds since 1970, from which no token of the key is valid.
    until: u64,
}

impl Keys {
    /// Makes the first key.
    pub(crate) fn generate() -> Result<Self, KeyFailure> {
        let held = Held { current: SigningKey::generate()?, retired: Vec::new() };
        Ok(Self { held: Mutex::new(held) })
    }

    /// Returns the signed token with these claims.
    pub(crate) fn sign(&self, claims: &Claims) -> Result<String, KeyFailure> {
        self.held().current.sign(claims)
    }

    /// Lets a new key sign, and returns its id. Tokens of the previous key remain valid until `until`, in seconds since
    /// 1970.
    pub(crate) fn rotate(&self, now: u64, until: u64) -> Result<Option<String>, KeyFailure> {
        let next = SigningKey::generate()?;
        let id = next.public().common.key_id.clone();
        let mut held = self.held();
        let previous = std::mem::replace(&mut held.current, next);
        held.retired.retain(|key| key.until > now);
        held.retired.push(RetiredKey { public: previous.public().clone(), until });
        Ok(id)
    }

    /// Returns the public keys of all tokens that may still be valid, the current one first.
    pub(crate) fn public(&self, now: u64) -> JwkSet {
        let held = self.held();
        let retired = held.retired.iter().filter(|key| key.until > now).map(|key| &key.public);
        JwkSet { keys: std::iter::once(held.current.public()).chain(retired).cloned().collect() }
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(keys: &Keys, now: u64) -> Vec<String> {
        keys.public(now).keys.into_iter().filter_map(|key| key.common.key_id).collect()
    }

    #[test]
    fn a_retired_key_is_published_until_its_last_token_has_expired() {
        let keys = Keys::generate().unwrap();
        let first = ids(&keys, 1_000);
        assert_eq!(first.len(), 1);

        let second = keys.rotate(1_000, 1_600).unwrap().unwrap();
        assert_eq!(ids(&keys, 1_599), [second.clone(), first[0].clone()]);
        assert_eq!(ids(&keys, 1_600), [second]);
    }

    #[test]
    fn several_keys_may_be_retired_at_once() {
        let keys = Keys::generate().unwrap();
        for now in [1_000, 1_100, 1_200] {
            keys.rotate(now, now + 600).unwrap();
        }
        assert_eq!([1_599, 1_699, 1_799, 1_800].map(|now| ids(&keys, now).len()), [4, 3, 2, 1]);
    }
}
