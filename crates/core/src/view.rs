//! A turn as it stands, folded from its events: what a reader gets when it cannot resume exactly.

use crate::{CallUid, EventKind, Part, PartId, PartKind, Str, ToolErrorKind, TurnEvent, TurnStatus};

/// All that a page needs to draw a turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TurnView {
    /// The last event in it.
    pub seq: u32,
    /// What the user said.
    pub input: Vec<Part>,
    /// What the model said, in order.
    pub parts: Vec<PartView>,
    /// The calls that were started, in order.
    pub tools: Vec<ToolView>,
    /// Notices and errors, in order.
    pub remarks: Vec<RemarkView>,
    /// How the turn ended, once it has.
    pub status: Option<TurnStatus>,
}

/// A part, whole or still growing.
#[derive(Debug, Clone, PartialEq)]
pub struct PartView {
    /// Which.
    pub id: PartId,
    /// What it is.
    pub kind: PartKind,
    /// The tool's name, for a call.
    pub name: Option<Str>,
    /// Its text so far.
    pub text: String,
    /// Whether it is whole.
    pub ended: bool,
    /// The event it began with.
    pub since: u32,
}

/// A call that was started.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolView {
    /// Which.
    pub uid: CallUid,
    /// The tool.
    pub name: String,
    /// What came of it: whether it succeeded, what the model reads, and the kind of failure.
    pub outcome: Option<(bool, String, Option<ToolErrorKind>)>,
    /// The event it began with.
    pub since: u32,
}

/// A notice or an error.
#[derive(Debug, Clone, PartialEq)]
pub struct RemarkView {
    /// A word for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Its event.
    pub since: u32,
}

impl TurnView {
    /// The view after all of `events`.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a TurnEvent>) -> Self {
        let mut view = Self::default();
        events.into_iter().for_each(|event| view.apply(event));
        view
    }

    /// Takes the next event. Events already in the view change nothing; only a retraction takes the view back to where
    /// it stands in the log, since what follows it has the numbers of what the dead attempt had shown.
    pub fn apply(&mut self, event: &TurnEvent) {
        if let EventKind::Retracted { from_seq, .. } = event.kind {
            self.retract(from_seq);
        } else if event.seq <= self.seq {
            return;
        }
        self.seq = event.seq;
        match &event.kind {
            EventKind::TurnStarted { input, .. } => self.input.clone_from(input),
            EventKind::PartStarted { id, kind, name } => self.parts.push(PartView {
                id: *id,
                kind: *kind,
                name: name.clone(),
                text: String::new(),
                ended: false,
                since: event.seq,
            }),
            EventKind::PartDelta { id, text } => self.with_part(*id, |part| part.text.push_str(text)),
            EventKind::PartEnded { id, .. } => self.with_part(*id, |part| part.ended = true),
            EventKind::ToolStarted { uid, name, .. } => {
                self.tools.push(ToolView { uid: *uid, name: name.clone(), outcome: None, since: event.seq });
            }
            EventKind::ToolFinished { uid, name, ok, content, error, .. } => {
                let outcome = Some((*ok, content.clone(), *error));
                match self.tools.iter_mut().find(|tool| tool.uid == *uid) {
                    Some(tool) => tool.outcome = outcome,
                    None => self.tools.push(ToolView { uid: *uid, name: name.clone(), outcome, since: event.seq }),
                }
            }
            EventKind::Notice { code, text } | EventKind::Error { code, message: text, .. } => {
                self.remarks.push(RemarkView { code: code.clone(), text: text.clone(), since: event.seq });
            }
            EventKind::TurnEnded { status, .. } => self.status = Some(*status),
            EventKind::Retracted { .. }
            | EventKind::StepStarted { .. }
            | EventKind::StepEnded { .. }
            | EventKind::Data { .. } => {}
        }
    }

    /// Drops what a dead attempt had shown.
    fn retract(&mut self, from_seq: u32) {
        self.parts.retain(|part| part.since < from_seq);
        self.tools.retain(|tool| tool.since < from_seq);
        self.remarks.retain(|remark| remark.since < from_seq);
    }

    fn with_part(&mut self, id: PartId, change: impl FnOnce(&mut PartView)) {
        if let Some(part) = self.parts.iter_mut().rev().find(|part| part.id == id) {
            change(part);
        }
    }
}
