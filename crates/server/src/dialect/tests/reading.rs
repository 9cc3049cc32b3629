//! Round-trip tests of native frames.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::json;
use turnkit_core::ports::EventEncoder;
use turnkit_core::{
    Arguments, BlobId, CallUid, ChildError, ChildId, ChildReport, Cost, Denial, ErrorScope, EventKind, FailedAttempt,
    Fence, FinishReason, Frames, GrantScope, Image, InteractionRequest, KnownOutcome, Message, Opaque, Part, PartId,
    PartKind, ProviderTool, QueuedTurn, RawJson, Reasoning, Resolution, Role, SamplingParams, SessionId,
    SessionSummary, Shortening, Snapshot, Text, Timestamp, Tokens, ToolCall, ToolErrorKind, ToolProgress, ToolQuestion,
    ToolUse, TraceId, TurnEvent, TurnId, TurnKind, TurnSnapshot, TurnStatus, TurnView, Usage, WaitId, WaitKind,
};
use uuid::Uuid;

use super::script::{Happening, NUMBER, SESSION, Script, TURN, half_done, wait};
use super::turns::turns;
use super::{Frame, frames, reader, stream_of, stream_of_events};
use crate::dialect::DIALECTS;
use crate::dialect::native::{self, NativeError, NativeFrame, NativeReader, NativeSnapshot, PendingBody};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_event_is_read_as_it_was_written(kind in kinds(), seq: u32, fence: u32, at: i64) {
        let event = TurnEvent { seq, fence: Fence(fence), at: Timestamp::from_millis(at), kind };
        let written = frames(&stream_of_events(&DIALECTS[0], false, std::slice::from_ref(&event)));
        let mut reader = NativeReader::starting_at(event.at);
        let event = TurnEvent { kind: shown(event.kind), ..event };
        prop_assert_eq!(read(&mut reader, &written[0]).unwrap(), NativeFrame::Event { turn: TURN, event: Box::new(event) });
    }

    #[test]
    fn a_stream_is_read_as_the_events_it_tells(turn in turns()) {
        let mut reader = NativeReader::default();
        let sent = frames(&stream_of_events(&DIALECTS[0], false, &turn.live));
        let read: Vec<NativeFrame> = sent.iter().map(|frame| read(&mut reader, frame).unwrap()).collect();
        let is = |event: &TurnEvent| NativeFrame::Event { turn: TURN, event: Box::new(event.clone()) };
        prop_assert_eq!(read, turn.live.iter().map(is).collect::<Vec<_>>());
    }

    #[test]
    fn a_snapshot_is_read_as_it_was_written(turn in turns(), name in option::of("[a-z ]{1,20}"), input in ".*") {
        let session = SessionSummary {
            id: SessionId(Uuid::from_u128(7)),
            name: name.map(|name| name.parse().unwrap()),
            agent: "a".into(),
            title: input.as_str().into(),
            turns: 1,
            created_at: Timestamp::default(),
            last_active: Timestamp::from_millis(5),
            usage: Usage { output: 3, ..Usage::default() },
            metadata: [(input.clone(), "x".into())].into_iter().collect(),
            head: (turn.live.len() % 2 == 0).then_some(TURN),
            prompt: Some(input.as_str().into()),
            params: SamplingParams { stop: Some(vec![input.as_str().into()]), ..SamplingParams::default() },
            tools: if turn.live.len() % 3 == 0 { ToolUse::None } else { ToolUse::Auto },
            mode: Some(input.as_str().into()),
            listed: true,
            pinned: turn.live.len() % 2 == 1,
            archived: turn.live.len() % 3 == 1,
        };
        let view = TurnView::of(&turn.live);
        let queue = vec![QueuedTurn { id: TURN, number: 4, input: Message::user(input.clone()), steering: false }];
        let snapshot = Snapshot {
            session,
            messages: vec![Message::user(input)],
            earlier: (turn.live.len() % 2 == 0).then_some((1, 2)),
            turn: Some(TurnSnapshot { id: TURN, number: NUMBER, view }),
            queue,
            cursor: turn.stored[0].cursor(NUMBER),
        };
        let happening = Happening::Resync(Box::new(snapshot.clone()));
        let written = frames(&stream_of(&DIALECTS[0], false, &[happening]));
        let NativeFrame::Resync(sent) = read(&mut NativeReader::default(), &written[0]).unwrap() else {
            return Err(TestCaseError::fail("not a snapshot"));
        };
        prop_assert_eq!(*sent, NativeSnapshot::new(&snapshot));
    }
}

#[test]
fn a_snapshot_of_a_server_before_steps_and_arguments_were_in_it_is_read() {
    let script = Script::begin().step().call("clock").step_ended(FinishReason::ToolCalls).tool_started(0, "clock");
    let script = script.tool_done(0, "clock", "12:00").ended(TurnStatus::Limit).resync();
    let written = frames(&stream_of(&DIALECTS[0], false, &script.happenings));
    let mut data = written[0].json();
    let turn = data["turn"].as_object_mut().unwrap();
    for field in ["agent", "accepted_at", "ended_at", "steps", "usage", "cost"] {
        assert!(turn.remove(field).is_some(), "{field}");
    }
    assert!(turn["tools"][0].as_object_mut().unwrap().remove("arguments").is_some());
    let read = NativeReader::default().read("resync", written[0].id.as_deref(), &data.to_string()).unwrap();
    let NativeFrame::Resync(read) = read else { panic!("not a snapshot") };
    let turn = read.turn.unwrap();
    assert_eq!((turn.steps.len(), &*turn.tools[0].arguments, turn.status), (0, "", Some(TurnStatus::Limit)));
}

#[test]
fn a_queue_is_read_as_it_was_written_and_has_no_id() {
    let queue = [QueuedTurn { id: TURN, number: 4, input: Message::user("And?"), steering: false }];
    let mut out = Frames::new(true);
    native::write_queue(&queue, &mut out);
    let written = String::from_utf8(out.take().to_vec()).unwrap();
    assert_eq!(
        written,
        "event: queue\ndata: {\"queue\":[{\"turn_id\":\"00000000-0000-0000-0000-000000000001\",\"number\":4,\
         \"input\":[{\"type\":\"text\",\"text\":\"And?\"}]}]}\n\n"
    );
    let NativeFrame::Queue(read) = read(&mut NativeReader::default(), &frames(&written)[0]).unwrap() else {
        panic!("not a queue")
    };
    assert_eq!((read[0].turn_id, read[0].number, &*read[0].input), (TURN, 4, [Part::text("And?")].as_slice()));
}

#[test]
fn a_pending_frame_is_read_as_it_was_written_and_has_no_id() {
    let mut out = Frames::new(true);
    native::write_pending(TURN, &[wait()], &mut out);
    let written = String::from_utf8(out.take().to_vec()).unwrap();
    assert_eq!(
        written,
        "event: pending\ndata: {\"turn_id\":\"00000000-0000-0000-0000-000000000001\",\"interactions\":[\
         {\"session_id\":\"00000000-0000-0000-0000-000000000003\",\"turn_id\":\"00000000-0000-0000-0000-000000000002\",\
         \"id\":\"00000000-0000-0000-0000-000000000002.1.0.0\",\"kind\":\"approval\",\
         \"call_id\":\"00000000-0000-0000-0000-000000000002.1.0\",\"name\":\"pay\",\"arguments\":\"{}\",\
         \"reason\":\"a rule asks for approval\",\"expires_at\":\"1970-01-01T00:00:00.000Z\"}]}\n\n"
    );
    let NativeFrame::Pending(read) = read(&mut NativeReader::default(), &frames(&written)[0]).unwrap() else {
        panic!("not what is pending")
    };
    assert_eq!(read, PendingBody::new(TURN, &[wait()]));
}

#[test]
fn a_pending_frame_shows_a_question_without_the_state_of_its_tool() {
    let mut asks = wait();
    let question = ToolQuestion { state: Some(raw("7")), ..ToolQuestion::new("When?") };
    asks.question.question = Some(Box::new(question.clone()));
    let pending = PendingBody::new(TURN, &[asks]);
    assert_eq!(pending.interactions[0].request.question.as_deref(), Some(&question.without_state()));
}

#[test]
fn a_progress_frame_is_read_as_it_was_written_and_has_no_id() {
    let mut out = Frames::new(true);
    native::write_progress(TURN, &half_done(), &mut out);
    let written = String::from_utf8(out.take().to_vec()).unwrap();
    assert_eq!(
        written,
        "event: tool.progress\ndata: {\"turn_id\":\"00000000-0000-0000-0000-000000000001\",\
         \"call_id\":\"00000000-0000-0000-0000-000000000001.1.0\",\"text\":\"2 of 4\"}\n\n"
    );
    let NativeFrame::Progress(read) = read(&mut NativeReader::default(), &frames(&written)[0]).unwrap() else {
        panic!("not a report")
    };
    assert_eq!(ToolProgress::from(read), half_done());
}

#[test]
fn only_protocols_with_such_frames_send_progress_and_pending_decisions() {
    let id = wait().id;
    let resolved = EventKind::InteractionResolved { id, decision: Box::new(Resolution::APPROVED.into()) };
    let resolved = TurnEvent { seq: 9, fence: Fence(1), at: Timestamp::default(), kind: resolved };
    type FrameWriter<'a> = &'a dyn Fn(&mut dyn EventEncoder, &mut Frames);
    let writers: [(&str, FrameWriter<'_>); 3] = [
        ("tool.progress", &|encoder, out| encoder.progress(&half_done(), out)),
        ("pending", &|encoder, out| encoder.pending(&[wait()], out)),
        ("interaction.resolved", &|encoder, out| encoder.encode(&resolved, out)),
    ];
    for dialect in DIALECTS {
        for ext in [false, true] {
            for (event, write) in writers {
                let mut encoder = (dialect.encoder)(&reader(ext));
                let mut out = Frames::new(true);
                write(encoder.as_mut(), &mut out);
                let written = String::from_utf8(out.take().to_vec()).unwrap();
                let is_written = written.contains(&format!("event: {event}\n"));
                assert_eq!(is_written, dialect.name == "native" || ext, "{} {ext} {event}", dialect.name);
            }
        }
    }
}

#[test]
fn a_session_without_turns_has_none_in_its_snapshot() {
    let Happening::Resync(snapshot) = Script::begin().resync().happenings.remove(0) else { unreachable!() };
    let snapshot = Snapshot { turn: None, ..*snapshot };
    let written = frames(&stream_of(&DIALECTS[0], false, &[Happening::Resync(Box::new(snapshot))]));
    assert_eq!(written[0].json()["turn"], serde_json::Value::Null);
}

#[test]
fn frames_of_other_versions_are_skipped_and_damaged_frames_are_rejected() {
    let mut reader = NativeReader::default();
    assert_eq!(reader.read("part.sung", Some("1-1-1"), "{}").unwrap(), NativeFrame::Unknown);
    let notice = r#"{"turn_id":"00000000-0000-0000-0000-000000000001","seq":2,"code":"c","text":"t","more":[1]}"#;
    assert!(matches!(reader.read("notice", Some("1-1-2"), notice), Ok(NativeFrame::Event { .. })));
    assert!(matches!(reader.read("notice", None, notice), Err(NativeError::Id(_))));
    assert!(matches!(reader.read("notice", Some("1-1-2"), "{}"), Err(NativeError::Data(..))));
}

/// Removes the opaque data that only its vendor understands.
fn shown(kind: EventKind) -> EventKind {
    match kind {
        EventKind::PartEnded { id, part } => EventKind::PartEnded { id, part: part.without_opaque() },
        EventKind::TurnStarted { session, agent, input, parent, trace, kind } => {
            let input = input.into_iter().map(Part::without_opaque).collect();
            EventKind::TurnStarted { session, agent, input, parent, trace, kind }
        }
        EventKind::Steered { steering, input } => {
            EventKind::Steered { steering, input: input.into_iter().map(Part::without_opaque).collect() }
        }
        other => other,
    }
}

/// Returns every kind of part that can hold opaque data, with such data in it.
fn opaque_parts() -> Vec<Part> {
    let opaque = || Some(Opaque { vendor: "v".to_owned(), data: RawJson::parse(r#""a secret""#).unwrap() });
    let uid = CallUid { turn: TURN, step: 1, ordinal: 0 };
    let call = ToolCall {
        uid,
        provider_id: "call_1".to_owned(),
        name: "clock".to_owned(),
        arguments: Arguments("{}".to_owned()),
        extras: opaque(),
    };
    let tool = ProviderTool {
        provider_id: "p".to_owned(),
        name: "web_search".to_owned(),
        input: "q".to_owned(),
        opaque: opaque(),
    };
    vec![
        Part::Text(Text { text: "Hi".to_owned(), opaque: opaque() }),
        Part::Reasoning(Reasoning { text: "Hm".to_owned(), opaque: opaque() }),
        Part::ToolCall(call),
        Part::ProviderTool(tool),
        Part::Image(Image { opaque: opaque(), ..Image::at("https://example.org/a.png") }),
    ]
}

#[test]
fn data_that_only_a_vendor_understands_is_not_shown() {
    let message = || Message::new(Role::Assistant, opaque_parts());
    let session = Script::begin().resync();
    let Some(Happening::Resync(mut snapshot)) = session.happenings.into_iter().next() else { unreachable!() };
    snapshot.messages = vec![message()];
    snapshot.queue = vec![QueuedTurn { id: TURN, number: 4, input: message(), steering: false }];
    let turn = snapshot.turn.as_mut().unwrap();
    turn.view.input = opaque_parts();
    let mut sent = vec![Happening::Resync(snapshot)];
    let (agent, input, trace, kind) = ("a".to_owned(), opaque_parts(), TraceId::of(TURN), TurnKind::Compact);
    let started = EventKind::TurnStarted { session: SESSION, agent, input, parent: None, trace, kind };
    let ended = opaque_parts().into_iter().map(|part| EventKind::PartEnded { id: PartId { step: 1, part: 0 }, part });
    for (seq, kind) in (1..).zip(std::iter::once(started).chain(ended)) {
        sent.push(Happening::Event(TurnEvent { seq, fence: Fence(1), at: Timestamp::default(), kind }));
    }
    for dialect in DIALECTS {
        let sent = stream_of(dialect, true, &sent);
        assert!(sent.contains("web_search") && !sent.contains("a secret"), "{}: {sent}", dialect.name);
    }
}

fn read(reader: &mut NativeReader, frame: &Frame) -> Result<NativeFrame, NativeError> {
    reader.read(frame.event.as_deref().unwrap(), frame.id.as_deref(), &frame.data)
}

/// Generates any event, with any texts in it.
pub(super) fn kinds() -> impl Strategy<Value = EventKind> {
    let text = || any::<String>();
    prop_oneof![
        (text(), vec(parts(), 0..3), option::of(any::<u128>()), any::<bool>()).prop_map(
            |(agent, input, parent, compacts)| {
                let parent = parent.map(|id| TurnId(Uuid::from_u128(id)));
                let trace = TraceId::of(TURN);
                let kind = if compacts { TurnKind::Compact } else { TurnKind::Message };
                EventKind::TurnStarted { session: SessionId(Uuid::from_u128(3)), agent, input, parent, trace, kind }
            }
        ),
        (any::<u16>(), text(), text()).prop_map(|(step, provider, model)| EventKind::StepStarted {
            step,
            provider: provider.into(),
            model: model.into()
        }),
        (part_ids(), option::of(text())).prop_map(|(id, name)| EventKind::PartStarted {
            id,
            kind: PartKind::ToolCall,
            name: name.map(Into::into)
        }),
        (part_ids(), text()).prop_map(|(id, text)| EventKind::PartDelta { id, text: text.into() }),
        (part_ids(), parts()).prop_map(|(id, part)| EventKind::PartEnded { id, part }),
        (any::<u16>(), reasons(), usages_of_steps(), failed_attempts())
            .prop_map(|(step, finish, usage, attempts)| EventKind::StepEnded { step, finish, usage, attempts }),
        (uids(), text(), text()).prop_map(|(uid, name, arguments)| EventKind::ToolStarted {
            uid,
            name,
            arguments: Arguments(arguments)
        }),
        (uids(), text(), any::<bool>(), text(), any::<u64>()).prop_map(|(uid, name, ok, content, ms)| {
            let error = (!ok).then_some(ToolErrorKind::TimedOut);
            let images = if ok { vec![Image::new("image/png", content.clone())] } else { Vec::new() };
            EventKind::ToolFinished { uid, name, ok, content, error, images, ms }
        }),
        (uids(), text(), text()).prop_map(|(uid, kind, payload)| EventKind::Data { uid, kind, payload: raw(&payload) }),
        (uids(), any::<u16>(), text(), text(), text(), option::of(text()), any::<i64>()).prop_map(
            |(uid, number, name, arguments, reason, preview, expires_at)| {
                let (id, arguments) = (WaitId { call: uid, number }, Arguments(arguments));
                let (kind, expires_at) = (WaitKind::Outcome, Timestamp::from_millis(expires_at));
                let question = preview.clone().map(|text| {
                    let (choices, schema) = (vec![text.clone()], Some(json!({ "const": text })));
                    Box::new(ToolQuestion { choices, schema, ..ToolQuestion::new(text) })
                });
                let child = question.is_none().then(|| Box::new(ChildId { turn: TURN, agent: name.clone() }));
                let request =
                    InteractionRequest { id, kind, uid, name, arguments, reason, preview, question, child, expires_at };
                EventKind::InteractionRequested { request: Box::new(request) }
            }
        ),
        (uids(), any::<u16>(), resolutions()).prop_map(|(call, number, resolution)| {
            EventKind::InteractionResolved { id: WaitId { call, number }, decision: Box::new(resolution.into()) }
        }),
        (text(), text()).prop_map(|(code, text)| EventKind::Notice { code, text }),
        (any::<(u32, u64, Option<u64>, u64)>(), option::of(text()), option::of(text()), usages_of_steps()).prop_map(
            |((messages, tokens_before, tokens_after, ms), failure, asked, usage)| {
                let (provider, model) = (asked.clone().map(Into::into), asked.map(Into::into));
                let usage = Box::new(usage);
                EventKind::Compacted { messages, tokens_before, tokens_after, failure, provider, model, usage, ms }
            }
        ),
        (any::<u32>(), any::<u16>(), any::<u32>()).prop_map(|(from_seq, attempt, lost_calls)| EventKind::Retracted {
            from_seq,
            attempt,
            lost_calls
        }),
        (text(), text(), any::<bool>(), failed_attempts()).prop_map(|(code, message, retryable, attempts)| {
            EventKind::Error { code, message, retryable, scope: ErrorScope::Provider, attempts }
        }),
        (text(), option::of(text()), usages(), any::<u16>(), any::<bool>()).prop_map(
            |(text, final_text, usage, steps, is_steered)| {
                let (status, trace, steered_into) = (TurnStatus::Limit, TraceId::of(TURN), is_steered.then_some(TURN));
                EventKind::TurnEnded { status, text, final_text, usage: usage.into(), steps, trace, steered_into }
            }
        ),
        vec(parts(), 0..3).prop_map(|input| EventKind::Steered { steering: TURN, input }),
    ]
}

fn failed_attempts() -> impl Strategy<Value = Vec<FailedAttempt>> {
    let failed = |text: String| {
        let text = text.as_str();
        FailedAttempt { provider: text.into(), model: text.into(), code: text.into(), ms: 9 }
    };
    vec(any::<String>().prop_map(failed), 0..2)
}

fn resolutions() -> impl Strategy<Value = Resolution> {
    let note = || option::of(any::<String>());
    let grants = || option::of(prop_oneof![Just(GrantScope::Session), Just(GrantScope::Always)]);
    prop_oneof![
        (option::of(any::<String>()), note(), grants()).prop_map(|(arguments, note, grant)| Resolution::Approved {
            arguments: arguments.map(Arguments),
            note,
            grant
        }),
        note().prop_map(|note| Resolution::Denied { by: Denial::Expired, note }),
        note().prop_map(|note| Resolution::Outcome { outcome: KnownOutcome::Retry, note }),
        any::<(String, i32)>()
            .prop_map(|(text, number)| Resolution::Answered { answer: json!({ text: [number, null] }) }),
        (any::<(bool, String)>(), option::of(option::of(any::<u128>()))).prop_map(|((ok, content), kept)| {
            let id = |kept| BlobId(Uuid::from_u128(kept));
            let shortened = kept.map(|kept| Shortening { kept: kept.map(id) });
            Resolution::Returned { ok, content, shortened }
        }),
        (any::<String>(), usages()).prop_map(|(text, usage)| {
            // Raw tokens are left out, because no provider reports the usage of a whole turn.
            let tokens = Tokens { raw: None, ..Tokens::of(&usage) };
            let (turn, session, status) = (TURN, SESSION, TurnStatus::Limit);
            let error = Some(ChildError { code: text.clone(), message: text.clone() });
            let agent = text.clone();
            let report = ChildReport { turn, session, agent, status, error, text, tokens, cost: usage.cost };
            Resolution::Child(Box::new(report))
        }),
    ]
}

fn parts() -> impl Strategy<Value = Part> {
    let call = (uids(), any::<String>(), any::<String>());
    prop_oneof![
        any::<String>().prop_map(Part::text),
        any::<String>().prop_map(|text| Part::Reasoning(Reasoning { text, opaque: None })),
        any::<String>().prop_map(|url| Part::Image(Image::new("image/png", url))),
        call.prop_map(|(uid, name, arguments)| Part::ToolCall(ToolCall {
            uid,
            provider_id: "call_1".to_owned(),
            name,
            extras: Some(Opaque { vendor: "v".to_owned(), data: raw(&arguments) }),
            arguments: Arguments(arguments),
        })),
    ]
}

fn reasons() -> impl Strategy<Value = FinishReason> {
    use FinishReason::{ContentFilter, Interrupted, Length, Other, Pause, Refusal, Stop, ToolCalls};
    let known = prop::sample::select(vec![Stop, Length, ToolCalls, ContentFilter, Refusal, Pause, Interrupted]);
    prop_oneof![known, "x[a-z]*".prop_map(|word| Other(word.into()))]
}

fn usages() -> impl Strategy<Value = Usage> {
    (any::<[u64; 6]>(), any::<[u32; 2]>(), option::of(any::<String>())).prop_map(|(sums, calls, reported)| {
        let ([fresh, cache_read, cache_write, output, reasoning, nano_usd], [unmetered_calls, unpriced_calls]) =
            (sums, calls);
        let (cost, raw) = (Cost { nano_usd, unpriced_calls }, reported.map(|text| raw(&text)));
        Usage { fresh, cache_read, cache_write, output, reasoning, unmetered_calls, cost, prices: None, raw }
    })
}

fn usages_of_steps() -> impl Strategy<Value = Usage> {
    let versions = option::of("[a-z0-9-]{1,9}").prop_map(|version| version.map(Into::into));
    (usages(), versions).prop_map(|(usage, prices)| Usage { prices, ..usage })
}

fn part_ids() -> impl Strategy<Value = PartId> {
    any::<(u16, u16)>().prop_map(|(step, part)| PartId { step, part })
}

fn uids() -> impl Strategy<Value = CallUid> {
    any::<(u128, u16, u16)>().prop_map(|(turn, step, ordinal)| CallUid {
        turn: TurnId(Uuid::from_u128(turn)),
        step,
        ordinal,
    })
}

/// Returns JSON that contains `text` and does not change when it is written on one line.
fn raw(text: &str) -> RawJson {
    let mut out = Frames::new(false);
    out.json(None, &[text]);
    let line = String::from_utf8(out.take().to_vec()).unwrap();
    RawJson::parse(line.trim_start_matches("data: ")).unwrap()
}
