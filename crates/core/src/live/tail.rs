//! Following a live turn event by event.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;

use futures_core::Stream;

use super::{Follower, LiveTurn};
use crate::TurnEvent;
use crate::log::Walk;

/// Stream of a live turn's events for one follower: the backlog, then new events, up to the terminal event.
#[derive(Debug)]
pub struct Tail {
    follower: Follower,
    walk: Walk,
    /// Events that were read and not yet handed out one at a time.
    ready: vec::IntoIter<TurnEvent>,
}

impl Tail {
    /// The most events that are read at once: what a reader holds of a turn, besides the turn itself, if it stops reading.
    pub const MOST_AT_ONCE: u32 = 16;

    pub(super) fn new(follower: Follower, after: u32) -> Self {
        Self { follower, walk: Walk::after(after), ready: Vec::new().into_iter() }
    }

    /// Adds to `out` what can be read now, and of much the first part: then there is more at once. `false` means the end.
    pub fn poll_batch(&mut self, context: &mut Context<'_>, out: &mut Vec<TurnEvent>) -> Poll<bool> {
        let before = out.len();
        out.extend(&mut self.ready);
        self.walk.at_most(Self::MOST_AT_ONCE);
        let Follower { live, place } = &mut self.follower;
        let mut state = live.lock();
        state.log.read(&mut self.walk, out);
        if out.len() > before {
            return Poll::Ready(true);
        }
        if state.closed || state.log.has_ended() {
            return Poll::Ready(false);
        }
        state.readers.keep(place, context.waker());
        Poll::Pending
    }

    /// The turn that is followed.
    pub fn live(&self) -> &Arc<LiveTurn> {
        &self.follower.live
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
