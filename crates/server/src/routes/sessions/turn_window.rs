//! The range of a session's turns in a page, by turn number.

use std::ops::Range;

/// A range of turns relative to a turn number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnWindow {
    /// Turns with lower numbers.
    Before(u32),
    /// Turns with higher numbers.
    After(u32),
    /// The turn with this number, and the turns on both sides of it.
    Around(u32),
}

impl TurnWindow {
    /// Returns the numbers of at most `limit` turns, in a session whose turns are numbered from 1 to `last`.
    pub(super) fn numbers(self, limit: u32, last: u32) -> Range<u32> {
        let end = last.saturating_add(1);
        match self {
            Self::Before(number) => back(number.clamp(1, end), limit),
            Self::After(number) => {
                let start = number.saturating_add(1).min(end);
                start..start.saturating_add(limit).min(end)
            }
            Self::Around(number) => {
                let start = number.min(last).saturating_sub(limit / 2).max(1);
                back(start.saturating_add(limit).min(end), limit)
            }
        }
    }

    /// Returns the number in or next to `numbers` whose nearest turns are wanted first.
    pub(super) fn center(self, numbers: &Range<u32>) -> u32 {
        match self {
            Self::Before(_) => numbers.end,
            Self::After(_) => numbers.start,
            Self::Around(number) => number.clamp(numbers.start, numbers.end),
        }
    }
}

/// Returns the numbers of at most `limit` turns before `end`. Numbers start at 1.
fn back(end: u32, limit: u32) -> Range<u32> {
    end.saturating_sub(limit).max(1)..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_the_numbers_next_to_the_one_asked_for() {
        use TurnWindow::{After, Around, Before};
        for (window, limit, last, numbers, center) in [
            (Before(u32::MAX), 3, 10, 8..11, 11),
            (Before(8), 3, 10, 5..8, 8),
            (Before(2), 3, 10, 1..2, 2),
            (Before(1), 3, 10, 1..1, 1),
            (Before(0), 3, 10, 1..1, 1),
            (After(0), 3, 10, 1..4, 1),
            (After(8), 3, 10, 9..11, 9),
            (After(10), 3, 10, 11..11, 11),
            (After(u32::MAX), 3, 10, 11..11, 11),
            (Around(5), 3, 10, 4..7, 5),
            (Around(5), 4, 10, 3..7, 5),
            (Around(5), 1, 10, 5..6, 5),
            (Around(1), 4, 10, 1..5, 1),
            (Around(10), 4, 10, 7..11, 10),
            (Around(99), 4, 10, 7..11, 11),
            (Before(u32::MAX), 3, 0, 1..1, 1),
            (Around(1), 3, 0, 1..1, 1),
        ] {
            let found = window.numbers(limit, last);
            assert_eq!((found.clone(), window.center(&found)), (numbers, center), "{window:?} of {last}");
        }
    }
}
