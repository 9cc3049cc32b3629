//! Follows a live turn event by event.

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
    /// Events that were read but not yet returned one by one.
    ready: vec::IntoIter<TurnEvent>,
    /// The number of the last progress report that was read.
    reported: u32,
    /// Reports that were read but not yet taken.
    progress: VecDeque<ToolProgress>,
}

/// The next item of a follower's stream.
#[derive(Debug, Clone, PartialEq)]
pub enum TailItem {
    /// An event of the turn.
    Event(TurnEvent),
    /// A progress report of a running call.
    Progress(ToolProgress),
}

impl Tail {
    /// The most events per read. This bounds the memory that a reader takes, besides the turn itself, if it stops
    /// reading.
    pub const MAX_AT_ONCE: u32 = 16;

    pub(super) fn new(follower: Follower, after: u32) -> Self {
        Self {
            follower,
            walk: Walk::after(after),
            ready: Vec::new().into_iter(),
            reported: 0,
            progress: VecDeque::new(),
        }
    }

    /// Appends the events that are available now to `out`. Long backlogs are returned in batches; the next batch is
    /// available at once. If no events are available, progress reports may be, for
    /// [`take_progress`](Self::take_progress). `false` means the end of the stream.
    pub fn poll_batch(&mut self, context: &mut Context<'_>, out: &mut Vec<TurnEvent>) -> Poll<bool> {
        let before = out.len();
        out.extend(&mut self.ready);
        self.walk.at_most(Self::MAX_AT_ONCE);
        let Follower { live, waker_slot } = &mut self.follower;
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
        state.readers.register(waker_slot, context.waker());
        Poll::Pending
    }

    /// Takes the progress reports that the last poll read: the last one of each call.
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

    /// Returns the turn that is followed.
    pub fn live(&self) -> &Arc<LiveTurn> {
        &self.follower.live
    }
}

/// Yields only the events.
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
