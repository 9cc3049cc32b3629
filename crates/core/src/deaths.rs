//! Deaths of the processes that ran a turn.

use crate::TurnId;

/// Processes that died while they ran a turn, since its last checkpoint. Handing a turn over at a stop counts nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Deaths {
    /// How many died.
    pub count: u32,
    /// The turn's share of the blame, in thousandths of a death: a death is shared by all turns that ran at that moment.
    pub blame: u32,
}

impl Deaths {
    /// The blame for one death, where no other turn ran.
    pub const WHOLE: u32 = 1_000;
    /// After so many deaths a turn is suspended: it runs only some time after the next process has begun.
    pub const SUSPICIOUS: u32 = 2;

    /// The blame of each of `turns` that ran when their process died.
    pub fn share(turns: u32) -> u32 {
        (Self::WHOLE / turns.max(1)).max(1)
    }

    /// Adds a death of which the turn bears `blame`.
    #[must_use]
    pub fn and(self, blame: u32) -> Self {
        Self { count: self.count.saturating_add(1), blame: self.blame.saturating_add(blame) }
    }

    /// Clears the turn of its blame: a process died while the turn was suspended.
    #[must_use]
    pub fn acquitted(self) -> Self {
        Self { blame: 0, ..self }
    }
}

/// A turn without an owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unfinished {
    /// The turn.
    pub turn: TurnId,
    /// Deaths charged to it since its last checkpoint.
    pub deaths: Deaths,
}
