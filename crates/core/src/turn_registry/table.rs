//! The table of a registry's entries, and their retention.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry as Slot, HashMap};
use std::sync::Arc;
use std::time::Duration;

use super::entry::{Entry, Log};
use crate::{LiveTurn, Timestamp, TurnId};

/// How long an ended turn stays available from memory.
const KEEP_ENDED: Duration = Duration::from_secs(60);
/// The most bytes of ended turns that are kept.
const KEEP_BYTES: usize = 64 * 1024 * 1024;
/// The minimum number of restored logs to add before the next cleanup of those without followers.
const CLEAR_AFTER: usize = 64;

/// The entries by turn. The registry locks the table.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) entries: HashMap<TurnId, Entry>,
    /// Turns whose log is [`Log::Ended`], oldest first.
    ended: VecDeque<Ended>,
    ended_bytes: usize,
    /// The number of restored logs that can be added before the next cleanup.
    until_clearing: usize,
}

#[derive(Debug)]
struct Ended {
    turn: TurnId,
    at: Timestamp,
    bytes: usize,
}

impl Table {
    /// Returns the live log of a turn whose run has ended, for the caller to close once the registry is unlocked. A log
    /// with its terminal event is kept for a while; any other log is dropped, together with an entry that is then
    /// vacant.
    pub(super) fn conclude(&mut self, turn: TurnId, now: Timestamp) -> Option<Arc<LiveTurn>> {
        let Slot::Occupied(mut slot) = self.entries.entry(turn) else { return None };
        let entry = slot.get_mut();
        let live = match &entry.log {
            Log::Live(live) => Some(Arc::clone(live)),
            _ => None,
        };
        if let Some(live) = &live {
            entry.log = match live.read(|log| log.has_ended().then(|| log.bytes())) {
                Some(bytes) => {
                    self.ended_bytes += bytes;
                    self.ended.push_back(Ended { turn, at: now, bytes });
                    Log::Ended(Arc::clone(live))
                }
                None => Log::Absent,
            };
        }
        if entry.is_vacant() {
            slot.remove();
        }
        self.drop_old(now);
        live
    }

    /// Drops ended turns that are too old, or that exceed the memory limit. Followers keep the logs that they read.
    pub(super) fn drop_old(&mut self, now: Timestamp) {
        while let Some(oldest) = self.ended.front() {
            if now.since(oldest.at) < KEEP_ENDED && self.ended_bytes <= KEEP_BYTES {
                break;
            }
            self.ended_bytes -= oldest.bytes;
            self.entries.remove(&oldest.turn);
            self.ended.pop_front();
        }
    }

    /// Makes room for one more restored log. Entries without followers are cleaned up only after as many additions as
    /// there are entries, so the amortized cost per addition is constant.
    pub(super) fn make_room(&mut self) {
        if self.until_clearing == 0 {
            self.entries.retain(|_, entry| !entry.is_vacant());
            self.until_clearing = self.entries.len().max(CLEAR_AFTER);
        }
        self.until_clearing -= 1;
    }
}
