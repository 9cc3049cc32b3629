//! Grants of tools on a server.

use turnkit_core::GrantId;
use turnkit_core::ports::GrantPage;
use turnkit_server::{GrantBody, List};

use super::{Client, RemoteError, parameter};

impl Client {
    /// Returns the caller's grants, newest first.
    pub(crate) async fn grants(&self, page: GrantPage) -> Result<List<GrantBody>, RemoteError> {
        let cursor = page.after.map(|grant| parameter("cursor", &grant.to_string())).unwrap_or_default();
        self.get(&format!("/api/v1/grants?limit={}{cursor}", page.limit)).await
    }

    /// Revokes a grant.
    pub(crate) async fn revoke_grant(&self, grant: GrantId) -> Result<(), RemoteError> {
        self.delete(&format!("/api/v1/grants/{grant}")).await
    }
}
