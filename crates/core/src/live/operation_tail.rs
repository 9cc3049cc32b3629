//! Following a live turn for the sake of its mirror in another process.

use std::task::{Context, Poll, Waker};

use super::Follower;
use crate::log::OperationWalk;
use crate::{LogBatch, LogOperation, LogPosition};

/// A follower that reads a live turn as operations. It counts as the followers of the mirror that is made of them.
#[derive(Debug)]
pub struct OperationTail {
    follower: Follower,
    place: OperationWalk,
    /// The number of the last report of a running call that was read.
    reported: u32,
    has_detached: bool,
}

impl OperationTail {
    pub(super) fn new(follower: Follower, position: LogPosition) -> Self {
        Self { follower, place: OperationWalk::after(position), reported: 0, has_detached: false }
    }

    /// Returns the operations that can be read now: of many the first part, then there are more at once. `None` means the
    /// end of the turn, or of its owner's work on it.
    pub fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Option<LogBatch>> {
        let Follower { live, place } = &mut self.follower;
        let mut state = live.lock();
        let (after, mut operations) = (self.place.position(), Vec::new());
        state.log.read_operations(&mut self.place, &mut operations);
        if operations.is_empty() {
            if state.log.has_ended() || self.has_detached {
                return Poll::Ready(None);
            }
            let reports = state.reports.after(&mut self.reported, &state.log).into_iter();
            operations.extend(reports.map(|(number, progress)| LogOperation::Progress { number, progress }));
        }
        if operations.is_empty() {
            if !state.closed {
                state.readers.keep(place, context.waker());
                return Poll::Pending;
            }
            self.has_detached = true;
            operations.push(LogOperation::Detach);
        }
        Poll::Ready(Some(LogBatch { turn: state.log.turn(), fence: state.log.fence(), after, operations }))
    }

    /// Returns the operations that can be read now, if there are any.
    pub fn batch(&mut self) -> Option<LogBatch> {
        match self.poll_batch(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(batch) => batch,
            Poll::Pending => None,
        }
    }

    /// The position up to which it has read.
    pub fn position(&self) -> LogPosition {
        self.place.position()
    }
}
