//! The fate of a process: when it dies, and which operations fail before that.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;
use turnkit_core::StoreError;

use super::outage::Outage;
use crate::dice::Dice;
use crate::model_store::Pause;

/// The fate of one process. Everything the process does passes through its points. A task does not wait between two
/// points, so stopping at every point covers stopping at every await.
pub(super) struct Fate {
    dice: Mutex<Dice>,
    /// The number of points until the process stops.
    left: AtomicI64,
    stopped: AtomicBool,
    /// Wakes the waiters for either state in the order they registered. A watch channel would wake them in random
    /// order.
    changed: Notify,
    /// Whether storage fails occasionally.
    faults: bool,
    /// When the current period without a stop or failure of this process began.
    undisturbed_since: Mutex<Instant>,
    /// The outage of the store for all processes.
    outage: Outage,
    /// Whether the process was presumed dead but keeps running. Clients no longer see what it does.
    presumed_dead: AtomicBool,
}

impl Fate {
    /// Creates the fate of a process that stops at point `stops_at`, or never.
    pub(super) fn new(dice: Dice, stops_at: Option<u64>, faults: bool, outage: Outage) -> Self {
        Self {
            dice: Mutex::new(dice),
            left: AtomicI64::new(countdown(stops_at)),
            stopped: AtomicBool::new(false),
            changed: Notify::new(),
            faults,
            undisturbed_since: Mutex::new(Instant::now()),
            outage,
            presumed_dead: AtomicBool::new(false),
        }
    }

    /// Passes a point, after a random delay, unless the process stops here.
    pub(super) async fn point(&self) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.set_stopped(true);
        }
        self.until_stopped_is(false).await;
        let pause = self.draw(|dice| dice.chance(30).then(|| dice.millis(20)));
        match pause {
            Some(pause) => tokio::time::sleep(pause).await,
            None => tokio::task::yield_now().await,
        }
    }

    /// Runs at each pause of the store: passes a point, and may fail.
    pub(super) async fn store(&self, pause: Pause) -> Result<(), StoreError> {
        self.point().await;
        if pause == Pause::BeforeCommit && self.outage.is_now() {
            return Err(StoreError::Unavailable("no process reaches it".to_owned()));
        }
        let fails = pause == Pause::BeforeCommit && self.faults && self.draw(|dice| dice.chance(2));
        if fails {
            self.disturb();
        }
        match fails {
            true if self.draw(|dice| dice.chance(50)) => Err(StoreError::Full("turnkit.db".to_owned())),
            true => Err(StoreError::Unavailable("it is busy".to_owned())),
            false => Ok(()),
        }
    }

    /// Waits until the process stops.
    pub(super) async fn stops(&self) {
        self.until_stopped_is(true).await;
    }

    /// Resumes the process, which then stops after `stops_at` further points.
    pub(super) fn resume(&self, stops_at: Option<u64>) {
        self.left.store(countdown(stops_at), Ordering::SeqCst);
        self.disturb();
        self.set_stopped(false);
    }

    /// Returns when the process became able to learn of stops: after its last disturbance and after the last outage.
    pub(super) fn undisturbed_since(&self) -> Instant {
        let undisturbed_since = *self.undisturbed_since.lock().unwrap_or_else(PoisonError::into_inner);
        self.outage.ended_at().map_or(undisturbed_since, |ended_at| undisturbed_since.max(ended_at))
    }

    /// Stops the process for good.
    pub(super) fn stop(&self) {
        self.set_stopped(true);
    }

    /// Resumes the process although it was presumed dead.
    pub(super) fn resume_presumed_dead(&self) {
        self.presume_dead();
        self.resume(None);
    }

    /// Presumes the process dead. Clients no longer see what it does from now on.
    pub(super) fn presume_dead(&self) {
        self.presumed_dead.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    pub(super) fn is_presumed_dead(&self) -> bool {
        self.presumed_dead.load(Ordering::SeqCst)
    }

    fn disturb(&self) {
        *self.undisturbed_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn set_stopped(&self, stopped: bool) {
        self.stopped.store(stopped, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    async fn until_stopped_is(&self, wanted: bool) {
        loop {
            let changed = self.changed.notified();
            if self.stopped.load(Ordering::SeqCst) == wanted {
                return;
            }
            changed.await;
        }
    }

    pub(super) fn draw<T>(&self, draw: impl FnOnce(&mut Dice) -> T) -> T {
        draw(&mut self.dice.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn countdown(stops_at: Option<u64>) -> i64 {
    stops_at.and_then(|point| i64::try_from(point).ok()).unwrap_or(i64::MAX)
}
