//! A running turn, shared by the one that runs it and all that follow it.

mod operation_tail;
mod reports;
mod tail;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

pub use operation_tail::OperationTail;
pub use tail::{Tail, TailItem};

use self::reports::Reports;
use crate::wakers::{Place, Wakers};
use crate::{LogPosition, StoreError, ToolProgress, TurnLog};

/// A turn's log in memory, with those who wait for it to grow. Locks are held for memory work only.
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
    following: Following,
    /// Followers that have read everything.
    readers: Wakers,
    /// Who waits for followers to come or to leave.
    usher: Option<Waker>,
}

/// Who follows a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Following {
    /// How many do now.
    pub now: usize,
    /// How many ever did.
    pub ever: u64,
}

impl LiveTurn {
    /// Shares `log`.
    pub fn new(log: TurnLog) -> Arc<Self> {
        let state = State {
            log,
            reports: Reports::default(),
            closed: false,
            fault: None,
            following: Following::default(),
            readers: Wakers::default(),
            usher: None,
        };
        Arc::new(Self { state: Mutex::new(state) })
    }

    /// Lets the owner write. Everyone who waits is woken once, after the lock is released.
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

    /// Shows followers how far a call has come that runs. Of a call, only the last report is kept.
    pub fn report(&self, progress: ToolProgress) {
        self.take_report(|reports, log| reports.take(progress, log));
    }

    /// Shows followers a report of another process, with the number that it has there.
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

    /// Looks at the log.
    pub fn read<R>(&self, read: impl FnOnce(&TurnLog) -> R) -> R {
        read(&self.lock().log)
    }

    /// Nothing more will be written by this owner. Followers that have read everything come to their end. The waker of the
    /// task that waits for followers is dropped, because it keeps the memory of that task.
    pub fn close(&self) {
        let (readers, usher) = {
            let mut state = self.lock();
            state.closed = true;
            (state.readers.take(), state.usher.take())
        };
        readers.for_each(Waker::wake);
        drop(usher);
    }

    /// Says why the owner is about to close without the terminal event: it could not write.
    pub fn fail(&self, fault: StoreError) {
        self.lock().fault = Some(fault);
    }

    /// Why the owner closed without the terminal event, if it could not write.
    pub fn fault(&self) -> Option<StoreError> {
        self.lock().fault.clone()
    }

    /// Whether nothing more will be written.
    pub fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Who follows the turn.
    pub fn following(&self) -> Following {
        self.lock().following
    }

    /// Waits until who follows is not what was `seen`. One may wait at a time.
    pub async fn following_other_than(&self, seen: Following) -> Following {
        std::future::poll_fn(|context| {
            let mut state = self.lock();
            if state.following != seen {
                return Poll::Ready(state.following);
            }
            state.usher = Some(context.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Follows the turn from the event after number `after`.
    pub fn tail(self: &Arc<Self>, after: u32) -> Tail {
        Tail::new(self.follow(), after)
    }

    /// Reads the turn after `position` as operations, to follow it in another process.
    pub fn operations(self: &Arc<Self>, position: LogPosition) -> OperationTail {
        OperationTail::new(self.follow(), position)
    }

    fn follow(self: &Arc<Self>) -> Follower {
        let usher = {
            let mut state = self.lock();
            state.following.now += 1;
            state.following.ever += 1;
            state.usher.take()
        };
        usher.into_iter().for_each(Waker::wake);
        Follower { live: Arc::clone(self), place: Place::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One follower of a live turn, counted until it is dropped.
#[derive(Debug)]
struct Follower {
    live: Arc<LiveTurn>,
    /// Its place among the followers that wait.
    place: Place,
}

impl Drop for Follower {
    fn drop(&mut self) {
        let usher = {
            let mut state = self.live.lock();
            state.readers.leave(&mut self.place);
            state.following.now -= 1;
            state.usher.take()
        };
        usher.into_iter().for_each(Waker::wake);
    }
}
