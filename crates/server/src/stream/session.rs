//! The event source of a session: all its turns, one after the other, and its queue.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::Detach;
use turnkit_core::{Frames, StoreError, TurnId};
use turnkit_engine::{SessionFeed, SessionUpdate};

use super::batch::Batch;
use super::{Telling, Told};
use crate::dialect::native;

/// A session, encoded in native frames.
pub(crate) struct SessionTelling {
    feed: SessionFeed,
    batch: Batch,
    /// The turn that the batch belongs to, and its number in the session.
    turn: (TurnId, u32),
}

impl SessionTelling {
    /// Creates a source that reads from `feed`.
    pub(crate) fn new(feed: SessionFeed) -> Self {
        Self { feed, batch: Batch::default(), turn: (TurnId::default(), 0) }
    }
}

impl Telling for SessionTelling {
    fn poll_tell(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Told, StoreError>> {
        let (turn, number) = self.turn;
        if let Some(event) = self.batch.next() {
            out.begin(number, event);
            native::tell(turn, event, out);
            return Poll::Ready(Ok(if self.batch.is_all() { Told::AllRead } else { Told::Piece }));
        }
        let Self { feed, batch, .. } = self;
        match ready!(batch.refill(|room| feed.poll_next(context, room)))? {
            SessionUpdate::Events { turn, number } => self.turn = (turn, number),
            SessionUpdate::Resync(snapshot) => {
                out.start_snapshot(snapshot.cursor);
                native::tell_snapshot(&snapshot, out);
            }
            SessionUpdate::Queue(queue) => native::tell_queue(&queue, out),
            SessionUpdate::Pending { turn, waits } => native::tell_pending(turn, &waits, out),
            SessionUpdate::Progress { turn, progress } => {
                progress.iter().for_each(|progress| native::tell_progress(turn, progress, out));
            }
            SessionUpdate::Gone => return Poll::Ready(Ok(Told::Everything)),
        }
        Poll::Ready(Ok(Told::Piece))
    }

    /// Writes nothing: a client that follows a session reconnects by itself.
    fn detach(&mut self, _: Detach, _: &mut Frames) {}
}
