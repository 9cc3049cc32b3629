//! Providers of a server.

use serde_json::json;
use turnkit_server::{List, ProviderBody};

use super::{Client, RemoteError};

impl Client {
    /// All of them, as they are configured.
    pub(crate) async fn providers(&self) -> Result<Vec<ProviderBody>, RemoteError> {
        let (mut providers, mut cursor) = (Vec::new(), String::new());
        loop {
            let part: List<ProviderBody> = self.get(&format!("/api/v1/providers?limit=200{cursor}")).await?;
            providers.extend(part.data);
            let Some(next) = part.next else { return Ok(providers) };
            cursor = format!("&cursor={}", in_path(&next));
        }
    }

    /// Forgets what one was found to lack, and asks it for a word.
    pub(crate) async fn thaw_provider(&self, id: &str) -> Result<(), RemoteError> {
        let thawed: ProviderBody = self.post(&format!("/api/v1/providers/{}/thaw", in_path(id)), &json!({})).await?;
        tracing::debug!(provider = thawed.id, "thawed");
        Ok(())
    }
}

/// An id as a part of an address: it may hold anything.
fn in_path(id: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let escaped = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    id.bytes().map(escaped).collect()
}
