//! API keys in the store of this process.

use turnkit_core::ports::{Clock, KeyStore};
use turnkit_core::{KeyId, Scope, StoreError};
use turnkit_engine::{RandomIds, SystemClock};
use turnkit_server::{CreatedKey, NewKey};

use super::Installation;
use crate::failure::Failure;

impl Installation {
    /// Returns the key store, to list keys.
    pub(crate) fn keys(&self) -> &dyn KeyStore {
        self.store.as_ref()
    }

    /// Creates a key in the same way as a server.
    pub(crate) async fn create_key(&self, new: NewKey) -> Result<CreatedKey, Failure> {
        let made = new.generate(&Scope::local(), &SystemClock, &RandomIds);
        let (key, made) = made.map_err(|error| Failure::Usage(error.message().to_owned()))?;
        self.store.add_key(key).await?;
        Ok(made)
    }

    /// Revokes a key.
    pub(crate) async fn revoke_key(&self, key: KeyId) -> Result<(), StoreError> {
        self.store.revoke_key(key, SystemClock.now()).await
    }
}
