//! Deaths of processes that were running a turn.

use crate::TurnId;

/// The deaths of processes that were running a turn, since the turn's last checkpoint. A handover when a process stops
/// is not a death.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deaths {
    /// The number of deaths.
    pub count: u32,
    /// The turn's share of the blame, in thousandths of a death. A death is shared by all turns that were running at
    /// that moment.
    pub blame: u32,
}

impl Deaths {
    /// The blame for one death if no other turn was running.
    pub const WHOLE: u32 = 1_000;
    /// A turn is suspended after this many deaths: it runs only some time after the next process has started.
    pub const SUSPICIOUS: u32 = 2;

    /// Returns the blame for each of the `turns` turns that were running when their process died.
    pub fn share(turns: u32) -> u32 {
        (Self::WHOLE / turns.max(1)).max(1)
    }

    /// Adds a death, with the turn's share of its blame.
    #[must_use]
    pub fn and(self, blame: u32) -> Self {
        Self { count: self.count.saturating_add(1), blame: self.blame.saturating_add(blame) }
    }

    /// Clears the turn's blame, because a process died while the turn was suspended.
    #[must_use]
    pub fn without_blame(self) -> Self {
        Self { blame: 0, ..self }
    }
}

/// A turn without an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrphanedTurn {
    /// The turn.
    pub turn: TurnId,
    /// Process deaths charged to the turn since its last checkpoint.
    pub deaths: Deaths,
}
