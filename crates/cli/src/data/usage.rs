//! Usage, local or on a server.

use turnkit_server::UsageReport;

use super::Data;
use crate::failure::Failure;
use crate::query::UsageQuery;

impl Data {
    /// Returns usage: that of all users if this process has the data or may operate its server.
    pub(crate) async fn usage(&self, query: &UsageQuery) -> Result<UsageReport, Failure> {
        match self {
            Self::Local(installation) => {
                let (tenant, (from, to)) = (&installation.scope.tenant, query.days);
                let consumed = installation.turns().consumed_by_users(tenant, from, to).await?;
                Ok(UsageReport::of(query.days, &query.dimensions, &consumed))
            }
            Self::Remote(client) => Ok(client.usage(query).await?),
        }
    }
}
