//! The turns of one process, for those who run, follow and stop them.

mod entry;
mod table;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::entry::{Log, RunState};
use self::table::Table;
use crate::{LiveTurn, StopReason, StopSignal, Timestamp, TurnId, TurnLog};

/// The turns that this process runs, shows or is to stop, by id. It holds memory only: the store has the truth, and
/// nothing would be missed if the registry were lost. The caller passes in the time.
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
    /// The signal that asks this run to stop.
    pub fn stop(&self) -> &StopSignal {
        &self.stop
    }
}

impl TurnRegistry {
    /// Begins a run of the turn. It is to stop if its claim says so with `stop`, or if a stop was requested before, even of
    /// a run which has lost the turn and has not ended yet.
    pub fn begin_run(&self, turn: TurnId, stop: Option<StopReason>) -> TurnRun {
        let mut table = self.lock();
        let entry = table.entries.entry(turn).or_default();
        let stop = Arc::new(StopSignal::with(stop.or_else(|| entry.run.stop_reason())));
        entry.run = RunState::Present(Arc::clone(&stop));
        TurnRun { turn, stop }
    }

    /// Lets followers find the log of a turn from now on. If there is one already, that stays and is returned.
    pub fn open(&self, turn: TurnId, live: Arc<LiveTurn>, now: Timestamp) -> Arc<LiveTurn> {
        let mut table = self.lock();
        table.forget_old(now);
        let entry = table.entries.entry(turn).or_default();
        if let Some(found) = entry.log.find() {
            return found;
        }
        entry.log = Log::Live(Arc::clone(&live));
        live
    }

    /// Lets followers find the log of this run in place of an earlier one. Followers of the earlier log reach its end here. A
    /// run that has lost the turn to a later one changes nothing.
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

    /// Ends a run: it writes no more, and followers reach the end of its log. If the terminal event was written, the log
    /// can be found for a while yet, otherwise it is forgotten. If a later run has begun, the log is that run's to end.
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

    /// Withdraws the log of a turn that no run has begun: it was dropped from its queue, or is gone. It is closed as by
    /// [`end_run`](Self::end_run), unless followers would find another one.
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

    /// Returns the log of a turn: of one that runs, waits for its session or ended a short while ago, or one that was
    /// [shared](Self::share) and still has followers.
    pub fn find(&self, turn: TurnId) -> Option<Arc<LiveTurn>> {
        self.lock().entries.get(&turn)?.log.find()
    }

    /// Shares a log that was read from the store with others that follow the turn meanwhile. If another caller was faster,
    /// returns that one's. Only an ended turn is shared: any other log is out of date soon.
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

    /// Asks for a turn to stop. The first reason stays. Returns `true` if nothing is left to do: its run has been signalled,
    /// or the turn is over. Otherwise the next run inherits the stop; [`forget_stop`](Self::forget_stop) drops it if there
    /// will be no run.
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

    /// Drops a requested stop that no run has inherited: the turn is over.
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
