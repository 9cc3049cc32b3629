//! API keys of a server, for its operator.

use turnkit_core::KeyId;
use turnkit_server::{CreatedKey, KeyBody, List, NewKey};

use super::{Client, RemoteError};

impl Client {
    /// Creates a key.
    pub(crate) async fn create_key(&self, new: &NewKey) -> Result<CreatedKey, RemoteError> {
        self.post("/api/v1/keys", new).await
    }

    /// Returns all keys, newest first.
    pub(crate) async fn keys(&self) -> Result<Vec<KeyBody>, RemoteError> {
        let (mut keys, mut cursor) = (Vec::new(), String::new());
        loop {
            let part: List<KeyBody> = self.get(&format!("/api/v1/keys?limit=200{cursor}")).await?;
            keys.extend(part.data);
            let Some(next) = part.next else { return Ok(keys) };
            cursor = format!("&cursor={next}");
        }
    }

    /// Revokes a key.
    pub(crate) async fn revoke_key(&self, key: KeyId) -> Result<(), RemoteError> {
        self.delete(&format!("/api/v1/keys/{key}")).await
    }
}
