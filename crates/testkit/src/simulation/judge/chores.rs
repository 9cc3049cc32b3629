//! Invariants of chores, which are compactions that no client requested.

use turnkit_core::{EventKind, Fence, StopReason, TurnKind};

use super::Verdict;
use super::turn::Turn;
use crate::model_store::Disk;

/// Checks that a chore begins at once, after a client's turn. If a message supersedes it, it must not have written
/// anything.
pub(super) fn chores_give_way(disk: &Disk, turns: &[Turn]) -> Verdict {
    turns.iter().filter(|turn| is_chore(turn)).try_for_each(|chore| {
        let at = |number| {
            let mut turns = turns.iter().filter(|turn| turn.record.session == chore.record.session);
            turns.find(|turn| turn.record.number == number)
        };
        let number = chore.record.number;
        if at(number - 1).is_none_or(is_chore) {
            return Err(format!("chore {number} follows no turn of a client"));
        }
        if has_waited(chore) {
            return Err(format!("chore {number} has waited for its session"));
        }
        let stop = disk.stop_of(chore.record.id);
        if stop == Some(StopReason::Superseded) && chore.has_summary() {
            return Err(format!("chore {number} wrote a summary after a message had stopped it"));
        }
        if stop.is_none() && at(number + 1).is_some_and(has_waited) {
            return Err(format!("turn {} has waited for chore {number}", number + 1));
        }
        Ok(())
    })
}

fn is_chore(turn: &Turn) -> bool {
    matches!(turn.events.first().map(|event| &event.kind), Some(EventKind::TurnStarted { kind: TurnKind::Compact, .. }))
}

/// Returns `true` if the session was busy when the turn was accepted.
fn has_waited(turn: &Turn) -> bool {
    turn.logged.chunks.first().is_some_and(|chunk| chunk.fence == Fence(0))
}
