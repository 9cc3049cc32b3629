//! API keys, local or on a server.

use turnkit_core::{KeyId, StoreError};
use turnkit_server::{CreatedKey, KeyBody, NewKey};

use super::Data;
use crate::failure::Failure;

impl Data {
    /// Creates a key.
    pub(crate) async fn create_key(&self, new: NewKey) -> Result<CreatedKey, Failure> {
        match self {
            Self::Local(installation) => installation.create_key(new).await,
            Self::Remote(client) => Ok(client.create_key(&new).await?),
        }
    }

    /// Returns all keys, newest first.
    pub(crate) async fn keys(&self) -> Result<Vec<KeyBody>, Failure> {
        match self {
            Self::Local(installation) => {
                let keys = installation.keys().keys().await?;
                Ok(keys.into_iter().rev().map(KeyBody::from).collect())
            }
            Self::Remote(client) => Ok(client.keys().await?),
        }
    }

    /// Revokes a key. A server closes the key's open streams.
    pub(crate) async fn revoke_key(&self, key: KeyId) -> Result<(), Failure> {
        let no_such = || Failure::Failed(format!("there is no key {key}; `turnkit keys ls` lists them"));
        match self {
            Self::Local(installation) => installation.revoke_key(key).await.map_err(|error| match error {
                StoreError::NotFound => no_such(),
                error => error.into(),
            }),
            Self::Remote(client) => client.revoke_key(key).await.map_err(|error| match error {
                error if error.is_not_found() => no_such(),
                error => error.into(),
            }),
        }
    }
}
