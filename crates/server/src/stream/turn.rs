//! The event source of one turn.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{Frames, StoreError};
use turnkit_engine::{TurnFeed, TurnUpdate};

use super::batch::Batch;
use super::{Telling, Told};

/// A turn, encoded by a protocol.
pub(crate) struct TurnTelling {
    feed: TurnFeed,
    encoder: Box<dyn EventEncoder>,
    batch: Batch,
}

impl TurnTelling {
    /// Creates a source that reads from `feed`.
    pub(crate) fn new(feed: TurnFeed, encoder: Box<dyn EventEncoder>) -> Self {
        Self { feed, encoder, batch: Batch::default() }
    }
}

impl Telling for TurnTelling {
    fn poll_tell(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Told, StoreError>> {
        if let Some(event) = self.batch.next() {
            out.begin(self.feed.number(), event);
            self.encoder.encode(event, out);
            return Poll::Ready(Ok(if self.batch.is_all() { Told::AllRead } else { Told::Piece }));
        }
        let Self { feed, batch, .. } = self;
        match ready!(batch.refill(|room| feed.poll_next(context, room)))? {
            TurnUpdate::Events => {}
            TurnUpdate::Resync(snapshot) => {
                out.start_snapshot(snapshot.cursor);
                self.encoder.resync(&snapshot, out);
            }
            TurnUpdate::Progress(progress) => progress.iter().for_each(|progress| self.encoder.progress(progress, out)),
            TurnUpdate::Pending(waits) => self.encoder.pending(&waits, out),
            TurnUpdate::End => return Poll::Ready(Ok(Told::Everything)),
            TurnUpdate::Gone => {
                out.start_outside_log();
                self.encoder.detach(Detach::Deleted, out);
                return Poll::Ready(Ok(Told::Everything));
            }
        }
        Poll::Ready(Ok(Told::Piece))
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        self.encoder.detach(why, out);
    }
}
