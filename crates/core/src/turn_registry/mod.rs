//! The registry of the turns of one process, used to run, follow and stop them.

mod entry;
mod table;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::entry::{Log, RunState};
use self::table::Table;
use crate::{LiveTurn, StopReason, StopSignal, Timestamp, TurnId, TurnLog};

/// The turns that this process runs, publishes or is to stop, by id. It holds in-memory state only: the store is
/// authoritative, so losing the registry loses no data. The caller passes in the time.
///
/// ```
/// use turnkit_core::{Fence, LiveTurn, SessionId, StopReason, Timestamp, TurnId, TurnLog, TurnRegistry};
///
/// let (turns, turn, now) = (TurnRegistry::default(), TurnId::default(), Timestamp::default());
/// turns.open(turn, LiveTurn::new(TurnLog::new(SessionId::default(), turn, 1, Fence(1))), now);
/// assert!(turns.find(turn).is_some());
///
/// let run = turns.begin_run(turn, None);
/// assert!(turns.stop(turn, StopReason::Cancelled));
/// assert_eq!(run.stop().reason(), Some(StopReason::Cancelled));
/// ```
#[derive(Debug, Default)]
pub struct TurnRegistry {
    table: Mutex<Table>,
}

/// One run of a turn by this process, from its start until [`TurnRegistry::end_run`].
#[derive(Debug)]
pub struct TurnRun {
    turn: TurnId,
    stop: Arc<StopSignal>,
}

impl TurnRun {
    /// Returns the signal that asks this run to stop.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }
}

impl TurnRegistry {
    /// Begins a run of a turn. The run is to stop if its claim carries a `stop`, or if a stop was requested before.
    /// Such a request also carries over from an earlier run that has lost the turn and has not ended yet.
    pub fn begin_run(&self, turn: TurnId, stop: Option<StopReason>) -> TurnRun {
        let mut table = self.lock();
        let entry = table.entries.entry(turn).or_default();
        let stop = Arc::new(StopSignal::with(stop.or_else(|| entry.run.stop_reason())));
        entry.run = RunState::Present(Arc::clone(&stop));
        TurnRun { turn, stop }
    }

    /// Publishes the log of a turn to followers. If a log is published already, keeps and returns that one.
    pub fn open(&self, turn: TurnId, live: Arc<LiveTurn>, now: Timestamp) -> Arc<LiveTurn> {
        let mut table = self.lock();
        table.drop_old(now);
        let entry = table.entries.entry(turn).or_default();
        if let Some(found) = entry.log.find() {
            return found;
        }
        entry.log = Log::Live(Arc::clone(&live));
        live
    }

    /// Publishes the log of this run in place of an earlier one. Followers of the earlier log reach its end here. A run
    /// that has lost the turn to a later run changes nothing.
    pub fn replace(&self, run: &TurnRun, live: Arc<LiveTurn>) {
        let before = {
            let mut table = self.lock();
            match table.entries.get_mut(&run.turn) {
                Some(entry) if entry.run.is(&run.stop) => std::mem::replace(&mut entry.log, Log::Live(live)),
                _ => return,
            }
        };
        if let Log::Live(before) = before {
            before.close();
        }
    }

    /// Ends a run: it writes nothing more, and followers reach the end of its log. If the terminal event was written,
    /// the log is kept for a while, otherwise it is dropped. If a later run has begun, that run ends the log.
    pub fn end_run(&self, run: &TurnRun, now: Timestamp) {
        let live = {
            let mut table = self.lock();
            match table.entries.get_mut(&run.turn) {
                Some(entry) if entry.run.is(&run.stop) => entry.run = RunState::Absent,
                _ => return,
            }
            table.conclude(run.turn, now)
        };
        if let Some(live) = live {
            live.close();
        }
    }

    /// Withdraws the log of a turn that no run has begun, because the turn was dropped from its queue or deleted. The
    /// log is closed as by [`end_run`](Self::end_run), unless another log has been published.
    pub fn withdraw(&self, turn: TurnId, live: &Arc<LiveTurn>, now: Timestamp) {
        {
            let mut table = self.lock();
            let Some(entry) = table.entries.get(&turn) else { return };
            let is_shown = matches!(&entry.log, Log::Live(shown) if Arc::ptr_eq(shown, live));
            if !is_shown || matches!(entry.run, RunState::Present(_)) {
                return;
            }
            table.conclude(turn, now);
        }
        live.close();
    }

    /// Returns the log of a turn that runs, is queued or ended recently, or a log that was [shared](Self::share) and
    /// still has followers.
    pub fn find(&self, turn: TurnId) -> Option<Arc<LiveTurn>> {
        self.lock().entries.get(&turn)?.log.find()
    }

    /// Shares a log that was read from the store with other followers of the turn. If another caller shared one first,
    /// returns that one. Only the log of an ended turn is shared, because any other log would soon be out of date.
    pub fn share(&self, turn: TurnId, log: Arc<LiveTurn>) -> Arc<LiveTurn> {
        if !log.read(TurnLog::has_ended) {
            return log;
        }
        let mut table = self.lock();
        table.make_room();
        let entry = table.entries.entry(turn).or_default();
        match &entry.log {
            Log::Live(_) => return log,
            found => {
                if let Some(found) = found.find() {
                    return found;
                }
            }
        }
        entry.log = Log::Restored(Arc::downgrade(&log));
        log
    }

    /// Requests a stop of a turn. The first reason is kept. Returns `true` if nothing is left to do, because the run
    /// was signalled or the turn has ended. Otherwise the next run inherits the stop; if there will be no run,
    /// [`forget_stop`](Self::forget_stop) drops it.
    pub fn stop(&self, turn: TurnId, reason: StopReason) -> bool {
        let signal = {
            let mut table = self.lock();
            let entry = table.entries.entry(turn).or_default();
            match &entry.run {
                _ if entry.log.has_ended() => return true,
                RunState::Present(signal) => Arc::clone(signal),
                RunState::ToStop(_) => return false,
                RunState::Absent => {
                    entry.run = RunState::ToStop(reason);
                    return false;
                }
            }
        };
        signal.raise(reason);
        true
    }

    /// Drops a requested stop that no run has inherited, because the turn has ended.
    pub fn forget_stop(&self, turn: TurnId) {
        let mut table = self.lock();
        let Some(entry) = table.entries.get_mut(&turn) else { return };
        if matches!(entry.run, RunState::ToStop(_)) {
            entry.run = RunState::Absent;
        }
        if entry.is_vacant() {
            table.entries.remove(&turn);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
