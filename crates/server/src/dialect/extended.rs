//! What the protocols that are not ours have in common: they show text as it grows, end with a frame of their own, and
//! have no word for some of what happens in a turn. A client that asks for extensions is told that in native frames.

use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{
    Cursor, ErrorScope, EventKind, Frames, Part, PartId, PartKind, Snapshot, TurnEvent, TurnSoFar, TurnStatus, TurnView,
};

use super::{Told, native};

/// How one protocol says what it has words for.
pub(super) trait Protocol: Send {
    /// Visible text came; it is not empty.
    fn text(&mut self, part: PartId, text: &str, out: &mut Frames);

    /// Something else happened.
    fn event(&mut self, event: &TurnEvent, out: &mut Frames);

    /// The turn is over.
    fn end(&mut self, ending: &Ending<'_>, out: &mut Frames);

    /// The client's stream ends although the turn does not.
    fn detach(&mut self, why: Detach, out: &mut Frames);

    /// What the running model attempt said does not count: it is said again.
    fn forget(&mut self) {}

    /// The client was told how the turn stands; what comes next comes after it.
    fn go_on(&mut self, _turn: &TurnSoFar) {}
}

/// How a turn ended.
pub(super) struct Ending<'a> {
    pub(super) status: TurnStatus,
    /// A word for why it did not complete.
    pub(super) code: &'a str,
    /// A sentence for why it did not complete.
    pub(super) message: &'a str,
    /// All visible text of the turn.
    pub(super) text: &'a str,
}

/// Tells a turn in a protocol, and what that has no word for as extensions or not at all.
pub(super) struct Extended<P> {
    told: Told,
    protocol: P,
    /// The parts that grow and are visible text.
    growing: Vec<PartId>,
    /// The last event that the client may have been shown something of.
    shown: u32,
    /// Code and message of the last error that was not a tool's, in the step that runs.
    error: Option<(String, String)>,
}

impl<P: Protocol> Extended<P> {
    pub(super) fn new(told: &Told, protocol: P) -> Self {
        Self { told: told.clone(), protocol, growing: Vec::new(), shown: 0, error: None }
    }

    /// Without extensions a client cannot be told to drop what it was shown. If that is nothing, it need not be.
    fn retracted(&mut self, event: &TurnEvent, from_seq: u32, out: &mut Frames) {
        if self.told.ext {
            native::tell(self.told.turn, event, out);
        } else if self.shown >= from_seq {
            return self.detach(Detach::Retracted, out);
        }
        self.growing.clear();
        self.protocol.forget();
    }

    fn end(&mut self, status: TurnStatus, text: &str, out: &mut Frames) {
        let wanted = matches!(status, TurnStatus::Cancelled | TurnStatus::Interrupted);
        let (code, message) = match &self.error {
            Some((code, message)) if !wanted => (code.as_str(), message.as_str()),
            _ => (status.as_str(), sentence(status)),
        };
        self.protocol.end(&Ending { status, code, message, text }, out);
        out.end();
    }
}

impl<P: Protocol> EventEncoder for Extended<P> {
    fn encode(&mut self, event: &TurnEvent, out: &mut Frames) {
        match &event.kind {
            EventKind::PartDelta { id, text } => {
                if self.growing.contains(id) && !text.is_empty() {
                    self.shown = event.seq;
                    self.protocol.text(*id, text, out);
                }
                return;
            }
            EventKind::Retracted { from_seq, .. } => return self.retracted(event, *from_seq, out),
            EventKind::TurnEnded { status, text, .. } => return self.end(*status, text, out),
            EventKind::Notice { .. } if self.told.ext => return native::tell(self.told.turn, event, out),
            EventKind::StepStarted { .. } => self.error = None, // the turn went on in spite of it
            EventKind::PartStarted { id, kind: PartKind::Text, .. } => self.growing.push(*id),
            EventKind::PartEnded { id, .. } => self.growing.retain(|growing| growing != id),
            EventKind::Error { code, message, scope, .. } if *scope != ErrorScope::Tool => {
                self.error = Some((code.clone(), message.clone()));
            }
            _ => {}
        }
        if shows(&event.kind) {
            self.shown = event.seq;
        }
        self.protocol.event(event, out);
    }

    fn resync(&mut self, snapshot: &Snapshot, out: &mut Frames) {
        if !self.told.ext {
            return self.detach(Detach::Lost, out);
        }
        // It stands for all frames of the event it was taken after.
        out.begin_at(Cursor { frame: u8::MAX, ..snapshot.cursor });
        native::tell_snapshot(snapshot, out);
        let Some(turn) = &snapshot.turn else { return };
        let growing = turn.view.parts.iter().filter(|part| part.kind == PartKind::Text && !part.ended);
        self.growing = growing.map(|part| part.id).collect();
        self.protocol.go_on(turn);
        if let Some(status) = turn.view.status {
            self.end(status, &text_of(&turn.view), out);
        }
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        out.begin_beside_log();
        self.protocol.detach(why, out);
        out.end();
    }
}

/// Whether some protocol has a frame for it.
fn shows(kind: &EventKind) -> bool {
    match kind {
        EventKind::PartEnded { part, .. } => matches!(part, Part::ToolCall(_)),
        EventKind::ToolStarted { .. } | EventKind::ToolFinished { .. } | EventKind::Data { .. } => true,
        _ => matches!(kind, EventKind::Error { .. }),
    }
}

fn text_of(view: &TurnView) -> String {
    let visible = view.parts.iter().filter(|part| part.kind == PartKind::Text);
    visible.map(|part| part.text.as_str()).collect()
}

fn sentence(status: TurnStatus) -> &'static str {
    match status {
        TurnStatus::Completed => "the turn is complete",
        TurnStatus::Failed => "the turn failed",
        TurnStatus::Cancelled => "the turn was cancelled",
        TurnStatus::Limit => "the turn reached a limit",
        TurnStatus::Interrupted => "another message took the turn's place",
        TurnStatus::Expired => "the turn ran out of time",
    }
}
