//! What was consumed, wherever it is kept.

use turnkit_core::Day;
use turnkit_core::ports::Clock as _;
use turnkit_engine::SystemClock;
use turnkit_server::{UsageBy, UsageReport};

use super::Data;
use crate::failure::Failure;

/// Which report is asked for.
#[derive(Debug)]
pub(crate) struct UsageWanted {
    /// The first and the last day.
    pub(crate) days: (Day, Day),
    /// What rows are about, as it was said.
    pub(crate) by: String,
    read: Vec<UsageBy>,
}

impl UsageWanted {
    /// A report on these days; some are usual.
    pub(crate) fn new(from: Option<Day>, to: Option<Day>, by: &str) -> Result<Self, Failure> {
        let read = UsageBy::read(by).map_err(|why| Failure::Usage(format!("--by: {why}")))?;
        let days = UsageReport::days(from, to, SystemClock.now().into());
        let days = days.map_err(|(field, why)| Failure::Usage(format!("--{field}: {why}")))?;
        Ok(Self { days, by: by.to_owned(), read })
    }

    /// The report where nothing was ever saved.
    pub(crate) fn nothing(&self) -> UsageReport {
        UsageReport::of(self.days, &self.read, &[])
    }
}

impl Data {
    /// What was consumed: by all users if this process has the data, or may operate the server that has it.
    pub(crate) async fn usage(&self, wanted: &UsageWanted) -> Result<UsageReport, Failure> {
        match self {
            Self::Here(installation) => {
                let (tenant, (from, to)) = (&installation.scope.tenant, wanted.days);
                let consumed = installation.turns().consumed_by_users(tenant, from, to).await?;
                Ok(UsageReport::of(wanted.days, &wanted.read, &consumed))
            }
            Self::Served(client) => Ok(client.usage(wanted).await?),
        }
    }
}
