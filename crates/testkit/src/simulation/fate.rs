//! When a process dies, and what fails before that.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;
use turnkit_core::StoreError;

use super::outage::Outage;
use crate::dice::Dice;
use crate::model_store::Pause;

/// The fate of one process. All it does passes through here: between two points a task does not wait, so a process that
/// stops at any point has stopped at any await.
pub(super) struct Fate {
    dice: Mutex<Dice>,
    /// Points until the process stops.
    left: AtomicI64,
    stopped: AtomicBool,
    /// Wakes those who wait for the one or the other, in the order they came: a watch channel would draw lots.
    changed: Notify,
    /// Whether storage fails now and then.
    faults: bool,
    /// Since when it has gone on without a stop or a failure of its own.
    undisturbed_since: Mutex<Instant>,
    /// When no process reaches the store.
    outage: Outage,
    /// Whether it was taken for dead and goes on: what it does now is not what its clients see.
    zombie: AtomicBool,
}

impl Fate {
    /// A process that stops at point `stops_at`, or lives on.
    pub(super) fn new(dice: Dice, stops_at: Option<u64>, faults: bool, outage: Outage) -> Self {
        Self {
            dice: Mutex::new(dice),
            left: AtomicI64::new(countdown(stops_at)),
            stopped: AtomicBool::new(false),
            changed: Notify::new(),
            faults,
            undisturbed_since: Mutex::new(Instant::now()),
            outage,
            zombie: AtomicBool::new(false),
        }
    }

    /// Goes on, perhaps a little later, unless the process stops here.
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

    /// A pause of the store.
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

    /// Goes on where it stopped, until point `stops_at` from here.
    pub(super) fn go_on(&self, stops_at: Option<u64>) {
        self.left.store(countdown(stops_at), Ordering::SeqCst);
        self.disturb();
        self.set_stopped(false);
    }

    /// Since when the process has been able to hear of stops.
    pub(super) fn undisturbed_since(&self) -> Instant {
        let undisturbed_since = *self.undisturbed_since.lock().unwrap_or_else(PoisonError::into_inner);
        self.outage.ended_at().map_or(undisturbed_since, |ended_at| undisturbed_since.max(ended_at))
    }

    /// Stops it for good.
    pub(super) fn stop(&self) {
        self.set_stopped(true);
    }

    /// Goes on although it was taken for dead.
    pub(super) fn wake_up(&self) {
        self.take_for_dead();
        self.go_on(None);
    }

    /// What it does from now on is not what its clients see.
    pub(super) fn take_for_dead(&self) {
        self.zombie.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    pub(super) fn is_zombie(&self) -> bool {
        self.zombie.load(Ordering::SeqCst)
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
