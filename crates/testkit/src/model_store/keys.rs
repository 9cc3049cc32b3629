//! API keys of a server's clients.

use turnkit_core::ports::{ApiKey, BoxFuture, KeyStore};
use turnkit_core::{KeyId, StoreError, Timestamp};

use super::ModelStore;

impl KeyStore for ModelStore {
    fn add_key(&self, key: ApiKey) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.commit_as_holder(|rows, _| {
            if rows.api_keys.iter().any(|known| known.id == key.id || known.sha256 == key.sha256) {
                return Err(StoreError::Unavailable("the key is there already".to_owned()));
            }
            rows.unsynced = None;
            rows.api_keys.push(key);
            Ok(())
        }))
    }

    fn keys(&self) -> BoxFuture<'_, Result<Vec<ApiKey>, StoreError>> {
        Box::pin(self.commit(|rows, _| Ok(rows.api_keys.clone())))
    }

    fn revoke_key(&self, key: KeyId, at: Timestamp) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| {
            let found = rows.api_keys.iter_mut().find(|known| known.id == key).ok_or(StoreError::NotFound)?;
            found.revoked_at.get_or_insert(at);
            rows.unsynced = None;
            Ok(())
        }))
    }
}
