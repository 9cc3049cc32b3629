//! The spans of a turn, gathered from its events.

use super::{Span, SpanKind, TURN, call_failure, failure, step_id};
use crate::{EventKind, FailedAttempt, FinishReason, Timestamp, TurnEvent, Usage, WaitKind};

/// The spans of the events so far.
#[derive(Default)]
pub(super) struct Timeline {
    accepted_at: Timestamp,
    /// When the wait for the next answer began.
    waiting_since: Option<Timestamp>,
    /// The spans, each with the number of the event that began it.
    spans: Vec<(u32, Span)>,
}

impl Timeline {
    /// Returns the spans, each after the one that contains it.
    pub(super) fn into_spans(self) -> Vec<Span> {
        self.spans.into_iter().map(|(_, span)| span).collect()
    }

    pub(super) fn apply(&mut self, event: &TurnEvent) {
        let (at, seq) = (event.at, event.seq);
        match &event.kind {
            EventKind::TurnStarted { agent, .. } => {
                (self.accepted_at, self.waiting_since) = (at, Some(at));
                self.spans.push((seq, Span { start_ms: Some(0), ..Span::new(TURN, SpanKind::Turn, agent) }));
            }
            EventKind::StepStarted { step, model, .. } => self.begin_step(seq, at, *step, model),
            EventKind::StepEnded { step, finish, usage, attempts } => {
                self.end_step(at, *step, usage, attempts);
                if *finish == FinishReason::Interrupted {
                    self.with(&answer_id(*step), |span| span.error = Some(finish.as_str().to_owned()));
                }
                self.waiting_since = Some(at);
            }
            EventKind::ToolStarted { uid, name, .. } => {
                self.begin(seq, at, Span::new(uid, SpanKind::Tool, name).within(&step_id(uid.step)));
            }
            EventKind::ToolFinished { uid, name, ok, error, ms, .. } => {
                let id = uid.to_string();
                if !self.spans.iter().any(|(_, span)| span.id == id) {
                    let start = Timestamp::from_millis(at.millis().saturating_sub_unsigned(*ms));
                    self.begin(seq, start, Span::new(uid, SpanKind::Tool, name).within(&step_id(uid.step)));
                }
                self.with(&id, |span| (span.ms, span.error) = (Some(*ms), call_failure(*ok, *error)));
                self.extend(&step_id(uid.step), at);
                self.waiting_since = Some(at);
            }
            EventKind::InteractionRequested { request } => {
                let span = Span::new(request.id, SpanKind::Wait, wait_name(request.kind));
                self.begin(seq, at, span.within(&step_id(request.uid.step)));
            }
            EventKind::InteractionResolved { id, .. } => {
                self.extend(&id.to_string(), at);
                self.extend(&step_id(id.call.step), at);
            }
            EventKind::Compacted { failure, model, usage, ms, .. } => {
                let name = model.as_deref().unwrap_or_default();
                let start = Timestamp::from_millis(at.millis().saturating_sub_unsigned(*ms));
                let span = Span::new(format!("compaction.{seq}"), SpanKind::Compaction, name);
                let error = failure.as_ref().map(|_| "compaction_failed".to_owned());
                self.begin(seq, start, Span { ms: Some(*ms), error, ..span }.within(TURN).consuming(Some(&**usage)));
                self.waiting_since = Some(at);
            }
            EventKind::Error { code, attempts, .. } => {
                let start = self.waiting_since.map_or(0, |waiting| waiting.millis_since(self.accepted_at));
                self.spans.extend(failed_in(TURN, start, attempts).map(|span| (seq, span)));
                self.with(TURN, |turn| {
                    turn.error.get_or_insert_with(|| code.clone());
                });
            }
            EventKind::TurnEnded { status, usage, steps, .. } => {
                let usage = (*steps > 0).then_some(&**usage);
                self.extend(TURN, at);
                self.with(TURN, |turn| {
                    let ended = turn.clone().consuming(usage);
                    *turn = Span { error: ended.error.clone().or_else(|| failure(*status)), ..ended };
                });
                self.waiting_since = None;
            }
            EventKind::Retracted { from_seq, .. } => self.retract(*from_seq),
            _ => {}
        }
    }

    fn begin_step(&mut self, seq: u32, at: Timestamp, step: u16, model: &str) {
        let start = self.waiting_since.take().unwrap_or(at);
        let (id, first_ms) = (step_id(step), Some(at.millis_since(start)));
        let whole = Span { first_ms, ..Span::new(&id, SpanKind::Step, model) };
        let answer = Span { first_ms, ..Span::new(answer_id(step), SpanKind::Attempt, model) };
        self.begin(seq, start, whole.within(TURN));
        self.begin(seq, start, answer.within(&id));
        let since_accepted = at.millis_since(self.accepted_at);
        self.with(TURN, |turn| {
            turn.first_ms.get_or_insert(since_accepted);
        });
    }

    fn end_step(&mut self, at: Timestamp, step: u16, usage: &Usage, attempts: &[FailedAttempt]) {
        let (id, answer) = (step_id(step), answer_id(step));
        self.extend(&id, at);
        self.extend(&answer, at);
        for id in [&id, &answer] {
            self.with(id, |span| *span = span.clone().consuming(Some(usage)));
        }
        let Some(place) = self.spans.iter().position(|(_, span)| span.id == answer) else { return };
        let Some((seq, start)) = self.spans.get(place).map(|(seq, span)| (*seq, span.start_ms.unwrap_or(0))) else {
            return;
        };
        let end = attempts.iter().fold(start, |end, attempt| end.saturating_add(attempt.ms));
        self.with(&answer, |span| span.begin_later(end));
        self.spans.splice(place..place, failed_in(&id, start, attempts).map(|span| (seq, span)));
    }

    fn begin(&mut self, seq: u32, at: Timestamp, span: Span) {
        let start_ms = Some(at.millis_since(self.accepted_at));
        self.spans.push((seq, Span { start_ms, ..span }));
    }

    /// Lets a span last until `at`.
    fn extend(&mut self, id: &str, at: Timestamp) {
        let end = at.millis_since(self.accepted_at);
        self.with(id, |span| span.ms = span.start_ms.map(|start| end.saturating_sub(start)));
    }

    fn with(&mut self, id: &str, change: impl FnOnce(&mut Span)) {
        if let Some((_, span)) = self.spans.iter_mut().rev().find(|(_, span)| span.id == id) {
            change(span);
        }
    }

    /// Removes the spans of a dead attempt. The wait for its answer counts from before that attempt began.
    fn retract(&mut self, from_seq: u32) {
        let dead = self.spans.iter().find(|(seq, span)| *seq >= from_seq && span.kind == SpanKind::Step);
        if let Some(start) = dead.and_then(|(_, span)| span.start_ms) {
            let accepted = self.accepted_at.millis();
            self.waiting_since = Some(Timestamp::from_millis(accepted.saturating_add_unsigned(start)));
        }
        self.spans.retain(|(seq, _)| *seq < from_seq);
    }
}

impl Span {
    /// Moves the start of an attempt that has ended to `start`, at most to its first output.
    fn begin_later(&mut self, start: u64) {
        let (Some(began), Some(first)) = (self.start_ms, self.first_ms) else { return };
        let later = start.saturating_sub(began).min(first);
        self.start_ms = Some(began.saturating_add(later));
        self.first_ms = Some(first.saturating_sub(later));
        self.ms = self.ms.map(|ms| ms.saturating_sub(later));
    }
}

/// Returns the spans of attempts that failed, one after the other from `start`.
fn failed_in<'a>(parent: &'a str, start: u64, attempts: &'a [FailedAttempt]) -> impl Iterator<Item = Span> + 'a {
    let mut next = start;
    (0..).zip(attempts).map(move |(place, attempt)| {
        let start_ms = Some(next);
        next = next.saturating_add(attempt.ms);
        Span { start_ms, ..Span::failed(parent, place, attempt) }
    })
}

fn answer_id(step: u16) -> String {
    format!("step.{step}.answer")
}

fn wait_name(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Approval => "approval",
        WaitKind::Outcome => "outcome",
        WaitKind::Question => "question",
        WaitKind::ClientTool => "client_tool",
        WaitKind::Child => "child",
    }
}
