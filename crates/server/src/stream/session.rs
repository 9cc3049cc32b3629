//! The event source of a session: all its turns, one after the other, and its queue.

use std::task::{Context, Poll, ready};

use serde_json::value::RawValue;
use turnkit_core::ports::{BoxFuture, Detach};
use turnkit_core::{Frames, Snapshot, StoreError, TurnId};
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
    /// Reads the turns of snapshots, for a client that draws turns. Absent for a client that draws messages.
    read_turns: Option<ReadTurns>,
    /// A snapshot whose turns are being read.
    snapshot: Option<SnapshotWithTurns>,
}

/// Reads the page of a session's turns that belongs to a snapshot of the session.
pub(crate) type ReadTurns = Box<dyn Fn(Box<Snapshot>) -> SnapshotWithTurns + Send>;

/// A snapshot, and the page of turns that belongs to it.
pub(crate) type SnapshotWithTurns = BoxFuture<'static, Result<(Box<Snapshot>, Box<RawValue>), StoreError>>;

impl SessionSource {
    /// Creates a source that reads from `feed`. Its snapshots show the turns that `read_turns` reads, or messages.
    pub(crate) fn new(feed: SessionFeed, read_turns: Option<ReadTurns>) -> Self {
        Self { feed, batch: Batch::default(), turn: (TurnId::default(), 0), read_turns, snapshot: None }
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
        if let Some(reading) = &mut self.snapshot {
            let read = ready!(reading.as_mut().poll(context));
            self.snapshot = None;
            let (snapshot, turns) = read?;
            out.start_snapshot(snapshot.cursor);
            native::write_snapshot_of_turns(&snapshot, turns, out);
            return Poll::Ready(Ok(Progress::Item));
        }
        let Self { feed, batch, read_turns, .. } = self;
        match ready!(batch.refill(|room| feed.poll_next(context, room)))? {
            SessionUpdate::Events { turn, number } => self.turn = (turn, number),
            SessionUpdate::Resync(snapshot) => {
                if let Some(read_turns) = read_turns {
                    self.snapshot = Some(read_turns(snapshot));
                    return self.poll_next(context, out);
                }
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
