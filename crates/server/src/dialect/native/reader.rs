//! The client side of `native`: parses the frames of a stream back into events.

use turnkit_core::{Cursor, CursorError, EventKind, Timestamp, TurnEvent, TurnId};

use super::event::Head;
use super::pending::PendingBody;
use super::progress::ProgressBody;
use super::snapshot::{NativeSnapshot, Queue, QueuedTurnBody};

/// Parses the frames of a native stream, in order.
///
/// ```
/// use turnkit_core::EventKind;
/// use turnkit_server::native::{NativeFrame, NativeReader};
///
/// let mut reader = NativeReader::default();
/// let data = r#"{"turn_id":"00000000-0000-0000-0000-000000000001","seq":4,"part_id":"1.0","delta":"Hi"}"#;
/// let Ok(NativeFrame::Event { event, .. }) = reader.read("part.delta", Some("1-1-4"), data) else { panic!() };
/// assert!(matches!(event.kind, EventKind::PartDelta { text, .. } if text == "Hi"));
/// ```
#[derive(Debug, Default)]
pub struct NativeReader {
    /// The timestamp of the last event that carried one.
    at: Timestamp,
}

/// The content of one frame.
#[derive(Debug, Clone, PartialEq)]
pub enum NativeFrame {
    /// An event of a turn.
    Event {
        /// The turn.
        turn: TurnId,
        /// The event, with the sequence number and timestamp that the server assigned.
        event: Box<TurnEvent>,
    },
    /// The current state, sent where the stream cannot resume exactly.
    Resync(Box<NativeSnapshot<'static>>),
    /// The turns that wait for the session, in the order in which they will run.
    Queue(Vec<QueuedTurnBody<'static>>),
    /// The pending interactions of the turn and of the turns below it.
    Pending(PendingBody),
    /// The progress of a running tool call.
    Progress(ProgressBody),
    /// A frame that this version does not know.
    Unknown,
}

/// A frame that a server of this version does not send.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// The id of an event is missing or is not a cursor.
    #[error("the id of a frame is {0}")]
    Id(#[from] CursorError),
    /// The data do not match the kind of the event.
    #[error("the data of a {0} frame cannot be read: {1}")]
    Data(String, #[source] serde_json::Error),
}

impl NativeReader {
    /// Creates a reader for a stream that resumes after an event with this timestamp: deltas of a part carry no
    /// timestamp of their own.
    pub fn starting_at(at: Timestamp) -> Self {
        Self { at }
    }

    /// Parses the frame `event` with this `id` and these `data`.
    ///
    /// # Errors
    /// The server uses another version of the format. Later frames can still be read.
    pub fn read(&mut self, event: &str, id: Option<&str>, data: &str) -> Result<NativeFrame, NativeError> {
        let malformed = |error| NativeError::Data(event.to_owned(), error);
        match event {
            "resync" => return serde_json::from_str(data).map(NativeFrame::Resync).map_err(malformed),
            "queue" => {
                let read: Queue<'_> = serde_json::from_str(data).map_err(malformed)?;
                return Ok(NativeFrame::Queue(read.queue));
            }
            "pending" => return serde_json::from_str(data).map(NativeFrame::Pending).map_err(malformed),
            "tool.progress" => return serde_json::from_str(data).map(NativeFrame::Progress).map_err(malformed),
            _ => {}
        }
        let Some(kind) = EventKind::read(event, data).map_err(malformed)? else { return Ok(NativeFrame::Unknown) };
        let head: Head = serde_json::from_str(data).map_err(malformed)?;
        let cursor: Cursor = id.unwrap_or_default().parse()?;
        self.at = head.at.unwrap_or(self.at);
        let event = TurnEvent { seq: head.seq, fence: cursor.fence, at: self.at, kind };
        Ok(NativeFrame::Event { turn: head.turn_id, event: Box::new(event) })
    }
}
