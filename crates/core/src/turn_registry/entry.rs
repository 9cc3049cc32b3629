//! The state of one turn in its process.

use std::sync::{Arc, Weak};

use crate::{LiveTurn, StopReason, StopSignal};

/// One turn: its log, and its run or a stop that waits for a run.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) log: Log,
    pub(super) run: RunState,
}

/// The log that followers of a turn find.
#[derive(Debug, Default)]
pub(super) enum Log {
    /// No log.
    #[default]
    Absent,
    /// The log that the turn's run writes, or will write.
    Live(Arc<LiveTurn>),
    /// The log of a turn that ended a short while ago.
    Ended(Arc<LiveTurn>),
    /// The log of an ended turn, read from the store and kept alive by its followers.
    Restored(Weak<LiveTurn>),
}

/// Whether this process runs a turn.
#[derive(Debug, Default)]
pub(super) enum RunState {
    /// No run is known.
    #[default]
    Absent,
    /// No run yet: the next one stops for this reason.
    ToStop(StopReason),
    /// A run, which this signal stops.
    Present(Arc<StopSignal>),
}

impl Entry {
    /// Reports whether there is nothing left to keep.
    pub(super) fn is_vacant(&self) -> bool {
        matches!(self.run, RunState::Absent) && self.log.is_absent()
    }
}

impl Log {
    /// Returns the log, unless its followers have gone.
    pub(super) fn find(&self) -> Option<Arc<LiveTurn>> {
        match self {
            Self::Absent => None,
            Self::Live(live) | Self::Ended(live) => Some(Arc::clone(live)),
            Self::Restored(log) => log.upgrade(),
        }
    }

    /// Reports whether there is none, or none any more.
    fn is_absent(&self) -> bool {
        match self {
            Self::Absent => true,
            Self::Live(_) | Self::Ended(_) => false,
            Self::Restored(log) => log.strong_count() == 0,
        }
    }

    /// Reports whether the log is known to contain the terminal event.
    pub(super) fn has_ended(&self) -> bool {
        match self {
            Self::Absent | Self::Live(_) => false,
            Self::Ended(_) => true,
            Self::Restored(log) => log.strong_count() > 0,
        }
    }
}

impl RunState {
    /// Returns why the turn is to stop, if it is.
    pub(super) fn stop_reason(&self) -> Option<StopReason> {
        match self {
            Self::Absent => None,
            Self::ToStop(reason) => Some(*reason),
            Self::Present(stop) => stop.reason(),
        }
    }

    /// Reports whether the present run is the one with this signal.
    pub(super) fn is(&self, stop: &Arc<StopSignal>) -> bool {
        matches!(self, Self::Present(present) if Arc::ptr_eq(present, stop))
    }
}
