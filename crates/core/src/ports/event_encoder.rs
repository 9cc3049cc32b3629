//! Encoders of turn events for client protocols.

use crate::{Frames, Snapshot, ToolProgress, TurnEvent, Wait};

/// Why a client's stream ends before its turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detach {
    /// The server is about to stop. The turn continues when the server starts again.
    Stopping,
    /// Output that was sent is void, and the protocol cannot express that.
    Retracted,
    /// The position that the client resumes from cannot be found, and the protocol cannot express that.
    Lost,
    /// The storage behind the stream failed.
    Failed,
    /// The client's key was revoked, or its token has expired.
    Revoked,
    /// The session was deleted together with the turn.
    Deleted,
}

impl Detach {
    /// A sentence for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stopping => "the server is stopping; the turn continues after the restart",
            Self::Retracted => "the answer was interrupted and is being redone; the result is kept with the session",
            Self::Lost => "the position to resume from is no longer known; the messages are kept with the session",
            Self::Revoked => "the key was revoked, or the token has expired; the turn continues without it",
            Self::Deleted => "the session was deleted",
            Self::Failed => "storage failed; the messages are kept, and the turn continues when storage recovers",
        }
    }
}

/// Encodes events as frames of one protocol. The output depends only on the log and on the events encoded before, so a
/// replay produces the same bytes as the live stream.
///
/// ```
/// use turnkit_core::ports::{Detach, EventEncoder};
/// use turnkit_core::{EventKind, Frames, Snapshot, TurnEvent};
///
/// /// Writes only the text, as it arrives.
/// struct Plain;
///
/// impl EventEncoder for Plain {
///     fn encode(&mut self, event: &TurnEvent, out: &mut Frames) {
///         match &event.kind {
///             EventKind::PartDelta { text, .. } => out.text(None, text),
///             EventKind::TurnEnded { .. } => out.end(),
///             _ => {}
///         }
///     }
///
///     fn resync(&mut self, _: &Snapshot, out: &mut Frames) {
///         self.detach(Detach::Lost, out);
///     }
///
///     fn detach(&mut self, why: Detach, out: &mut Frames) {
///         out.text(None, why.as_str());
///         out.end();
///     }
/// }
/// ```
pub trait EventEncoder: Send {
    /// Writes the frames for `event`, if any. After the terminal event, calls [`Frames::end`] if the protocol ends a
    /// stream with the turn.
    fn encode(&mut self, event: &TurnEvent, out: &mut Frames);

    /// Writes a snapshot for a client that cannot resume exactly. Later events apply on top of it. A protocol that
    /// cannot express snapshots detaches.
    fn resync(&mut self, snapshot: &Snapshot, out: &mut Frames);

    /// Writes the pending waits of the turn and of the sub-agent turns below it, outside the log. A protocol that
    /// cannot express waits writes nothing.
    fn pending(&mut self, _waits: &[Wait], _out: &mut Frames) {}

    /// Writes the progress of a running call, outside the log. A protocol that cannot express progress writes nothing.
    fn progress(&mut self, _progress: &ToolProgress, _out: &mut Frames) {}

    /// Writes the reason why the stream ends before the turn does, and ends the stream.
    fn detach(&mut self, why: Detach, out: &mut Frames);
}
