//! How a client of some protocol is told what happens in a turn.

use crate::{Frames, Snapshot, ToolProgress, TurnEvent, Wait};

/// Why a client's stream ends before its turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detach {
    /// The server is going to stop. The turn goes on at its next start.
    Stopping,
    /// What was shown does not count any more, and the protocol has no word for that.
    Retracted,
    /// Where the client came back to cannot be found, and the protocol has no word for that.
    Lost,
    /// The storage behind the stream failed.
    Failed,
    /// The key that the client came with is not valid any more.
    Revoked,
    /// The session was deleted, and the turn with it.
    Deleted,
}

impl Detach {
    /// A sentence for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stopping => "the server is stopping; the turn goes on when it starts again",
            Self::Retracted => {
                "the answer was broken off and is begun again; what comes of it is kept with the session"
            }
            Self::Lost => "the place to go on from is not known any more; what was said is kept with the session",
            Self::Revoked => "the key was revoked; the turn goes on without it",
            Self::Deleted => "the session was deleted",
            Self::Failed => "storage failed; what was said is kept, and the turn goes on when it works again",
        }
    }
}

/// Turns events into the frames of one protocol: a pure function of the log and of what it has seen of it, so that a
/// replay gives the same bytes as the live stream.
///
/// ```
/// use turnkit_core::ports::{Detach, EventEncoder};
/// use turnkit_core::{EventKind, Frames, Snapshot, TurnEvent};
///
/// /// Only the text, as it comes.
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
    /// Writes what `event` means, if anything. After the terminal event it calls [`Frames::end`] if its protocol ends a
    /// stream with the turn.
    fn encode(&mut self, event: &TurnEvent, out: &mut Frames);

    /// Writes how things stand, for a reader that cannot resume exactly; what is encoded next comes after it. A protocol
    /// without a word for that detaches.
    fn resync(&mut self, snapshot: &Snapshot, out: &mut Frames);

    /// Writes what the turn and those of sub-agents below it wait for, beside the log. A protocol without a word for that writes
    /// nothing.
    fn pending(&mut self, _waits: &[Wait], _out: &mut Frames) {}

    /// Writes how far a call that runs has come, beside the log. A protocol without a word for that writes nothing.
    fn progress(&mut self, _progress: &ToolProgress, _out: &mut Frames) {}

    /// Writes what tells a client that its stream ends although the turn does not, and ends the stream.
    fn detach(&mut self, why: Detach, out: &mut Frames);
}
