//! A running turn, shared by its owner and its followers.

mod operation_tail;
mod reports;
mod tail;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

pub use operation_tail::OperationTail;
pub use tail::{Tail, TailItem};

use self::reports::Reports;
use crate::wakers::{WakerSlot, Wakers};
use crate::{LogPosition, StoreError, ToolProgress, TurnLog};

/// The in-memory log of a turn, and the wakers of the tasks that wait for new events. Locks are held for memory
/// operations only.
#[derive(Debug)]
pub struct LiveTurn {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    log: TurnLog,
    reports: Reports,
    closed: bool,
    fault: Option<StoreError>,
    follower_counts: FollowerCounts,
    /// The wakers of followers that have read all events.
    readers: Wakers,
    /// The waker of the task that waits for followers to join or leave.
    follower_waker: Option<Waker>,
}

/// The follower counts of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FollowerCounts {
    /// The current number of followers.
    pub current: usize,
    /// The number of followers so far, including those that left.
    pub total: u64,
}

impl LiveTurn {
    /// Creates a live turn that shares `log`.
    pub fn new(log: TurnLog) -> Arc<Self> {
        let state = State {
            log,
            reports: Reports::default(),
            closed: false,
            fault: None,
            follower_counts: FollowerCounts::default(),
            readers: Wakers::default(),
            follower_waker: None,
        };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Lets the owner write to the log. If the write makes events visible, each waiting follower is woken once, after
    /// the lock is released.
    pub fn write<R>(&self, write: impl FnOnce(&mut TurnLog) -> R) -> R {
        let mut state = self.lock();
        let before = state.log.last_visible_seq();
        let result = write(&mut state.log);
        if state.log.last_visible_seq() != before {
            let readers = state.readers.take();
            drop(state);
            readers.for_each(Waker::wake);
        }
        result
    }

    /// Publishes the progress of a running call to followers. Only the last report of a call is kept.
    pub fn report(&self, progress: ToolProgress) {
        self.take_report(|reports, log| reports.take(progress, log));
    }

    /// Publishes a progress report of another process, under the number that it has there.
    pub(crate) fn report_numbered(&self, number: u32, progress: ToolProgress) {
        self.take_report(|reports, log| reports.take_numbered(number, progress, log));
    }

    fn take_report(&self, take: impl FnOnce(&mut Reports, &TurnLog)) {
        let readers = {
            let mut state = self.lock();
            let State { reports, log, readers, .. } = &mut *state;
            take(reports, log);
            readers.take()
        };
        readers.for_each(Waker::wake);
    }

    /// Reads the log.
    pub fn read<R>(&self, read: impl FnOnce(&TurnLog) -> R) -> R {
        read(&self.lock().log)
    }

    /// Closes the turn: its owner writes nothing more. Followers that have read everything reach their end. The waker
    /// of the task that waits for followers is dropped, because it keeps the memory of that task alive.
    pub fn close(&self) {
        let (readers, follower_waker) = {
            let mut state = self.lock();
            state.closed = true;
            (state.readers.take(), state.follower_waker.take())
        };
        readers.for_each(Waker::wake);
        drop(follower_waker);
    }

    /// Records why the owner is about to close without the terminal event: a write failed.
    pub fn fail(&self, fault: StoreError) {
        self.lock().fault = Some(fault);
    }

    /// Returns the write failure because of which the owner closed without the terminal event, if any.
    pub fn fault(&self) -> Option<StoreError> {
        self.lock().fault.clone()
    }

    /// Returns `true` if nothing more will be written.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Returns the follower counts.
    pub fn follower_counts(&self) -> FollowerCounts {
        self.lock().follower_counts
    }

    /// Waits until the follower counts differ from `seen`. Only one task may wait at a time.
    pub async fn follower_counts_changed(&self, seen: FollowerCounts) -> FollowerCounts {
        std::future::poll_fn(|context| {
            let mut state = self.lock();
            if state.follower_counts != seen {
                return Poll::Ready(state.follower_counts);
            }
            state.follower_waker = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Returns a stream of the events after number `after`.
    pub fn tail(self: &Arc<Self>, after: u32) -> Tail {
        Tail::new(self.follow(), after)
    }

    /// Returns a stream of the operations after `position`, for a mirror in another process.
    pub fn operations(self: &Arc<Self>, position: LogPosition) -> OperationTail {
        OperationTail::new(self.follow(), position)
    }

    fn follow(self: &Arc<Self>) -> Follower {
        let follower_waker = {
            let mut state = self.lock();
            state.follower_counts.current += 1;
            state.follower_counts.total += 1;
            state.follower_waker.take()
        };
        follower_waker.into_iter().for_each(Waker::wake);
        Follower { live: Arc::clone(self), waker_slot: WakerSlot::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A follower of a live turn. It is counted until it is dropped.
#[derive(Debug)]
struct Follower {
    live: Arc<LiveTurn>,
    /// The slot of the follower's waker.
    waker_slot: WakerSlot,
}

impl Drop for Follower {
    fn drop(&mut self) {
        let follower_waker = {
            let mut state = self.live.lock();
            state.readers.remove(&mut self.waker_slot);
            state.follower_counts.current -= 1;
            state.follower_waker.take()
        };
        follower_waker.into_iter().for_each(Waker::wake);
    }
}
