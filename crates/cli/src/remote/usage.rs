//! What was consumed at a server.

use turnkit_server::UsageReport;

use super::{Client, RemoteError};
use crate::data::UsageWanted;

impl Client {
    /// What was consumed.
    pub(crate) async fn usage(&self, wanted: &UsageWanted) -> Result<UsageReport, RemoteError> {
        let ((from, to), by) = (wanted.days, wanted.by.replace(' ', ""));
        self.get(&format!("/api/v1/usage?from={from}&to={to}&by={by}")).await
    }
}
