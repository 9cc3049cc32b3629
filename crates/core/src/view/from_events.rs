//! The view of a turn from its events.

use super::{PartView, RemarkView, StepView, ToolView, TurnView};
use crate::{Arguments, CallUid, Data, EventKind, PartId, PartKind, TurnEvent, Usage};

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
        let since = event.seq;
        match &event.kind {
            EventKind::TurnStarted { agent, input, trace, .. } => {
                self.agent.clone_from(agent);
                self.accepted_at = Some(event.at);
                self.input.clone_from(input);
                self.trace = Some(*trace);
            }
            EventKind::StepStarted { step, provider, model } => self.steps.push(StepView {
                step: *step,
                provider: Some(provider.clone()),
                model: Some(model.clone()),
                finish: None,
                usage: None,
                since,
            }),
            EventKind::PartStarted { id, kind, name } => self.parts.push(PartView {
                id: *id,
                kind: *kind,
                name: name.clone(),
                text: String::new(),
                ended: false,
                since,
            }),
            EventKind::PartDelta { id, text } => self.with_part(*id, |part| part.text.push_str(text)),
            EventKind::PartEnded { id, .. } => self.with_part(*id, |part| part.ended = true),
            EventKind::StepEnded { step, finish, usage } => {
                if let Some(found) = self.steps.iter_mut().rev().find(|found| found.step == *step) {
                    (found.finish, found.usage) = (Some(finish.clone()), Some(usage.clone()));
                }
            }
            EventKind::ToolStarted { uid, name, arguments } => {
                let tool = self.tool(*uid, since);
                (tool.name, tool.arguments) = (name.clone(), arguments.clone());
            }
            EventKind::ToolFinished { uid, name, ok, content, error, .. } => {
                let tool = self.tool(*uid, since);
                tool.name.clone_from(name);
                tool.outcome = Some((*ok, content.clone(), *error));
            }
            EventKind::Data { uid, kind, payload } => {
                self.tool(*uid, since).data = Some(Data { kind: kind.clone(), payload: payload.clone() });
            }
            EventKind::Notice { code, text } => self.remark(code, text, false),
            EventKind::Error { code, message, .. } => self.remark(code, message, true),
            EventKind::Compacted { messages, failure: None, .. } => {
                self.remark("compacted", &format!("a summary takes the place of {messages} earlier messages"), false);
            }
            EventKind::TurnEnded { status, usage, steps, .. } => {
                self.ended_at = Some(event.at);
                self.usage = (*steps > 0).then(|| Usage::clone(usage));
                self.status = Some(*status);
            }
            // An error or a notice says that a compaction failed. A page draws interactions from their own list.
            EventKind::Compacted { .. }
            | EventKind::InteractionRequested { .. }
            | EventKind::InteractionResolved { .. }
            | EventKind::Retracted { .. } => {}
        }
    }

    /// Drops what a dead attempt had shown.
    fn retract(&mut self, from_seq: u32) {
        self.steps.retain(|step| step.since < from_seq);
        self.parts.retain(|part| part.since < from_seq);
        self.tools.retain(|tool| tool.since < from_seq);
        self.remarks.retain(|remark| remark.since < from_seq);
    }

    fn with_part(&mut self, id: PartId, change: impl FnOnce(&mut PartView)) {
        if let Some(part) = self.parts.iter_mut().rev().find(|part| part.id == id) {
            change(part);
        }
    }

    /// Returns a call, which is added in its place if this is the first event about it. A call that did not run has no
    /// event of its own with its arguments: they are the text of its part.
    fn tool(&mut self, uid: CallUid, since: u32) -> &mut ToolView {
        let place = self.tools.partition_point(|tool| tool.uid < uid);
        if self.tools.get(place).is_none_or(|tool| tool.uid != uid) {
            let calls = self.parts.iter().filter(|part| part.id.step == uid.step && part.kind == PartKind::ToolCall);
            let arguments = calls.map(|part| part.text.as_str()).nth(usize::from(uid.ordinal)).unwrap_or_default();
            let arguments = Arguments(arguments.to_owned());
            let tool = ToolView { uid, name: String::new(), arguments, data: None, outcome: None, since };
            self.tools.insert(place, tool);
        }
        &mut self.tools[place]
    }

    fn remark(&mut self, code: &str, text: &str, error: bool) {
        let (code, text) = (code.to_owned(), text.to_owned());
        self.remarks.push(RemarkView { code, text, error, since: self.seq });
    }
}
