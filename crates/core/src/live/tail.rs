//! Following a live turn event by event.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;

use super::{Follower, LiveTurn};
use crate::log::Walk;
use crate::{ToolProgress, TurnEvent};

/// Stream of a live turn's events for one follower: the backlog, then new events, up to the terminal event.
#[derive(Debug)]
pub struct Tail {
    follower: Follower,
    walk: Walk,
    /// Events that were read and not yet handed out one at a time.
    ready: vec::IntoIter<TurnEvent>,
    /// The number of the last report of a running call that was read.
    reported: u32,
    /// Reports that were read and not yet taken.
    progress: VecDeque<ToolProgress>,
}

/// What a follower reads, one at a time.
#[derive(Debug, Clone, PartialEq)]
pub enum TailItem {
    /// Something happened.
    Event(TurnEvent),
    /// A call that runs has reported how far it has come.
    Progress(ToolProgress),
}

impl Tail {
    /// The most events that are read at once: what a reader holds of a turn, besides the turn itself, if it stops reading.
    pub const MOST_AT_ONCE: u32 = 16;

    pub(super) fn new(follower: Follower, after: u32) -> Self {
        Self {
            follower,
            walk: Walk::after(after),
            ready: Vec::new().into_iter(),
            reported: 0,
            progress: VecDeque::new(),
        }
    }

    /// Adds to `out` what can be read now, and of much the first part: then there is more at once. If there are no events,
    /// calls that run may have reported something, for [`take_progress`](Self::take_progress). `false` means the end.
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
        let reports = state.reports.after(&mut self.reported, &state.log);
        if !reports.is_empty() {
            self.progress = reports.into_iter().map(|(_, progress)| progress).collect();
            return Poll::Ready(true);
        }
        state.readers.keep(place, context.waker());
        Poll::Pending
    }

    /// Takes the reports of running calls that the last poll read: of each call the last one.
    pub fn take_progress(&mut self) -> Vec<ToolProgress> {
        std::mem::take(&mut self.progress).into()
    }

    /// Returns the next event or report.
    pub fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<TailItem>> {
        loop {
            if let Some(event) = self.ready.next() {
                return Poll::Ready(Some(TailItem::Event(event)));
            }
            if let Some(progress) = self.progress.pop_front() {
                return Poll::Ready(Some(TailItem::Progress(progress)));
            }
            let mut batch = Vec::new();
            if !ready!(self.poll_batch(context, &mut batch)) {
                return Poll::Ready(None);
            }
            self.ready = batch.into_iter();
        }
    }

    /// The turn that is followed.
    pub fn live(&self) -> &Arc<LiveTurn> {
        &self.follower.live
    }
}

/// The events alone.
impl Stream for Tail {
    type Item = TurnEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<TurnEvent>> {
        loop {
            match ready!(self.poll_item(context)) {
                Some(TailItem::Event(event)) => return Poll::Ready(Some(event)),
                Some(TailItem::Progress(_)) => {}
                None => return Poll::Ready(None),
            }
        }
    }
}
