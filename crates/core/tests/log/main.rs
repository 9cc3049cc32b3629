//! Tests of the log: replayed events equal the live events, at every cursor and after every crash.
#![expect(clippy::unwrap_used, reason = "a scenario that cannot run is a failed test")]

mod remote;
mod scenario;

use std::collections::HashMap;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;
use proptest::sample::Index;
use scenario::{scenarios, scenarios_with_a_mirror};
use turnkit_core::{
    Arguments, CallUid, Chunk, ClientCaps, Delta, Entry, ErrorScope, EventKind, FailedAttempt, Fence, FinishReason,
    LiveTurn, LogEntry, LoggedTurn, Message, ModelName, Part, PartId, PartKind, Recorded, RemarkView, Resolution, Role,
    SamplingParams, SessionId, StagingMark, StepView, Timestamp, ToolCall, TraceId, TurnEvent, TurnId, TurnKind,
    TurnLog, TurnOverview, TurnRecord, TurnRoute, TurnState, TurnStatus, TurnView, Usage, WaitId, replay,
};

const CASES: u32 = 10_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_store_replays_the_live_events(scenario in scenarios()) {
        let replayed = replay(&scenario.store.turn(), 0);
        prop_assert_eq!(&scenario.shown, &replayed);
        prop_assert_eq!(&scenario.live.read(TurnLog::events), &replayed);
        prop_assert_eq!(&TurnLog::restore(scenario.store.turn(), Fence(99)).events(), &replayed);
    }

    #[test]
    fn a_mirror_equals_the_original(scenario in scenarios_with_a_mirror()) {
        prop_assert!(scenario.live.read(TurnLog::has_ended));
    }

    #[test]
    fn events_are_numbered_without_gaps_and_end_with_the_only_terminal_one(scenario in scenarios()) {
        let events = replay(&scenario.store.turn(), 0);
        let numbers: Vec<u32> = events.iter().map(|event| event.seq).collect();
        prop_assert_eq!(numbers, (1..=u32::try_from(events.len()).unwrap()).collect::<Vec<_>>());
        let terminal = events.iter().position(|event| event.kind.is_terminal());
        prop_assert_eq!(terminal, Some(events.len() - 1));
    }

    #[test]
    fn chunks_are_contiguous_and_carry_the_fence_of_their_writer(scenario in scenarios()) {
        let turn = scenario.store.turn();
        let log = TurnLog::restore(turn.clone(), Fence(99));
        let mut next = 1;
        for chunk in turn.chunks {
            prop_assert_eq!(chunk.from_seq, next);
            let events: u32 = chunk.entries.iter().map(turnkit_core::LogEntry::events).sum();
            prop_assert_eq!(chunk.to_seq, next + events - 1);
            for seq in [chunk.from_seq, chunk.to_seq] {
                prop_assert_eq!(log.fence_of(seq), Some(chunk.fence));
            }
            next += events;
        }
        prop_assert_eq!((log.fence_of(0), log.fence_of(next)), (None, None));
    }

    #[test]
    fn the_pieces_of_a_part_are_the_text_that_is_kept(scenario in scenarios()) {
        let turn = scenario.store.turn();
        let (streamed, ended) = parts(&replay(&turn, 0));
        let said: Vec<&Part> = turn
            .messages
            .iter()
            .filter(|entry| entry.message().role == Role::Assistant)
            .flat_map(|entry| &entry.message().parts)
            .filter(|part| PartKind::of(part).is_some())
            .collect();
        prop_assert_eq!(ended.iter().map(|(_, part)| part).collect::<Vec<_>>(), said);
        for (id, part) in &ended {
            prop_assert_eq!(streamed.get(id).map_or("", String::as_str), part.streamed());
        }
    }

    #[test]
    fn a_reader_that_resumes_gets_exactly_the_rest(scenario in scenarios(), cut in any::<Index>()) {
        let turn = scenario.store.turn();
        let all = replay(&turn, 0);
        let cut = cut.index(all.len() + 1);
        let seen = u32::try_from(cut).unwrap();
        prop_assert_eq!(&replay(&turn, seen), &all[cut..]);
        let live = LiveTurn::new(TurnLog::restore(turn, Fence(9)));
        let (mut tail, mut rest) = (live.tail(seen), Vec::new());
        while tail.poll_batch(&mut Context::from_waker(Waker::noop()), &mut rest) == Poll::Ready(true) {}
        prop_assert_eq!(&rest, &all[cut..]);
    }

    #[test]
    fn a_view_that_is_sent_and_the_rest_are_the_view_of_all(scenario in scenarios(), cut in any::<Index>()) {
        let all = replay(&scenario.store.turn(), 0);
        let whole = TurnView::of(&all);
        let (before, after) = all.split_at(cut.index(all.len() + 1));
        let mut view = TurnView::of(before);
        after.iter().for_each(|event| view.apply(event));
        prop_assert_eq!(&view, &whole);
        after.iter().for_each(|event| view.apply(event));
        prop_assert_eq!(&view, &whole);
    }

    #[test]
    fn a_turn_looks_the_same_once_its_log_is_gone(scenario in scenarios()) {
        let turn = scenario.store.turn();
        let events = replay(&turn, 0);
        let record = record(&turn, &events);
        let of_messages = TurnView::of_messages(&record, turn.messages.iter().map(|entry| entry.message()));
        prop_assert_eq!(of_messages, TurnView::of(&events).without_log());
    }

    #[test]
    fn an_outline_of_the_log_keeps_who_answered_how_long_calls_ran_and_notices(scenario in scenarios()) {
        let turn = scenario.store.turn();
        let events = replay(&turn, 0);
        let of_events = TurnView::of(&events);
        let outline = Some(Box::new(of_events.outline()));
        let record = TurnRecord { outline, ..record(&turn, &events) };
        let of_messages = TurnView::of_messages(&record, turn.messages.iter().map(|entry| entry.message()));
        let steps = |view: &TurnView| -> Vec<_> {
            let step = |step: &StepView| {
                let usage = step.usage.clone().map(|usage| Usage { raw: None, ..usage });
                let (finish, attempts) = (step.finish.clone(), step.attempts.clone());
                (step.step, step.provider.clone(), step.model.clone(), finish, usage, attempts)
            };
            view.steps.iter().map(step).collect()
        };
        prop_assert_eq!(steps(&of_messages), steps(&of_events));
        let calls = |view: &TurnView| -> Vec<_> { view.tools.iter().map(|tool| (tool.uid, tool.ms)).collect() };
        prop_assert_eq!(calls(&of_messages), calls(&of_events));
        let remarks = |view: &TurnView| -> Vec<_> {
            let of = |remark: &RemarkView| (remark.code.clone(), remark.text.clone(), remark.error, remark.attempts.clone());
            view.remarks.iter().map(of).collect()
        };
        prop_assert_eq!(remarks(&of_messages), remarks(&of_events));
        prop_assert_eq!(of_messages.without_log(), of_events.without_log());
    }

    #[test]
    fn the_overview_of_a_turn_is_the_same_from_its_log_and_from_the_outline_of_the_log(scenario in scenarios()) {
        let turn = scenario.store.turn();
        let outline = TurnView::of(&replay(&turn, 0)).outline();
        prop_assert_eq!(TurnOverview::of_log(&turn.chunks), TurnOverview::of_outline(&outline));
    }

    #[test]
    fn a_page_that_saw_dead_attempts_ends_up_with_the_stored_view(scenario in scenarios()) {
        prop_assert_eq!(&scenario.view, &TurnView::of(&replay(&scenario.store.turn(), 0)));
    }
}

/// Returns the record of an ended turn.
fn record(turn: &LoggedTurn, events: &[TurnEvent]) -> TurnRecord {
    let ended = |event: &TurnEvent| match &event.kind {
        EventKind::TurnEnded { status, usage, .. } => Some((event.at, *status, usage.clone())),
        _ => None,
    };
    let (ended_at, status, usage) = events.last().and_then(ended).unwrap();
    TurnRecord {
        id: turn.turn,
        session: turn.session,
        number: turn.number,
        agent: "a".into(),
        state: TurnState::Ended(status),
        accepted_at: events[0].at,
        ended_at: Some(ended_at),
        usage: Some(*usage),
        owner: None,
        after: None,
        trace: TraceId::of(turn.turn),
        kind: TurnKind::Message,
        steering: false,
        steered_into: None,
        parent: None,
        outline: None,
        overview: None,
    }
}

#[test]
fn failed_attempts_are_kept_for_the_step_that_was_asked_last() {
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
    let failed = |provider: &str| {
        let (model, code) = ("small".into(), "provider_network".into());
        vec![FailedAttempt { provider: provider.into(), model, code, ms: 5 }]
    };
    let mut checks = Vec::new();
    for (step, attempts) in [(1, failed("a")), (1, Vec::new()), (1, failed("b")), (2, Vec::new()), (2, failed("c"))] {
        log.add_failed_attempts(step, attempts);
        checks.push((log.failed_attempts(1).len(), log.failed_attempts(2).len()));
    }
    assert_eq!(checks, [(1, 0), (1, 0), (2, 0), (2, 0), (0, 1)]);
}

#[test]
fn a_log_continues_after_events_that_were_not_stored() {
    let said = vec![Entry::new(Message::user("Hi")), Entry::new(Message::new(Role::Assistant, vec![Part::text("Ho")]))];
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(2)).resume_after(said, 41);
    assert_eq!((log.last_seq(), log.last_visible_seq(), log.pending().from_seq), (41, 41, 42));
    let (status, usage) = (TurnStatus::Cancelled, Usage::default());
    log.stage(Timestamp::default(), Recorded::TurnEnded { status, usage: usage.clone(), steps: 1, steered_into: None });
    log.unstage(StagingMark::default());
    assert_eq!(log.messages().len(), 2);
    log.stage(Timestamp::default(), Recorded::TurnEnded { status, usage: usage.clone(), steps: 1, steered_into: None });
    log.commit();
    let trace = TraceId::of(log.turn());
    let kind = EventKind::TurnEnded {
        status,
        text: "Ho".to_owned(),
        final_text: None,
        usage: usage.into(),
        steps: 1,
        trace,
        steered_into: None,
    };
    assert_eq!(log.events(), [TurnEvent { seq: 42, fence: Fence(2), at: Timestamp::default(), kind }]);
    assert_eq!((log.fence_of(41), log.fence_of(42)), (None, Some(Fence(2))));
}

#[test]
fn the_size_of_a_log_grows_with_the_text_of_its_events() {
    const MORE: usize = 1_000;
    let bytes = |kind: Recorded| {
        let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
        log.stage(Timestamp::default(), kind);
        log.commit();
        log.bytes()
    };
    for (short, long) in entries_with_text("").into_iter().zip(entries_with_text(&"x".repeat(MORE))) {
        let what = format!("{short:?}");
        assert_eq!(bytes(long), bytes(short) + MORE, "{what}");
    }
}

/// Returns each kind of entry that may hold text, with this text in it.
fn entries_with_text(text: &str) -> Vec<Recorded> {
    let tags = vec!["eu".into(), text.into()];
    let routes = [
        TurnRoute { provider: Some(text.into()), ..TurnRoute::default() },
        TurnRoute { model: Some(ModelName(text.into())), ..TurnRoute::default() },
        TurnRoute { tags, ..TurnRoute::default() },
    ];
    let started = |route| Recorded::TurnStarted {
        agent: "a".to_owned(),
        parent: None,
        route: Some(Box::new(route)),
        params: None,
        kind: TurnKind::Message,
        tools: None,
        mode: None,
        trace: None,
        client_tools: Arc::default(),
        lineage: None,
    };
    let (code, text) = ("code".to_owned(), text.to_owned());
    let mut events: Vec<Recorded> = routes.into_iter().map(started).collect();
    let stop = Some(vec![text.as_str().into()]);
    let params = Some(Box::new(SamplingParams { stop, ..SamplingParams::default() }));
    let started = |params, mode| Recorded::TurnStarted {
        agent: "a".to_owned(),
        parent: None,
        route: None,
        params,
        kind: TurnKind::Message,
        tools: None,
        mode,
        trace: None,
        client_tools: Arc::default(),
        lineage: None,
    };
    events.extend([started(params, None), started(None, Some(text.as_str().into()))]);
    events.push(Recorded::Compacted {
        messages: 4,
        tokens_before: 90,
        tokens_after: None,
        failure: Some(text.clone()),
        provider: None,
        model: None,
        usage: Box::default(),
        ms: 9,
    });
    events.push(Recorded::Notice { code: code.clone(), text: text.clone() });
    let (retryable, scope) = (true, ErrorScope::Provider);
    events.push(Recorded::Error { code, message: text, retryable, scope, attempts: Vec::new() });
    events
}

#[test]
fn a_log_whose_numbers_are_damaged_is_read_as_it_is() {
    let kind =
        Recorded::TurnEnded { status: TurnStatus::Cancelled, usage: Usage::default(), steps: 1, steered_into: None };
    let (from_seq, entries) = (u32::MAX - 1, vec![LogEntry { at: Timestamp::default(), kind }]);
    let chunks = vec![Chunk { fence: Fence(1), from_seq, to_seq: from_seq, entries }];
    let (session, turn) = (SessionId::default(), TurnId::default());
    let log = TurnLog::restore(
        LoggedTurn { session, turn, number: 1, caps: ClientCaps::default(), messages: Vec::new(), chunks },
        Fence(2),
    );
    assert_eq!(log.events().iter().map(|event| event.seq).collect::<Vec<_>>(), [from_seq]);
}

#[test]
fn a_call_starts_with_the_arguments_that_a_person_set_for_it() {
    let arguments = |text: &str| Arguments(format!(r#"{{"text":"{text}"}}"#));
    let call = |ordinal| CallUid { turn: TurnId::default(), step: 1, ordinal };
    for (decided, changed, expected) in
        [(0, None, "model"), (0, Some("person"), "person"), (1, Some("person"), "model")]
    {
        let id = WaitId { call: call(decided), number: 0 };
        let approved = Resolution::Approved { arguments: changed.map(arguments), note: None, grant: None };
        let resolved = Recorded::InteractionResolved { id, resolution: Box::new(approved) };
        let kinds = [Recorded::turn_started("a"), resolved, Recorded::ToolStarted { uid: call(0) }];
        let entries = kinds.into_iter().map(|kind| LogEntry { at: Timestamp::default(), kind }).collect();
        let asks = Part::ToolCall(ToolCall {
            uid: call(0),
            provider_id: "call_1".to_owned(),
            name: "echo".to_owned(),
            arguments: arguments("model"),
            extras: None,
        });
        let turn = LoggedTurn {
            session: SessionId::default(),
            turn: TurnId::default(),
            number: 1,
            caps: ClientCaps::default(),
            messages: vec![Entry::new(Message::user("hi")), Entry::new(Message::new(Role::Assistant, vec![asks]))],
            chunks: vec![Chunk { fence: Fence(1), from_seq: 1, to_seq: 3, entries }],
        };
        let (name, arguments) = ("echo".to_owned(), arguments(expected));
        let started = EventKind::ToolStarted { uid: call(0), name, arguments };
        for after in 0..3 {
            assert_eq!(replay(&turn, after).last().unwrap().kind, started, "{decided} {changed:?} {after}");
        }
        assert_eq!(TurnLog::restore(turn.clone(), Fence(2)).events(), replay(&turn, 0));
    }
}

/// Returns the streamed text of each part, and the parts as they ended.
fn parts(events: &[TurnEvent]) -> (HashMap<PartId, String>, Vec<(PartId, Part)>) {
    let (mut streamed, mut ended) = (HashMap::new(), Vec::new());
    for event in events {
        match &event.kind {
            EventKind::PartDelta { id, text } => streamed.entry(*id).or_insert_with(String::new).push_str(text),
            EventKind::PartEnded { id, part } => ended.push((*id, part.clone())),
            _ => {}
        }
    }
    ended.sort_by_key(|(id, _)| *id);
    (streamed, ended)
}

#[test]
fn withdrawn_text_is_replayed_as_shown_and_is_in_no_message() {
    let at = Timestamp::from_millis(1);
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
    log.stage_message(Entry::new(Message::user("hi")));
    log.stage(at, Recorded::turn_started("a"));
    log.commit();
    let mut stored = Vec::new();

    log.open_attempt(at, 1, "a", "small");
    assert_eq!(log.attempt_seq(), Some(2));
    for delta in [Delta::start(0, PartKind::Text), Delta::text(0, "half "), Delta::text(0, "an ans")] {
        log.show(&delta).unwrap();
    }
    log.show(&Delta::call(1, "call_1", "look")).unwrap();
    log.break_off();
    let shown = log.events();
    let (bytes, said) = (log.bytes(), "half an ans".len());
    log.close_attempt(None);
    assert!(log.bytes() >= bytes - "{}".len() && log.bytes() <= bytes + said, "it is still held");
    log.stage(at, Recorded::Retracted { from_seq: 2, attempt: 2, lost_calls: 0 });
    log.reveal();

    log.open_attempt(at, 1, "b", "large");
    for delta in [Delta::start(0, PartKind::Text), Delta::text(0, "all of it"), Delta::Finish(FinishReason::Stop)] {
        log.show(&delta).unwrap();
    }
    let place = log.stage_message(Entry::new(Message::new(Role::Assistant, vec![Part::text("all of it")])));
    log.close_attempt(Some(place));
    let usage = Usage::default();
    log.stage(at, Recorded::TurnEnded { status: TurnStatus::Completed, usage, steps: 1, steered_into: None });
    let pending = log.pending();
    log.commit();
    stored.push(Chunk { fence: Fence(1), from_seq: 1, to_seq: 1, entries: vec![started(at)] });
    let written = serde_json::to_string(&pending.entries).unwrap();
    stored.push(Chunk { entries: serde_json::from_str(&written).unwrap(), ..pending });

    let messages = log.messages().to_vec();
    let turn = LoggedTurn {
        session: log.session(),
        turn: log.turn(),
        number: 1,
        caps: ClientCaps::default(),
        messages,
        chunks: stored,
    };
    let replayed = replay(&turn, 0);
    assert_eq!(replayed, log.events());
    assert_eq!(replayed[..shown.len()], shown);
    let view = TurnView::of(&replayed);
    assert_eq!(view.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>(), ["all of it"]);
    let ended = replayed.last().unwrap();
    assert!(matches!(&ended.kind, EventKind::TurnEnded { text, .. } if text == "all of it"), "{ended:?}");
}

fn started(at: Timestamp) -> LogEntry {
    LogEntry { at, kind: Recorded::turn_started("a") }
}
