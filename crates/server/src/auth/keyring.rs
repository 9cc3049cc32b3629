//! The keys that are valid now, in memory. The process that serves owns the data, so nobody else makes or revokes keys.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use tokio_util::sync::CancellationToken;
use turnkit_core::ports::ApiKey;
use turnkit_core::{KeyId, Scope};

use super::principal::Principal;
use super::secret::{Secret, sha256};

/// Valid keys by their fingerprints. What a request shows is hashed before it is looked up, so how long that takes says
/// nothing about a key.
pub(crate) struct Keyring {
    keys: RwLock<HashMap<[u8; 32], Held>>,
    operator: [u8; 32],
    stopping: CancellationToken,
}

struct Held {
    id: KeyId,
    principal: Principal,
}

impl Keyring {
    /// The keys of `stored` that are not revoked, and the operator's. `stopping` ends what any of them has open.
    pub(crate) fn new(stored: Vec<ApiKey>, operator: &Secret, stopping: CancellationToken) -> Self {
        let ring = Self { keys: RwLock::default(), operator: operator.sha256(), stopping };
        for key in stored.iter().filter(|key| key.revoked_at.is_none()) {
            ring.add(key);
        }
        ring
    }

    /// From now on the key is valid.
    pub(crate) fn add(&self, key: &ApiKey) {
        let gone = self.stopping.child_token();
        let principal = Principal { scope: key.scope.clone(), oversees: false, operator: false, gone };
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.sha256, Held { id: key.id, principal });
    }

    /// From now on the key is worth nothing, and what it has open ends.
    pub(crate) fn remove(&self, id: KeyId) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        let removed: Vec<Held> = keys.extract_if(|_, held| held.id == id).map(|(_, held)| held).collect();
        drop(keys);
        for held in removed {
            held.principal.gone.cancel();
        }
    }

    /// Who shows this credential.
    pub(crate) fn find(&self, credential: &[u8]) -> Option<Principal> {
        let fingerprint = sha256(credential);
        if fingerprint == self.operator {
            return Some(Principal { operator: true, ..self.local() });
        }
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(&fingerprint).map(|held| held.principal.clone())
    }

    /// The person at this machine, who is known without a key where there are none.
    pub(crate) fn local(&self) -> Principal {
        Principal { scope: Scope::local(), oversees: true, operator: false, gone: self.stopping.clone() }
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::Timestamp;

    use super::*;

    fn key(id: u128, secret: &[u8], revoked_at: Option<Timestamp>) -> ApiKey {
        let (id, created_at) = (KeyId(uuid::Uuid::from_u128(id)), Timestamp::default());
        let scope = Scope::new("local", format!("user-{}", id.0.as_u128()));
        ApiKey { id, name: "test".into(), scope, sha256: sha256(secret), created_at, revoked_at }
    }

    #[test]
    fn a_revoked_key_is_not_found_and_ends_what_it_has_open_and_nothing_else() {
        let (operator, stopping) = (Secret::random(), CancellationToken::new());
        let stored = vec![key(1, b"one", None), key(2, b"two", None), key(3, b"three", Some(Timestamp::default()))];
        let ring = Keyring::new(stored, &operator, stopping.clone());
        let (one, two) = (ring.find(b"one").unwrap(), ring.find(b"two").unwrap());
        assert_eq!((&*one.scope.user.0, one.operator), ("user-1", false));
        assert!(ring.find(b"three").is_none() && ring.find(b"four").is_none());

        ring.remove(KeyId(uuid::Uuid::from_u128(1)));
        assert!(ring.find(b"one").is_none() && one.gone.is_cancelled());
        assert!(ring.find(b"two").is_some() && !two.gone.is_cancelled() && !stopping.is_cancelled());

        stopping.cancel();
        assert!(two.gone.is_cancelled());
    }

    #[test]
    fn only_the_operators_token_makes_an_operator() {
        let operator = Secret::random();
        let ring = Keyring::new(vec![key(1, b"one", None)], &operator, CancellationToken::new());
        let found = ring.find(operator.reveal().as_bytes()).unwrap();
        assert!(found.operator && found.scope == Scope::local());
        assert!(!ring.find(b"one").unwrap().operator && !ring.local().operator);
        assert!(found.oversees && ring.local().oversees && !ring.find(b"one").unwrap().oversees);
        assert_eq!((operator.reveal().len(), format!("{operator:?}").as_str()), (46, "Secret(…)"));
    }
}
