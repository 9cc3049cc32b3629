//! The keys that are valid now, in memory. The server process owns the data, so no other process creates or revokes
//! keys.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use turnkit_core::ports::ApiKey;
use turnkit_core::{AccessScope, AccessScopes, KeyId, Scope, Timestamp};

use super::jwt::Holder;
use super::principal::{HeldKey, Principal};
use super::secret::{Secret, sha256};

/// Valid keys, indexed by fingerprint. A credential is hashed before the lookup, so the time of the lookup reveals
/// nothing about a key.
pub(crate) struct Keyring {
    keys: RwLock<HashMap<[u8; 32], Entry>>,
    operator_sha256: [u8; 32],
    operator: Principal,
    /// The local user, who needs no key if `auth.mode` is `none`.
    local: Principal,
    stopping: CancellationToken,
}

struct Entry {
    id: KeyId,
    principal: Principal,
}

impl Keyring {
    /// Creates a keyring of the keys in `stored` that are not revoked, plus the operator's key. Cancelling `stopping`
    /// ends the open streams of all of them.
    pub(crate) fn new(stored: Vec<ApiKey>, operator: &Secret, stopping: CancellationToken) -> Self {
        let operator_sha256 = operator.sha256();
        let operator = Principal {
            scope: Scope::local(),
            key: None,
            access: AccessScopes::from_kinds(AccessScope::ALL),
            oversees: true,
            operator: true,
            access_ended: stopping.clone(),
            expires_at: None,
        };
        // Other users of this machine can send requests to a server without keys, but must not create keys for it.
        let kinds = AccessScope::ALL.into_iter().filter(|scope| *scope != AccessScope::Admin);
        let local = Principal { access: AccessScopes::from_kinds(kinds), operator: false, ..operator.clone() };
        let ring = Self { keys: RwLock::default(), operator_sha256, operator, local, stopping };
        for key in stored.iter().filter(|key| key.revoked_at.is_none()) {
            ring.add(key);
        }
        ring
    }

    /// Makes the key valid.
    pub(crate) fn add(&self, key: &ApiKey) {
        let principal = Principal {
            scope: key.scope.clone(),
            key: Some(HeldKey { id: key.id, name: (&*key.name).into() }),
            access: key.access.clone(),
            oversees: key.access.permits(AccessScope::Admin),
            operator: false,
            access_ended: self.stopping.child_token(),
            expires_at: None,
        };
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.insert(key.sha256, Entry { id: key.id, principal });
    }

    /// Revokes the key and ends its open streams.
    pub(crate) fn remove(&self, id: KeyId) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        let removed: Vec<Entry> = keys.extract_if(|_, entry| entry.id == id).map(|(_, entry)| entry).collect();
        drop(keys);
        for entry in removed {
            entry.principal.access_ended.cancel();
        }
    }

    /// Returns the principal of this credential.
    pub(crate) fn find(&self, credential: &[u8]) -> Option<Principal> {
        let fingerprint = sha256(credential);
        if fingerprint == self.operator_sha256 {
            return Some(self.operator.clone());
        }
        let keys = self.keys.read().unwrap_or_else(PoisonError::into_inner);
        keys.get(&fingerprint).map(|entry| entry.principal.clone())
    }

    /// Returns the principal of a token that is verified. Nothing revokes it before it expires.
    pub(crate) fn of_token(&self, holder: Holder, now: Timestamp) -> Principal {
        let Holder { scope, access, accepted_until, .. } = holder;
        Principal {
            scope,
            key: None,
            oversees: access.permits(AccessScope::Admin),
            access,
            operator: false,
            access_ended: self.stopping.clone(),
            // A moment too far away to be represented never comes.
            expires_at: Instant::now().checked_add(accepted_until.since(now)),
        }
    }

    /// Returns the principal of the local user, who needs no key if `auth.mode` is `none`.
    pub(crate) fn local(&self) -> Principal {
        self.local.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: u128, secret: &[u8], revoked_at: Option<Timestamp>) -> ApiKey {
        let (id, created_at) = (KeyId(uuid::Uuid::from_u128(id)), Timestamp::default());
        let scope = Scope::new("local", format!("user-{}", id.0.as_u128()));
        let access = AccessScopes::default();
        ApiKey { id, name: "test".into(), scope, access, sha256: sha256(secret), created_at, revoked_at }
    }

    #[test]
    fn a_revoked_key_is_not_found_and_only_its_own_streams_end() {
        let (operator, stopping) = (Secret::random(), CancellationToken::new());
        let stored = vec![key(1, b"one", None), key(2, b"two", None), key(3, b"three", Some(Timestamp::default()))];
        let ring = Keyring::new(stored, &operator, stopping.clone());
        let (one, two) = (ring.find(b"one").unwrap(), ring.find(b"two").unwrap());
        assert_eq!((&*one.scope.user.0, one.operator), ("user-1", false));
        assert!(ring.find(b"three").is_none() && ring.find(b"four").is_none());

        ring.remove(KeyId(uuid::Uuid::from_u128(1)));
        assert!(ring.find(b"one").is_none() && one.access_ended.is_cancelled());
        assert!(ring.find(b"two").is_some() && !two.access_ended.is_cancelled() && !stopping.is_cancelled());

        stopping.cancel();
        assert!(two.access_ended.is_cancelled());
    }

    #[test]
    fn only_the_operators_token_makes_an_operator() {
        let operator = Secret::random();
        let ring = Keyring::new(vec![key(1, b"one", None)], &operator, CancellationToken::new());
        let found = ring.find(operator.reveal().as_bytes()).unwrap();
        assert!(found.operator && found.scope == Scope::local());
        assert!(!ring.find(b"one").unwrap().operator && !ring.local().operator);
        assert!(found.oversees && ring.local().oversees && !ring.find(b"one").unwrap().oversees);
        let permits = |principal: Principal| AccessScope::ALL.map(|scope| principal.access.permits(scope));
        assert_eq!(permits(found), [true; 5]);
        assert_eq!(permits(ring.local()), [true, true, true, false, true], "without a key, no key is made");
        assert_eq!(permits(ring.find(b"one").unwrap()), [true, true, true, false, false]);
        assert_eq!((operator.reveal().len(), format!("{operator:?}").as_str()), (46, "Secret(…)"));
    }
}
