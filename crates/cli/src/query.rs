//! What a command asks of data, here or at a server.

use turnkit_core::ports::Clock as _;
use turnkit_core::{Day, SamplingParams, SessionId, ToolUse, TurnId, TurnState, WaitId};
use turnkit_engine::SystemClock;
use turnkit_server::{UsageBy, UsageReport};

use crate::failure::Failure;

/// What the turns of a chat are begun with, besides their messages.
#[derive(Debug, Clone)]
pub(crate) struct TurnOptions {
    /// The agent that answers; absent: that of the session.
    pub(crate) agent: Option<String>,
    /// Sampling settings.
    pub(crate) params: SamplingParams,
    /// Whether tools may be used; absent: as the session has it.
    pub(crate) tools: Option<ToolUse>,
    /// The mode; absent: as the session has it.
    pub(crate) mode: Option<Box<str>>,
    /// Whether a person decides about calls that need approval.
    pub(crate) interact: bool,
}

/// Selects turns.
#[derive(Debug)]
pub(crate) struct TurnQuery {
    /// Turns of this user instead of the caller's.
    pub(crate) user: Option<String>,
    /// Only those of this session.
    pub(crate) session: Option<SessionId>,
    /// Only those in this state.
    pub(crate) state: Option<TurnState>,
    /// At most so many.
    pub(crate) limit: u32,
    /// Only those after this turn in the list.
    pub(crate) after: Option<TurnId>,
}

/// Selects what turns wait for.
#[derive(Debug)]
pub(crate) struct InteractionQuery {
    /// Only what those of this session wait for.
    pub(crate) session: Option<SessionId>,
    /// Only what is undecided.
    pub(crate) pending: bool,
    /// At most so many.
    pub(crate) limit: u32,
    /// Only those after this one in the list.
    pub(crate) after: Option<WaitId>,
}

/// Selects a report on usage.
#[derive(Debug)]
pub(crate) struct UsageQuery {
    /// The first and the last day.
    pub(crate) days: (Day, Day),
    /// What rows are about, as the user wrote it.
    pub(crate) by: String,
    /// What rows are about.
    pub(crate) dimensions: Vec<UsageBy>,
}

impl UsageQuery {
    /// Reads the options of a command; absent days have a default.
    pub(crate) fn new(from: Option<Day>, to: Option<Day>, by: &str) -> Result<Self, Failure> {
        let dimensions = UsageBy::read(by).map_err(|why| Failure::Usage(format!("--by: {why}")))?;
        let days = UsageReport::days(from, to, SystemClock.now().into());
        let days = days.map_err(|(field, why)| Failure::Usage(format!("--{field}: {why}")))?;
        Ok(Self { days, by: by.to_owned(), dimensions })
    }

    /// Returns the report if no data was ever saved.
    pub(crate) fn nothing(&self) -> UsageReport {
        UsageReport::of(self.days, &self.dimensions, &[])
    }
}
