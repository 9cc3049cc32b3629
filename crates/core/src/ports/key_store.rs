//! Storage of the API keys by which a server authenticates clients.

use super::BoxFuture;
use crate::{AccessScopes, KeyId, Scope, StoreError, Timestamp};

/// An API key in its stored form: the hash of the secret, not the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The public id of the key.
    pub id: KeyId,
    /// The name that its owner gave the key.
    pub name: Box<str>,
    /// The scope that the key gives access to.
    pub scope: Scope,
    /// The requests that the key permits.
    pub access: AccessScopes,
    /// SHA-256 of the secret.
    pub sha256: [u8; 32],
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key was revoked, if it was.
    pub revoked_at: Option<Timestamp>,
}

/// Stores the API keys of all owners. Its methods take no [`Scope`], because scopes are derived from keys. Only
/// administration and authentication code may hold a key store.
pub trait KeyStore: Send + Sync {
    /// Stores a key.
    ///
    /// # Errors
    /// Storage failed, or a key with this id or this secret exists already.
    fn add_key(&self, key: ApiKey) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Returns all keys, including revoked ones, in the order in which they were added.
    ///
    /// # Errors
    /// Storage failed.
    fn keys(&self) -> BoxFuture<'_, Result<Vec<ApiKey>, StoreError>>;

    /// Revokes a key. Revoking it again keeps the first time.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn revoke_key(&self, key: KeyId, at: Timestamp) -> BoxFuture<'_, Result<(), StoreError>>;
}
