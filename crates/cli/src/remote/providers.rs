//! Providers of a server.

use serde_json::json;
use turnkit_server::{List, ProviderBody};

use super::{Client, RemoteError, escaped, parameter};

impl Client {
    /// Returns all providers, in the order of the configuration.
    pub(crate) async fn providers(&self) -> Result<Vec<ProviderBody>, RemoteError> {
        let (mut providers, mut cursor) = (Vec::new(), String::new());
        loop {
            let part: List<ProviderBody> = self.get(&format!("/api/v1/providers?limit=200{cursor}")).await?;
            providers.extend(part.data);
            let Some(next) = part.next else { return Ok(providers) };
            cursor = parameter("cursor", &next);
        }
    }

    /// Forgets which capabilities a provider was found to lack, and sends it a small request. If it answers, it is
    /// thawed.
    pub(crate) async fn thaw_provider(&self, id: &str) -> Result<(), RemoteError> {
        let thawed: ProviderBody = self.post(&format!("/api/v1/providers/{}/thaw", escaped(id)), &json!({})).await?;
        tracing::debug!(provider = thawed.id, "thawed");
        Ok(())
    }
}
