//! The trace of a turn: what took how long, as a tree of spans.

mod timeline;

#[cfg(test)]
mod tests;

use std::fmt::Display;

use timeline::Timeline;

use crate::{Cost, FailedAttempt, ToolErrorKind, TurnEvent, TurnStatus, TurnView, Usage};

/// The id of the span of the turn itself.
const TURN: &str = "turn";

/// A part of a turn with its duration. Spans form a tree: a turn has steps, compactions, and the attempts at a model
/// call that no provider answered; a step has the attempts at its model call, and the calls and waits that followed from
/// its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// The id of the span, which no other span of the turn has.
    pub id: String,
    /// The id of the span that contains it; absent for the turn.
    pub parent: Option<String>,
    /// What the span is.
    pub kind: SpanKind,
    /// The agent of a turn, the model of a step or an attempt, the tool of a call, or the kind of a wait.
    pub name: String,
    /// The time from the acceptance of the turn to the start of the span, in milliseconds. Absent once the events of the
    /// turn are deleted.
    pub start_ms: Option<u64>,
    /// The duration in milliseconds. Absent while the span has not ended, and if it is no longer known.
    pub ms: Option<u64>,
    /// The time from the start of the span to the first output of a model, in milliseconds.
    pub first_ms: Option<u64>,
    /// The tokens of the model calls, input and output together.
    pub tokens: Option<u64>,
    /// The cost of the model calls.
    pub cost: Option<Cost>,
    /// The code of the failure, or how the turn ended unless it completed.
    pub error: Option<String>,
}

/// What a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    /// The turn.
    Turn,
    /// A model call with all that followed from its answer.
    Step,
    /// An attempt at a model call: one that failed, or the one that answered.
    Attempt,
    /// A tool call.
    Tool,
    /// A wait for a decision.
    Wait,
    /// A summary of earlier messages.
    Compaction,
}

impl SpanKind {
    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Step => "step",
            Self::Attempt => "attempt",
            Self::Tool => "tool",
            Self::Wait => "wait",
            Self::Compaction => "compaction",
        }
    }
}

impl Span {
    /// Returns the spans of a turn with these events, each after the one that contains it.
    ///
    /// The log has the durations of failed attempts, but not their starts: they are shown one after the other from the
    /// start of their step, without the pauses between them.
    pub fn of_events(events: &[TurnEvent]) -> Vec<Self> {
        let mut timeline = Timeline::default();
        events.iter().for_each(|event| timeline.apply(event));
        timeline.into_spans()
    }

    /// Returns what is known of the spans of a turn whose events are deleted: durations, without starts and waits.
    pub fn of_view(view: &TurnView) -> Vec<Self> {
        let took = view.accepted_at.zip(view.ended_at).map(|(accepted, ended)| ended.millis_since(accepted));
        let error = view.remarks.iter().find(|remark| remark.error).map(|remark| remark.code.clone());
        let turn = Self {
            start_ms: view.accepted_at.map(|_| 0),
            ms: took,
            error: error.or_else(|| view.status.and_then(failure)),
            ..Self::new(TURN, SpanKind::Turn, &view.agent)
        };
        let mut spans = vec![turn.consuming(view.usage.as_ref())];
        for step in &view.steps {
            let (id, model) = (step_id(step.step), step.model.as_deref().unwrap_or_default());
            let whole = Self { ms: step.ms, first_ms: step.first_ms, ..Self::new(&id, SpanKind::Step, model) };
            spans.push(whole.within(TURN).consuming(step.usage.as_ref()));
            spans.extend((0..).zip(&step.attempts).map(|(place, failed)| Self::failed(&id, place, failed)));
            let tools = view.tools.iter().filter(|tool| tool.uid.step == step.step);
            spans.extend(tools.map(|tool| {
                let error = tool.outcome.as_ref().and_then(|(ok, _, error)| call_failure(*ok, *error));
                Self { ms: tool.ms, error, ..Self::new(tool.uid, SpanKind::Tool, &tool.name) }.within(&id)
            }));
        }
        let failed = view.remarks.iter().flat_map(|remark| (0..).zip(&remark.attempts));
        spans.extend(failed.map(|(place, failed)| Self::failed(TURN, place, failed)));
        spans
    }

    fn new(id: impl Display, kind: SpanKind, name: &str) -> Self {
        Self {
            id: id.to_string(),
            parent: None,
            kind,
            name: name.to_owned(),
            start_ms: None,
            ms: None,
            first_ms: None,
            tokens: None,
            cost: None,
            error: None,
        }
    }

    /// Returns the span of attempt number `place`, which failed, at a model call: in the step of its answer, or in the
    /// turn if no provider answered.
    fn failed(parent: &str, place: usize, failed: &FailedAttempt) -> Self {
        let id = format!("{parent}.failed.{}", place.saturating_add(1));
        let span = Self::new(id, SpanKind::Attempt, &failed.model);
        Self { ms: Some(failed.ms), error: Some(failed.code.to_string()), ..span }.within(parent)
    }

    fn within(self, parent: &str) -> Self {
        Self { parent: Some(parent.to_owned()), ..self }
    }

    fn consuming(self, usage: Option<&Usage>) -> Self {
        let tokens = usage.map(|usage| usage.input().saturating_add(usage.output));
        Self { tokens, cost: usage.map(|usage| usage.cost), ..self }
    }
}

fn step_id(step: u16) -> String {
    format!("step.{step}")
}

/// Returns how a turn ended, unless it completed.
fn failure(status: TurnStatus) -> Option<String> {
    (status != TurnStatus::Completed).then(|| status.as_str().to_owned())
}

fn call_failure(ok: bool, error: Option<ToolErrorKind>) -> Option<String> {
    (!ok).then(|| error.map_or("failed", ToolErrorKind::as_str).to_owned())
}
