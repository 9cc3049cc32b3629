//! The client's side: from the frames of a native stream back to what happened.

use turnkit_core::{Cursor, CursorError, EventKind, Timestamp, TurnEvent, TurnId};

use super::event::Head;
use super::pending::PendingJson;
use super::progress::ProgressJson;
use super::snapshot::{NativeSnapshot, Queue, QueuedTurnJson};

/// Reads the frames of a native stream in order.
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
    /// The moment of the last event that carried one.
    at: Timestamp,
}

/// What one frame says.
#[derive(Debug, Clone, PartialEq)]
pub enum NativeFrame {
    /// Something happened in a turn.
    Event {
        /// The turn.
        turn: TurnId,
        /// What; its number and moment are the server's.
        event: Box<TurnEvent>,
    },
    /// How things stand, where the stream cannot tell how they came about.
    Resync(Box<NativeSnapshot<'static>>),
    /// The turns that wait for the session, the next one first.
    Queue(Vec<QueuedTurnJson<'static>>),
    /// What the turn and those below it wait for.
    Pending(PendingJson),
    /// How far a call that runs has come.
    Progress(ProgressJson),
    /// Something this version does not know.
    Unknown,
}

/// A frame is not what a server of this version sends.
#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    /// The id of an event is missing or is no cursor.
    #[error("the id of a frame is {0}")]
    Id(#[from] CursorError),
    /// The data are not those of the event.
    #[error("the data of a {0} frame cannot be read: {1}")]
    Data(String, #[source] serde_json::Error),
}

impl NativeReader {
    /// Reads on in a stream whose last event was at this moment: the pieces of a part carry none of their own.
    pub fn starting_at(at: Timestamp) -> Self {
        Self { at }
    }

    /// What the frame `event` with this `id` and these `data` says.
    ///
    /// # Errors
    /// The server speaks another language. The frames after it can still be read.
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
