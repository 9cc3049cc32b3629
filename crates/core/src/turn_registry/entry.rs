//! The in-process state of one turn.

use std::sync::{Arc, Weak};

use crate::{LiveTurn, StopReason, StopSignal};

/// The state of one turn: its log, and its run or the stop request that its next run inherits.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) log: Log,
    pub(super) run: RunState,
}

/// The log that followers of the turn find.
#[derive(Debug, Default)]
pub(super) enum Log {
    /// No log.
    #[default]
    Absent,
    /// The log that the turn's run writes, or will write.
    Live(Arc<LiveTurn>),
    /// The log of a turn that ended recently.
    Ended(Arc<LiveTurn>),
    /// The log of an ended turn, read from the store and kept alive by its followers.
    Restored(Weak<LiveTurn>),
}

/// Whether this process runs the turn.
#[derive(Debug, Default)]
pub(super) enum RunState {
    /// There is no run, and no stop was requested.
    #[default]
    Absent,
    /// There is no run yet. The next run stops for this reason.
    ToStop(StopReason),
    /// The turn is running. The signal stops the run.
    Present(Arc<StopSignal>),
}

impl Entry {
    /// Returns `true` if the entry can be removed.
    pub(super) fn is_vacant(&self) -> bool {
        matches!(self.run, RunState::Absent) && self.log.is_absent()
    }
}

impl Log {
    /// Returns the log, unless it was dropped with its last follower.
    pub(super) fn find(&self) -> Option<Arc<LiveTurn>> {
        match self {
            Self::Absent => None,
            Self::Live(live) | Self::Ended(live) => Some(Arc::clone(live)),
            Self::Restored(log) => log.upgrade(),
        }
    }

    /// Returns `true` if there is no log, or it was dropped with its last follower.
    fn is_absent(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Live(_) | Self::Ended(_) => false,
            Self::Restored(log) => log.strong_count() == 0,
        }
    }

    /// Returns `true` if the log is known to contain the terminal event.
    pub(super) fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Live(_) => false,
            Self::Ended(_) => true,
            Self::Restored(log) => log.strong_count() > 0,
        }
    }
}

impl RunState {
    /// Returns the reason to stop the turn, if a stop was requested.
    pub(super) fn stop_reason(&self) -> Option<StopReason> {
        match self {
            Self::Absent => None,
            Self::ToStop(reason) => Some(*reason),
            Self::Present(stop) => stop.reason(),
        }
    }

    /// Returns `true` if this signal belongs to the present run.
    pub(super) fn is(&self, stop: &Arc<StopSignal>) -> bool {
        matches!(self, Self::Present(present) if Arc::ptr_eq(present, stop))
    }
}
