//! A running turn, shared by the one that runs it and all that follow it.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::vec;

use futures_core::Stream;

use crate::log::Walk;
use crate::wakers::{Place, Wakers};
use crate::{StoreError, TurnEvent, TurnLog};

/// A turn's log in memory, with those who wait for it to grow. Locks are held for memory work only.
#[derive(Debug)]
pub struct LiveTurn {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    log: TurnLog,
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
        let (result, readers) = {
            let mut state = self.lock();
            let before = state.log.last_visible_seq();
            let result = write(&mut state.log);
            let grew = state.log.last_visible_seq() != before;
            (result, grew.then(|| state.readers.take()))
        };
        readers.into_iter().flatten().for_each(Waker::wake);
        result
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
        let usher = {
            let mut state = self.lock();
            state.following.now += 1;
            state.following.ever += 1;
            state.usher.take()
        };
        usher.into_iter().for_each(Waker::wake);
        Tail {
            live: Arc::clone(self),
            place: Place::default(),
            walk: Walk::after(after),
            ready: Vec::new().into_iter(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One follower of a live turn: what is there already, then what comes, up to the terminal event.
#[derive(Debug)]
pub struct Tail {
    live: Arc<LiveTurn>,
    /// Its place among those that wait.
    place: Place,
    walk: Walk,
    /// Events that were read and not yet handed out one at a time.
    ready: vec::IntoIter<TurnEvent>,
}

impl Tail {
    /// The most events that are read at once: what a reader holds of a turn, besides the turn itself, if it stops reading.
    pub const MOST_AT_ONCE: u32 = 16;

    /// Adds to `out` what can be read now, and of much the first part: then there is more at once. `false` means the end.
    pub fn poll_batch(&mut self, context: &mut Context<'_>, out: &mut Vec<TurnEvent>) -> Poll<bool> {
        let before = out.len();
        out.extend(&mut self.ready);
        self.walk.at_most(Self::MOST_AT_ONCE);
        let mut state = self.live.lock();
        state.log.read(&mut self.walk, out);
        if out.len() > before {
            return Poll::Ready(true);
        }
        if state.closed || state.log.has_ended() {
            return Poll::Ready(false);
        }
        state.readers.keep(&mut self.place, context.waker());
        Poll::Pending
    }

    /// The turn that is followed.
    pub fn live(&self) -> &Arc<LiveTurn> {
        &self.live
    }
}

impl Stream for Tail {
    type Item = TurnEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<TurnEvent>> {
        if let Some(event) = self.ready.next() {
            return Poll::Ready(Some(event));
        }
        let mut batch = Vec::new();
        match self.poll_batch(context, &mut batch) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(_) => {
                self.ready = batch.into_iter();
                Poll::Ready(self.ready.next())
            }
        }
    }
}

impl Drop for Tail {
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
