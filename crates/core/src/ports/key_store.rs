//! Where the keys are kept by which clients of a server are known.

use super::BoxFuture;
use crate::{KeyId, Scope, StoreError, Timestamp};

/// A key as it is stored: not the secret, only what it is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// Its public id.
    pub id: KeyId,
    /// What its owner calls it.
    pub name: Box<str>,
    /// On whose behalf it speaks.
    pub scope: Scope,
    /// SHA-256 of the secret.
    pub sha256: [u8; 32],
    /// When it was made.
    pub created_at: Timestamp,
    /// Since when it is worth nothing any more.
    pub revoked_at: Option<Timestamp>,
}

/// Keeps the keys of all owners. It takes no [`Scope`], because a key is what a scope is made from: only administration
/// and authentication may have one.
pub trait KeyStore: Send + Sync {
    /// Stores a key.
    ///
    /// # Errors
    /// Storage failed, or a key with this id or this secret is there already.
    fn add_key(&self, key: ApiKey) -> BoxFuture<'_, Result<(), StoreError>>;

    /// All keys, revoked ones included, in the order they were added.
    ///
    /// # Errors
    /// Storage failed.
    fn keys(&self) -> BoxFuture<'_, Result<Vec<ApiKey>, StoreError>>;

    /// Makes a key worthless. The first moment stays.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn revoke_key(&self, key: KeyId, at: Timestamp) -> BoxFuture<'_, Result<(), StoreError>>;
}
