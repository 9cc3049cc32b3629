//! Usage on a server.

use turnkit_server::UsageReport;

use super::{Client, RemoteError};
use crate::query::UsageQuery;

impl Client {
    /// Returns a usage report.
    pub(crate) async fn usage(&self, query: &UsageQuery) -> Result<UsageReport, RemoteError> {
        let ((from, to), by) = (query.days, query.by.replace(' ', ""));
        self.get(&format!("/api/v1/usage?from={from}&to={to}&by={by}")).await
    }
}
