//! Builds the view of a turn from its events.

use super::{PartView, RemarkView, StepView, ToolView, TurnView, WaitView};
use crate::{Arguments, CallUid, Data, EventKind, PartId, PartKind, Timestamp, TurnEvent, Usage};

impl TurnView {
    /// Returns the view after all of `events`.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a TurnEvent>) -> Self {
        let mut view = Self::default();
        events.into_iter().for_each(|event| view.apply(event));
        view
    }

    /// Applies the next event. Events that the view already contains change nothing. Only a retraction moves the view
    /// back to its position in the log, because the events after it reuse the numbers of the retracted ones.
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
                self.waiting_since = Some(event.at);
                self.input.clone_from(input);
                self.trace = Some(*trace);
            }
            EventKind::StepStarted { step, provider, model } => {
                let first_ms = self.waiting_since.take().map(|waiting| event.at.millis_since(waiting));
                self.steps.push(StepView {
                    step: *step,
                    provider: Some(provider.clone()),
                    model: Some(model.clone()),
                    finish: None,
                    usage: None,
                    began_at: Some(event.at),
                    first_ms,
                    ms: None,
                    attempts: Vec::new(),
                    since,
                });
            }
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
            EventKind::StepEnded { step, finish, usage, attempts } => {
                if let Some(found) = self.steps.iter_mut().rev().find(|found| found.step == *step) {
                    (found.finish, found.usage) = (Some(finish.clone()), Some(usage.clone()));
                    found.attempts.clone_from(attempts);
                    found.ms = found.began_at.map(|began| event.at.millis_since(began));
                }
                self.waiting_since = Some(event.at);
            }
            EventKind::ToolStarted { uid, name, arguments } => {
                let tool = self.tool(*uid, since);
                (tool.name, tool.arguments) = (name.clone(), arguments.clone());
            }
            EventKind::ToolFinished { uid, name, ok, content, error, images, ms } => {
                let tool = self.tool(*uid, since);
                tool.name.clone_from(name);
                tool.images.clone_from(images);
                (tool.outcome, tool.ms) = (Some((*ok, content.clone(), *error)), Some(*ms));
                self.waiting_since = Some(event.at);
            }
            EventKind::Steered { steering, input } => self.steer(Some(*steering), input, since),
            EventKind::Data { uid, kind, payload } => {
                self.tool(*uid, since).data = Some(Data { kind: kind.clone(), payload: payload.clone() });
            }
            EventKind::Notice { code, text } => self.remark(code, text),
            EventKind::Error { code, message, attempts, .. } => {
                let (code, text, attempts) = (code.clone(), message.clone(), attempts.clone());
                self.remarks.push(RemarkView { code, text, error: true, attempts, since });
            }
            EventKind::Compacted { messages, failure: None, .. } => {
                self.waiting_since = Some(event.at);
                self.remark("compacted", &format!("a summary takes the place of {messages} earlier messages"));
            }
            EventKind::TurnEnded { status, usage, steps, steered_into, .. } => {
                self.ended_at = Some(event.at);
                self.waiting_since = None;
                self.usage = (*steps > 0).then(|| Usage::clone(usage));
                self.status = Some(*status);
                self.steered_into = *steered_into;
            }
            // A failed compaction is reported by an error or a notice.
            EventKind::Compacted { .. } => self.waiting_since = Some(event.at),
            // A call that waits is no entry of `tools` before it runs. The start of its run may be retracted, which
            // removes the entry, while the wait and its resolution are durable.
            EventKind::InteractionRequested { request } => {
                self.waits.push(WaitView { request: request.clone(), decided: None, since });
            }
            EventKind::InteractionResolved { id, decision } => {
                if let Some(wait) = self.waits.iter_mut().rev().find(|wait| wait.request.id == *id) {
                    wait.decided = Some(decision.clone());
                }
            }
            EventKind::Retracted { .. } => {}
        }
    }

    /// Removes the output of a dead attempt. The wait for its answer counts from before that attempt began.
    fn retract(&mut self, from_seq: u32) {
        if let Some(dead) = self.steps.iter().find(|step| step.since >= from_seq) {
            let waited = dead.began_at.zip(dead.first_ms);
            self.waiting_since = waited.map(|(began, ms)| Timestamp::from_millis(began.millis() - ms.cast_signed()));
        }
        self.steps.retain(|step| step.since < from_seq);
        self.parts.retain(|part| part.since < from_seq);
        self.tools.retain(|tool| tool.since < from_seq);
        self.waits.retain(|wait| wait.since < from_seq);
        self.remarks.retain(|remark| remark.since < from_seq);
        self.steered.retain(|steered| steered.since < from_seq);
    }

    fn with_part(&mut self, id: PartId, change: impl FnOnce(&mut PartView)) {
        if let Some(part) = self.parts.iter_mut().rev().find(|part| part.id == id) {
            change(part);
        }
    }

    /// Returns a call, adding it in order if this is the first event about it. A call that did not run has no event
    /// with its arguments, so they are taken from the text of its part.
    fn tool(&mut self, uid: CallUid, since: u32) -> &mut ToolView {
        let place = self.tools.partition_point(|tool| tool.uid < uid);
        if self.tools.get(place).is_none_or(|tool| tool.uid != uid) {
            let arguments = written_arguments(&self.parts, uid).unwrap_or_default();
            let (name, images) = (String::new(), Vec::new());
            let tool = ToolView { uid, name, arguments, data: None, images, outcome: None, ms: None, since };
            self.tools.insert(place, tool);
        }
        &mut self.tools[place]
    }

    fn remark(&mut self, code: &str, text: &str) {
        let (code, text) = (code.to_owned(), text.to_owned());
        self.remarks.push(RemarkView { code, text, error: false, attempts: Vec::new(), since: self.seq });
    }
}

/// Returns the arguments of a call as the model wrote them: the text of its part.
pub(super) fn written_arguments(parts: &[PartView], uid: CallUid) -> Option<Arguments> {
    let mut calls = parts.iter().filter(|part| part.id.step == uid.step && part.kind == PartKind::ToolCall);
    calls.nth(usize::from(uid.ordinal)).map(|part| Arguments(part.text.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Fence, FinishReason, InteractionRequest, Resolution, SessionId, TraceId, TurnStatus, WaitId, WaitKind,
    };

    #[test]
    fn each_answer_has_the_time_it_was_waited_for_and_the_time_it_took() {
        let uid = CallUid { turn: crate::TurnId::default(), step: 1, ordinal: 0 };
        let step_started = |step| EventKind::StepStarted { step, provider: "one".into(), model: "large".into() };
        let step_ended = |step| EventKind::StepEnded {
            step,
            finish: FinishReason::Stop,
            usage: Usage::default(),
            attempts: Vec::new(),
        };
        let started = EventKind::TurnStarted {
            session: SessionId::default(),
            agent: "a".to_owned(),
            input: Vec::new(),
            parent: None,
            trace: TraceId::of(uid.turn),
            kind: crate::TurnKind::Message,
        };
        let finished = EventKind::ToolFinished {
            uid,
            name: "clock".to_owned(),
            ok: true,
            content: "12:00".to_owned(),
            error: None,
            images: Vec::new(),
            ms: 150,
        };
        let retracted = EventKind::Retracted { from_seq: 5, attempt: 2, lost_calls: 1 };
        let ended = EventKind::TurnEnded {
            status: TurnStatus::Completed,
            text: String::new(),
            final_text: None,
            usage: Box::default(),
            steps: 2,
            trace: TraceId::of(uid.turn),
            steered_into: None,
        };
        let mut view = TurnView::default();
        for (seq, at, kind, waiting_since, steps) in [
            (1, 0, started, Some(0), vec![]),
            (2, 100, step_started(1), None, vec![(Some(100), None)]),
            (3, 300, step_ended(1), Some(300), vec![(Some(100), Some(200))]),
            (4, 450, finished, Some(450), vec![(Some(100), Some(200))]),
            (5, 500, step_started(2), None, vec![(Some(100), Some(200)), (Some(50), None)]),
            (5, 600, retracted, Some(450), vec![(Some(100), Some(200))]),
            (6, 700, step_started(2), None, vec![(Some(100), Some(200)), (Some(250), None)]),
            (7, 710, step_ended(2), Some(710), vec![(Some(100), Some(200)), (Some(250), Some(10))]),
            (8, 710, ended, None, vec![(Some(100), Some(200)), (Some(250), Some(10))]),
        ] {
            view.apply(&TurnEvent { seq, fence: Fence(1), at: Timestamp::from_millis(at), kind });
            assert_eq!(view.waiting_since.map(Timestamp::millis), waiting_since, "{seq} {at}");
            let times: Vec<_> = view.steps.iter().map(|step| (step.first_ms, step.ms)).collect();
            assert_eq!(times, steps, "{seq} {at}");
        }
    }

    #[test]
    fn a_wait_is_shown_from_its_request_on_and_keeps_its_resolution() {
        let uid = CallUid { turn: crate::TurnId::default(), step: 1, ordinal: 0 };
        let id = |number| WaitId { call: uid, number };
        let requested = |number| EventKind::InteractionRequested {
            request: Box::new(InteractionRequest {
                id: id(number),
                kind: WaitKind::Approval,
                uid,
                name: "pay".to_owned(),
                arguments: Arguments("{}".to_owned()),
                reason: "a rule asks for approval".to_owned(),
                preview: None,
                question: None,
                child: None,
                expires_at: Timestamp::from_millis(9),
            }),
        };
        let resolved = |number| {
            let decision = Resolution::Approved { arguments: None, note: None, grant: None };
            EventKind::InteractionResolved { id: id(number), decision: Box::new(decision.into()) }
        };
        let mut view = TurnView::default();
        for (seq, kind, waits) in [
            (1, requested(0), vec![(0, false)]),
            (2, resolved(0), vec![(0, true)]),
            (3, requested(1), vec![(0, true), (1, false)]),
            (3, EventKind::Retracted { from_seq: 3, attempt: 2, lost_calls: 0 }, vec![(0, true)]),
            (4, requested(1), vec![(0, true), (1, false)]),
            (5, resolved(1), vec![(0, true), (1, true)]),
        ] {
            view.apply(&TurnEvent { seq, fence: Fence(1), at: Timestamp::from_millis(0), kind });
            let shown: Vec<_> =
                view.waits.iter().map(|wait| (wait.request.id.number, wait.decided.is_some())).collect();
            assert_eq!(shown, waits, "{seq}");
        }
        assert!(view.without_log().waits.is_empty());
    }
}
