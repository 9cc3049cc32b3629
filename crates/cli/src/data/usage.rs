//! What was consumed, wherever it is kept.

use turnkit_server::UsageReport;

use super::Data;
use crate::failure::Failure;
use crate::query::UsageQuery;

impl Data {
    /// What was consumed: by all users if this process has the data, or may operate the server that has it.
    pub(crate) async fn usage(&self, query: &UsageQuery) -> Result<UsageReport, Failure> {
        match self {
            Self::Here(installation) => {
                let (tenant, (from, to)) = (&installation.scope.tenant, query.days);
                let consumed = installation.turns().consumed_by_users(tenant, from, to).await?;
                Ok(UsageReport::of(query.days, &query.dimensions, &consumed))
            }
            Self::Served(client) => Ok(client.usage(query).await?),
        }
    }
}
