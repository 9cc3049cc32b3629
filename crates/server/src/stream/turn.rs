//! The event source of one turn.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{Frames, StoreError};
use turnkit_engine::{TurnFeed, TurnUpdate};

use super::batch::Batch;
use super::{EventSource, Progress};

/// A turn, encoded by a protocol.
pub(crate) struct TurnSource {
    feed: TurnFeed,
    encoder: Box<dyn EventEncoder>,
    batch: Batch,
}

impl TurnSource {
    /// Creates a source that reads from `feed`.
    pub(crate) fn new(feed: TurnFeed, encoder: Box<dyn EventEncoder>) -> Self {
        Self { feed, encoder, batch: Batch::default() }
    }
}

impl EventSource for TurnSource {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        if let Some(event) = self.batch.next() {
            out.begin(self.feed.number(), event);
            self.encoder.encode(event, out);
            return Poll::Ready(Ok(if self.batch.is_all() { Progress::CaughtUp } else { Progress::Item }));
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
            TurnUpdate::End => return Poll::Ready(Ok(Progress::Ended)),
            TurnUpdate::Gone => {
                out.start_outside_log();
                self.encoder.detach(Detach::Deleted, out);
                return Poll::Ready(Ok(Progress::Ended));
            }
        }
        Poll::Ready(Ok(Progress::Item))
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        self.encoder.detach(why, out);
    }
}
