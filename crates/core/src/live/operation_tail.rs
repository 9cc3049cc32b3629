//! Follows a live turn for its mirror in another process.

use std::task::{Context, Poll, Waker};

use super::Follower;
use crate::log::OperationWalk;
use crate::{LogBatch, LogOperation, LogPosition};

/// A follower that reads a live turn as operations. It counts as one follower, in place of the followers of the mirror
/// that applies the operations.
#[derive(Debug)]
pub struct OperationTail {
    follower: Follower,
    place: OperationWalk,
    /// The number of the last progress report that was read.
    reported: u32,
    has_detached: bool,
}

impl OperationTail {
    pub(super) fn new(follower: Follower, position: LogPosition) -> Self {
        Self { follower, place: OperationWalk::after(position), reported: 0, has_detached: false }
    }

    /// Returns the operations that are available now. Long backlogs are returned in batches; the next batch is
    /// available at once. `None` means that the turn has ended or its owner has stopped writing.
    pub fn poll_batch(&mut self, context: &mut Context<'_>) -> Poll<Option<LogBatch>> {
        let Follower { live, waker_slot } = &mut self.follower;
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
                state.readers.register(waker_slot, context.waker());
                return Poll::Pending;
            }
            self.has_detached = true;
            operations.push(LogOperation::Detach);
        }
        Poll::Ready(Some(LogBatch { turn: state.log.turn(), fence: state.log.fence(), after, operations }))
    }

    /// Returns the operations that are available now, if any.
    pub fn batch(&mut self) -> Option<LogBatch> {
        match self.poll_batch(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(batch) => batch,
            Poll::Pending => None,
        }
    }

    /// Returns the position up to which the log has been read.
    pub fn position(&self) -> LogPosition {
        self.place.position()
    }
}
