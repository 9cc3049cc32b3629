//! The event source of a session: all its turns, one after the other, and its queue.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::Detach;
use turnkit_core::{Frames, StoreError, TurnId};
use turnkit_engine::{SessionFeed, SessionUpdate};

use super::batch::Batch;
use super::{EventSource, Progress};
use crate::dialect::native;

/// A session, encoded in native frames.
pub(crate) struct SessionSource {
    feed: SessionFeed,
    batch: Batch,
    /// The turn that the batch belongs to, and its number in the session.
    turn: (TurnId, u32),
}

impl SessionSource {
    /// Creates a source that reads from `feed`.
    pub(crate) fn new(feed: SessionFeed) -> Self {
        Self { feed, batch: Batch::default(), turn: (TurnId::default(), 0) }
    }
}

impl EventSource for SessionSource {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        let (turn, number) = self.turn;
        if let Some(event) = self.batch.next() {
            out.begin(number, event);
            native::write_event(turn, event, out);
            return Poll::Ready(Ok(if self.batch.is_all() { Progress::CaughtUp } else { Progress::Item }));
        }
        let Self { feed, batch, .. } = self;
        match ready!(batch.refill(|room| feed.poll_next(context, room)))? {
            SessionUpdate::Events { turn, number } => self.turn = (turn, number),
            SessionUpdate::Resync(snapshot) => {
                out.start_snapshot(snapshot.cursor);
                native::write_snapshot(&snapshot, out);
            }
            SessionUpdate::Queue(queue) => native::write_queue(&queue, out),
            SessionUpdate::Pending { turn, waits } => native::write_pending(turn, &waits, out),
            SessionUpdate::Progress { turn, progress } => {
                progress.iter().for_each(|progress| native::write_progress(turn, progress, out));
            }
            SessionUpdate::Gone => return Poll::Ready(Ok(Progress::Ended)),
        }
        Poll::Ready(Ok(Progress::Item))
    }

    /// Writes nothing: a client that follows a session reconnects by itself.
    fn detach(&mut self, _: Detach, _: &mut Frames) {}
}
