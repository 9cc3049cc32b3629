//! Shared code of the non-native protocols. They stream text as it grows, end with a frame of their own, and cannot
//! express some events of a turn. A client that asks for extensions receives those events as native frames.

use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{
    Cursor, ErrorScope, EventKind, Frames, PartId, PartKind, Snapshot, ToolProgress, TurnEvent, TurnSnapshot,
    TurnStatus, TurnView, Wait,
};

use super::{StreamContext, native};

/// The encoding of one protocol for the events that it can express.
pub(super) trait Protocol: Send {
    /// Writes visible text, which is never empty.
    fn text(&mut self, part: PartId, text: &str, out: &mut Frames);

    /// Writes any other event.
    fn event(&mut self, event: &TurnEvent, out: &mut Frames);

    /// Writes the frames that precede the last frame, after the turn has ended.
    fn write_error(&mut self, _ending: &Ending<'_>, _out: &mut Frames) {}

    /// Writes the last frame, after the turn has ended.
    fn end(&mut self, ending: &Ending<'_>, out: &mut Frames);

    /// Writes the end of a client's stream whose turn continues.
    fn detach(&mut self, why: Detach, out: &mut Frames);

    /// Drops state about the output of the running model attempt, which is retracted and will be generated again.
    fn reset_attempt(&mut self) {}

    /// Continues after a snapshot that was sent to the client. Later events apply on top of it.
    fn continue_after(&mut self, _turn: &TurnSnapshot) {}
}

/// How a turn ended.
pub(super) struct Ending<'a> {
    pub(super) status: TurnStatus,
    /// A code for the reason why the turn did not complete.
    pub(super) code: &'a str,
    /// A sentence with the reason why the turn did not complete.
    pub(super) message: &'a str,
    /// All visible text of the turn.
    pub(super) text: &'a str,
}

/// Encodes a turn in a protocol. Events that the protocol cannot express are written as extensions or left out.
pub(super) struct Extended<P> {
    context: StreamContext,
    protocol: P,
    /// The parts that are still growing and are visible text.
    growing: Vec<PartId>,
    /// The sequence number of the last event of which the client was shown a part.
    shown: u32,
    /// The last error of the running step that did not come from a tool.
    error: Option<Failure>,
}

/// An error that may be the reason why the turn ends.
struct Failure {
    seq: u32,
    code: String,
    message: String,
}

impl<P: Protocol> Extended<P> {
    pub(super) fn new(context: &StreamContext, protocol: P) -> Self {
        Self { context: context.clone(), protocol, growing: Vec::new(), shown: 0, error: None }
    }

    /// Handles a retraction. Without extensions, the protocol cannot withdraw output, so if the client was shown any of
    /// it, its stream ends.
    fn retracted(&mut self, event: &TurnEvent, from_seq: u32, out: &mut Frames) {
        if self.context.ext {
            native::write_event(self.context.turn, event, out);
        } else if self.shown >= from_seq {
            return self.detach(Detach::Retracted, out);
        }
        self.growing.clear();
        self.error.take_if(|error| error.seq >= from_seq);
        self.protocol.reset_attempt();
    }

    /// Writes the end. With `last`, the last frame carries that cursor and the frames before it carry none.
    fn end(&mut self, status: TurnStatus, text: &str, last: Option<Cursor>, out: &mut Frames) {
        let is_intended = matches!(status, TurnStatus::Cancelled | TurnStatus::Interrupted);
        let (code, message) = match &self.error {
            Some(error) if !is_intended => (error.code.as_str(), error.message.as_str()),
            _ => (status.as_str(), sentence(status)),
        };
        let ending = Ending { status, code, message, text };
        self.protocol.write_error(&ending, out);
        if let Some(last) = last {
            out.start_snapshot(last);
        }
        self.protocol.end(&ending, out);
        out.end();
    }

    /// Updates the state on which the encoding of later events depends.
    fn update(&mut self, seq: u32, kind: &EventKind) {
        match kind {
            EventKind::StepStarted { .. } => self.error = None, // the turn continued in spite of the error
            EventKind::PartStarted { id, kind: PartKind::Text, .. } => self.growing.push(*id),
            EventKind::PartEnded { id, .. } => self.growing.retain(|growing| growing != id),
            EventKind::Error { code, message, scope, .. } if *scope != ErrorScope::Tool => {
                self.error = Some(Failure { seq, code: code.clone(), message: message.clone() });
            }
            _ => {}
        }
    }
}

impl<P: Protocol> EventEncoder for Extended<P> {
    fn encode(&mut self, event: &TurnEvent, out: &mut Frames) {
        match &event.kind {
            EventKind::PartDelta { id, text } => {
                if self.growing.contains(id) && !text.is_empty() {
                    self.protocol.text(*id, text, out);
                }
            }
            EventKind::Retracted { from_seq, .. } => return self.retracted(event, *from_seq, out),
            EventKind::TurnEnded { status, text, .. } => return self.end(*status, text, None, out),
            EventKind::Notice { .. }
            | EventKind::Compacted { .. }
            | EventKind::InteractionRequested { .. }
            | EventKind::InteractionResolved { .. }
                if self.context.ext =>
            {
                return native::write_event(self.context.turn, event, out);
            }
            kind => {
                self.update(event.seq, kind);
                self.protocol.event(event, out);
            }
        }
        if out.has_frame() {
            self.shown = event.seq;
        }
    }

    fn resync(&mut self, snapshot: &Snapshot, out: &mut Frames) {
        if !self.context.ext {
            return self.detach(Detach::Lost, out);
        }
        // The snapshot stands for all frames of the event after which it was taken.
        let all = Cursor { frame: u8::MAX, ..snapshot.cursor };
        let status = snapshot.turn.as_ref().and_then(|turn| turn.view.status);
        // A client that has the end has everything, so no frame before it may carry that cursor.
        if status.is_some() {
            out.start_outside_log()
        } else {
            out.start_snapshot(all)
        }
        native::write_snapshot(snapshot, out);
        let Some(turn) = &snapshot.turn else { return };
        let growing = turn.view.parts.iter().filter(|part| part.kind == PartKind::Text && !part.ended);
        self.growing = growing.map(|part| part.id).collect();
        self.protocol.continue_after(turn);
        if let Some(status) = status {
            self.end(status, &text_of(&turn.view), Some(all), out);
        }
    }

    fn pending(&mut self, waits: &[Wait], out: &mut Frames) {
        if self.context.ext {
            native::write_pending(self.context.turn, waits, out);
        }
    }

    fn progress(&mut self, progress: &ToolProgress, out: &mut Frames) {
        if self.context.ext {
            native::write_progress(self.context.turn, progress, out);
        }
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        out.start_outside_log();
        self.protocol.detach(why, out);
        out.end();
    }
}

fn text_of(view: &TurnView) -> String {
    let visible = view.parts.iter().filter(|part| part.kind == PartKind::Text);
    visible.map(|part| part.text.as_str()).collect()
}

/// Returns how a turn ended, as a sentence for people.
pub(crate) fn sentence(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::Completed => "the turn is complete",
        TurnStatus::Failed => "the turn failed",
        TurnStatus::Cancelled => "the turn was cancelled",
        TurnStatus::Limit => "the turn reached a limit",
        TurnStatus::Interrupted => "another message took the turn's place",
        TurnStatus::Expired => "the turn ran out of time",
    }
}
