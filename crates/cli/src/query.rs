//! Queries of commands, for local data and for a server.

use turnkit_core::ports::Clock as _;
use turnkit_core::{Day, SamplingParams, SessionId, ToolUse, TurnId, TurnState, WaitId};
use turnkit_engine::SystemClock;
use turnkit_server::{UsageBy, UsageReport};

use crate::failure::Failure;

/// The options of a chat's turns, besides their messages.
#[derive(Debug, Clone)]
pub(crate) struct TurnOptions {
    /// The agent that answers. Absent: the agent of the session.
    pub(crate) agent: Option<String>,
    /// Sampling settings.
    pub(crate) params: SamplingParams,
    /// Whether tools may be used. Absent: the setting of the session.
    pub(crate) tools: Option<ToolUse>,
    /// The mode. Absent: the setting of the session.
    pub(crate) mode: Option<Box<str>>,
    /// Whether a person decides calls that need approval.
    pub(crate) interact: bool,
}

/// Selects turns.
#[derive(Debug)]
pub(crate) struct TurnQuery {
    /// Turns of this user instead of the caller's.
    pub(crate) user: Option<String>,
    /// Only turns of this session.
    pub(crate) session: Option<SessionId>,
    /// Only turns in this state.
    pub(crate) state: Option<TurnState>,
    /// The largest number of turns.
    pub(crate) limit: u32,
    /// Only turns after this one in the list.
    pub(crate) after: Option<TurnId>,
}

/// Selects interactions of turns.
#[derive(Debug)]
pub(crate) struct InteractionQuery {
    /// Only interactions of this session, and of the sub-agents below.
    pub(crate) session: Option<SessionId>,
    /// Only interactions of this turn, and of the sub-agents below.
    pub(crate) turn: Option<TurnId>,
    /// Only interactions without a decision.
    pub(crate) pending: bool,
    /// The largest number of interactions.
    pub(crate) limit: u32,
    /// Only interactions after this one in the list.
    pub(crate) after: Option<WaitId>,
}

/// Selects a usage report.
#[derive(Debug)]
pub(crate) struct UsageQuery {
    /// The first and the last day.
    pub(crate) days: (Day, Day),
    /// The grouping of the rows, as the user wrote it.
    pub(crate) by: String,
    /// The dimensions by which rows are grouped.
    pub(crate) dimensions: Vec<UsageBy>,
}

impl UsageQuery {
    /// Parses the options of a command. Absent days get a default.
    pub(crate) fn new(from: Option<Day>, to: Option<Day>, by: &str) -> Result<Self, Failure> {
        let dimensions = UsageBy::read(by).map_err(|why| Failure::Usage(format!("--by: {why}")))?;
        let days = UsageReport::days(from, to, SystemClock.now().into());
        let days = days.map_err(|(field, why)| Failure::Usage(format!("--{field}: {why}")))?;
        Ok(Self { days, by: by.to_owned(), dimensions })
    }

    /// Returns the report of an installation without data.
    pub(crate) fn nothing(&self) -> UsageReport {
        UsageReport::of(self.days, &self.dimensions, &[])
    }
}
