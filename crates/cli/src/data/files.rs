//! Files, local or on a server.

use futures_util::{StreamExt as _, stream};
use turnkit_core::ports::{Clock as _, IdSource as _};
use turnkit_core::{BlobId, NewBlob};
use turnkit_engine::{RandomIds, SystemClock};

use super::Data;
use crate::failure::Failure;
use crate::terminal::harmless;

impl Data {
    /// Stores a file. Returns its id and the media type of its content.
    pub(crate) async fn upload(&self, name: &str, content: Vec<u8>) -> Result<(BlobId, String), Failure> {
        let name = harmless(name);
        match self {
            Self::Local(installation) => {
                let at = SystemClock.now();
                let new = NewBlob { id: RandomIds.blob(at), name: name.into(), at };
                let content = stream::iter([Ok(content.into())]).boxed();
                let stored = installation.files().put(&installation.scope, new, content).await?;
                Ok((stored.id, stored.media_type.into()))
            }
            Self::Remote(client) => {
                let stored = client.upload(&name, content).await?;
                Ok((stored.id, stored.media_type))
            }
        }
    }
}
