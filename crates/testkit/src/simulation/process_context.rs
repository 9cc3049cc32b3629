//! The shared state of a process in a simulation, and the work of its turns.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;
use turnkit_core::TurnId;

use super::fate::Fate;
use super::record::{Record, Running, Work, WorkGuard};
use super::stop_delay::StopDelay;
use crate::model_store::Disk;

/// The state that all parts of a process share.
pub(super) struct ProcessContext {
    pub(super) disk: Disk,
    pub(super) record: Record,
    pub(super) fate: Fate,
    /// The number of the process.
    pub(super) life: u16,
    /// The context window of the models in tokens, if sessions are to exceed it.
    pub(super) window: Option<u32>,
    /// Whether calls wait for people and for clients with their own tools.
    pub(super) has_people: bool,
    running: Running,
    /// The time in which a stop must reach this process.
    stop_delay: StopDelay,
    /// The time of each turn's first model call in this process.
    begun_at: Mutex<BTreeMap<TurnId, Instant>>,
}

impl ProcessContext {
    /// Creates the context of the only process.
    pub(super) fn new(
        disk: Disk,
        record: Record,
        fate: Fate,
        life: u16,
        (window, has_people): (Option<u32>, bool),
    ) -> Arc<Self> {
        let (running, stop_delay, begun_at) = (Running::default(), StopDelay::AT_ONCE, Mutex::default());
        Arc::new(Self { disk, record, fate, life, window, has_people, running, stop_delay, begun_at })
    }

    /// Creates the context of one of several processes.
    pub(super) fn among(
        disk: Disk,
        record: Record,
        fate: Fate,
        life: u16,
        running: Running,
        stop_delay: StopDelay,
    ) -> Arc<Self> {
        let (window, has_people, begun_at) = (None, false, Mutex::default());
        Arc::new(Self { disk, record, fate, life, window, has_people, running, stop_delay, begun_at })
    }

    /// Records that a turn starts a model call or a tool call, and checks that it may.
    pub(super) fn begin(self: &Arc<Self>, turn: TurnId, work: Work) -> Option<CallGuard> {
        let Some((session, number)) = self.disk.place_of(turn) else {
            self.record.report_violation(format!("turn {turn} runs and is not on the disk"));
            return None;
        };
        if self.fate.is_presumed_dead() {
            return None;
        }
        let (work_guard, wrong) = self.running.begin(self.life, session, turn, work);
        if let Some(wrong) = wrong {
            self.record.report_violation(wrong);
        }
        let now = Instant::now();
        let begun_at = *self.begun_at.lock().unwrap_or_else(PoisonError::into_inner).entry(turn).or_insert(now);
        if self.may_ignore_stop_until(turn, begun_at).is_some_and(|until| now >= until) {
            self.record.report_violation(format!("turn {number} began something after its stop was acknowledged"));
        }
        if work == Work::ModelCall {
            self.record.facts().begun.push((session, number, turn));
        }
        Some(CallGuard { process: Arc::clone(self), turn, number, begun_at, work, _work_guard: work_guard })
    }

    /// If the stop of a turn was acknowledged, returns the time until which this process may not know of it.
    fn may_ignore_stop_until(&self, turn: TurnId, begun_at: Instant) -> Option<Instant> {
        let stop = self.record.facts().stopped.get(&turn).copied()?;
        let is_judged = !self.fate.is_presumed_dead() && !self.fate.is_stopped();
        is_judged.then(|| self.stop_delay.ends_at(stop, begun_at, self.fate.undisturbed_since()))
    }

    /// Records that the process died or is presumed dead.
    pub(super) fn leave(&self) {
        self.fate.presume_dead();
        self.running.leave(self.life);
    }
}

/// Marks a model call or tool call of a turn as running until it is dropped.
pub(super) struct CallGuard {
    process: Arc<ProcessContext>,
    turn: TurnId,
    number: u32,
    begun_at: Instant,
    work: Work,
    _work_guard: WorkGuard,
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        // Tools are allowed to finish.
        let until = self.process.may_ignore_stop_until(self.turn, self.begun_at);
        if self.work == Work::ModelCall && until.is_some_and(|until| Instant::now() > until) {
            self.process.record.report_violation(format!(
                "turn {} listened to its model after its stop was acknowledged",
                self.number
            ));
        }
    }
}
