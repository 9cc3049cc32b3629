use super::{Span, SpanKind};
use crate::{
    CallUid, ErrorScope, EventKind, FailedAttempt, Fence, FinishReason, SessionId, Timestamp, ToolErrorKind, TraceId,
    TurnEvent, TurnId, TurnKind, TurnStatus, TurnView, Usage,
};

fn event(seq: u32, at: i64, kind: EventKind) -> TurnEvent {
    TurnEvent { seq, fence: Fence(1), at: Timestamp::from_millis(1000 + at), kind }
}

fn step_started(step: u16) -> EventKind {
    EventKind::StepStarted { step, provider: "two".into(), model: "large".into() }
}

fn step_ended(step: u16, attempts: Vec<FailedAttempt>) -> EventKind {
    let usage = Usage { fresh: 10, output: 5, ..Usage::default() };
    EventKind::StepEnded { step, finish: FinishReason::Stop, usage, attempts }
}

fn failed(model: &str, ms: u64) -> FailedAttempt {
    FailedAttempt { provider: "one".into(), model: model.into(), code: "provider_timeout".into(), ms }
}

fn turn() -> Vec<TurnEvent> {
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let trace = TraceId::of(uid.turn);
    let started = EventKind::TurnStarted {
        session: SessionId::default(),
        agent: "support".to_owned(),
        input: Vec::new(),
        parent: None,
        trace,
        kind: TurnKind::Message,
    };
    let tool_started =
        EventKind::ToolStarted { uid, name: "clock".to_owned(), arguments: crate::Arguments("{}".to_owned()) };
    let tool_finished = EventKind::ToolFinished {
        uid,
        name: "clock".to_owned(),
        ok: false,
        content: String::new(),
        error: Some(ToolErrorKind::TimedOut),
        images: Vec::new(),
        ms: 40,
    };
    let ended = EventKind::TurnEnded {
        status: TurnStatus::Completed,
        text: String::new(),
        final_text: None,
        usage: Box::new(Usage { fresh: 20, output: 10, ..Usage::default() }),
        steps: 2,
        trace,
        steered_into: None,
    };
    vec![
        event(1, 0, started),
        event(2, 100, step_started(1)),
        event(3, 300, step_ended(1, vec![failed("small", 60)])),
        event(4, 310, tool_started),
        event(5, 350, tool_finished),
        event(6, 400, step_started(2)),
        event(6, 500, EventKind::Retracted { from_seq: 6, attempt: 2, lost_calls: 1 }),
        event(7, 600, step_started(2)),
        event(8, 700, step_ended(2, Vec::new())),
        event(9, 720, ended),
    ]
}

#[test]
fn steps_contain_their_attempts_and_calls_and_begin_when_the_turn_waits_for_them() {
    let spans = Span::of_events(&turn());
    let shown: Vec<_> = spans
        .iter()
        .map(|span| {
            let Span { id, parent, start_ms, ms, first_ms, error, .. } = span;
            (id.as_str(), parent.as_deref(), *start_ms, *ms, *first_ms, error.as_deref())
        })
        .collect();
    let call = format!("{}.1.0", TurnId::default());
    let expected = [
        ("turn", None, Some(0), Some(720), Some(100), None),
        ("step.1", Some("turn"), Some(0), Some(350), Some(100), None),
        ("step.1.failed.1", Some("step.1"), Some(0), Some(60), None, Some("provider_timeout")),
        ("step.1.answer", Some("step.1"), Some(60), Some(240), Some(40), None),
        (call.as_str(), Some("step.1"), Some(310), Some(40), None, Some("timed_out")),
        ("step.2", Some("turn"), Some(350), Some(350), Some(250), None),
        ("step.2.answer", Some("step.2"), Some(350), Some(350), Some(250), None),
    ];
    assert_eq!(shown, expected);
    let tokens: Vec<_> = spans.iter().map(|span| span.tokens).collect();
    assert_eq!(tokens, [Some(30), Some(15), None, Some(15), None, Some(15), Some(15)]);
}

#[test]
fn a_span_that_has_not_ended_has_no_duration() {
    let spans = Span::of_events(&turn()[..4]);
    let open: Vec<_> = spans.iter().filter(|span| span.ms.is_none()).map(|span| span.kind).collect();
    assert_eq!(open, [SpanKind::Turn, SpanKind::Tool]);
}

#[test]
fn without_events_durations_and_failures_are_left() {
    use SpanKind::{Attempt, Step, Tool, Turn};
    let view = TurnView::of(&turn());
    let spans = Span::of_view(&view);
    let kinds: Vec<_> = spans.iter().map(|span| (span.kind, span.start_ms)).collect();
    assert_eq!(kinds, [(Turn, Some(0)), (Step, None), (Attempt, None), (Tool, None), (Step, None)]);
    assert_eq!((spans[0].ms, spans[2].ms, spans[3].ms), (Some(720), Some(60), Some(40)));
}

#[test]
fn a_call_that_no_provider_answered_has_its_attempts_in_the_turn() {
    let mut events = turn();
    events.truncate(5);
    events.push(event(
        6,
        900,
        EventKind::Error {
            code: "provider_timeout".to_owned(),
            message: "no provider answered".to_owned(),
            retryable: true,
            scope: ErrorScope::Provider,
            attempts: vec![failed("small", 200), failed("large", 300)],
        },
    ));
    let attempts = |spans: Vec<Span>| -> Vec<_> {
        let of_turn = spans.into_iter().filter(|span| span.id.starts_with("turn.failed"));
        of_turn.map(|span| (span.id, span.parent, span.kind, span.name, span.start_ms, span.ms, span.error)).collect()
    };
    let expected = |starts: [Option<u64>; 2]| -> Vec<_> {
        let [first, second] = starts;
        [("turn.failed.1", "small", first, 200), ("turn.failed.2", "large", second, 300)]
            .map(|(id, model, start, ms)| {
                let (parent, error) = (Some("turn".to_owned()), Some("provider_timeout".to_owned()));
                (id.to_owned(), parent, SpanKind::Attempt, model.to_owned(), start, Some(ms), error)
            })
            .into()
    };
    // The wait for the answer began when the tool call ended.
    assert_eq!(attempts(Span::of_events(&events)), expected([Some(350), Some(550)]));
    let view = TurnView::of(&events);
    assert_eq!(attempts(Span::of_view(&view)), expected([None, None]));
    assert_eq!(view.outline().attempts.len(), 2);
    assert_eq!(attempts(Span::of_view(&view.without_log())), []);
}
