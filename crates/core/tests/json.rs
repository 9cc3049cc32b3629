//! Tests of the JSON forms: stored values are read back unchanged, and raw JSON keeps every byte.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fmt::Debug;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnkit_core::{
    Ancestor, AnswerTimeline, Arguments, BlobId, CallUid, Context, Cost, Data, Edits, ErrorScope, FailedAttempt, Fence,
    File, FinishReason, Image, JSON_DEPTH_LIMIT, Lineage, LogEntry, Mark, Message, Notice, Opaque, OpenTurn, Part,
    ProviderTool, PruneReason, PrunedResult, RawJson, Reasoning, Recorded, Role, Session, SessionId, Summary, Text,
    Timestamp, ToolCall, ToolErrorKind, ToolResult, ToolUse, TurnId, TurnKind, TurnStatus, Usage, is_shallow_metadata,
};
use uuid::Uuid;

const CASES: u32 = 10_000;
const TEXTS: [&str; 7] =
    ["", "plain", "\"quoted\" \\ \n\t", "日本 🙂", "\u{0}\u{1f}", "{\"type\":\"text\"}", "\u{2028}"];
const CARRIED: [&str; 9] = [
    "null",
    "0",
    "-1.50e+10",
    "18446744073709551616",
    "0.1000000000000000055511151231257827",
    "\"\\u00e9\\/\"",
    "{\"b\":1,  \"a\":{\"b\":[ ]}}",
    "{\"a\":1,\"a\":2}",
    "[1,\n 2]",
];

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Result<String, TestCaseError> {
    let json = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&json).map_err(|error| TestCaseError::fail(format!("{error}: {json}")))?;
    prop_assert_eq!(&read, value, "{}", json);
    prop_assert_eq!(&serde_json::to_string(&read).unwrap(), &json);
    Ok(json)
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(&TEXTS[..]).prop_map(str::to_owned)
}

fn carried() -> impl Strategy<Value = RawJson> {
    prop::sample::select(&CARRIED[..]).prop_map(|text| RawJson::parse(text).unwrap())
}

/// An optional value. JSON represents an absent value as `null`.
fn optional() -> impl Strategy<Value = Option<RawJson>> {
    option::of(carried()).prop_map(|json| json.filter(|json| json.get() != "null"))
}

fn uid() -> impl Strategy<Value = CallUid> {
    let uid = |(turn, step, ordinal)| CallUid { turn: TurnId(Uuid::from_u128(turn)), step, ordinal };
    any::<(u128, u16, u16)>().prop_map(uid)
}

fn data() -> impl Strategy<Value = Data> {
    (text(), carried()).prop_map(|(kind, payload)| Data { kind, payload })
}

fn error_kind() -> impl Strategy<Value = ToolErrorKind> {
    use ToolErrorKind::{
        Cancelled, Denied, Failed, Incomplete, InvalidArguments, OutcomeUnknown, Repeated, TimedOut, TooManyCalls,
        UnknownTool,
    };
    prop::sample::select(vec![
        UnknownTool,
        InvalidArguments,
        Incomplete,
        Failed,
        TimedOut,
        Cancelled,
        Denied,
        TooManyCalls,
        OutcomeUnknown,
        Repeated,
    ])
}

fn part() -> impl Strategy<Value = Part> {
    let opaque = || option::of((text(), carried()).prop_map(|(vendor, data)| Opaque { vendor, data }));
    let call = (uid(), text(), text(), opaque()).prop_map(|(uid, name, arguments, extras)| {
        Part::ToolCall(ToolCall { uid, provider_id: name.clone(), name, arguments: Arguments(arguments), extras })
    });
    let kept = option::of(any::<u128>().prop_map(|id| BlobId(Uuid::from_u128(id))));
    let result = (uid(), text(), any::<(bool, bool, bool)>(), option::of(data()), option::of(error_kind()), kept);
    let result = result.prop_map(|(uid, content, (ok, truncated, untrusted), data, error, kept)| {
        let (name, images) = (content.clone(), kept.map(|id| Image::new("image/png", format!("blob:{id}"))));
        let images = images.into_iter().collect();
        Part::ToolResult(ToolResult { uid, name, ok, content, data, error, truncated, kept, images, untrusted })
    });
    prop_oneof![
        (text(), opaque()).prop_map(|(text, opaque)| Part::Text(Text { text, opaque })),
        (text(), opaque()).prop_map(|(text, opaque)| Part::Reasoning(Reasoning { text, opaque })),
        call,
        result,
        (text(), text(), opaque()).prop_map(|(name, input, opaque)| {
            Part::ProviderTool(ProviderTool { provider_id: name.clone(), name, input, opaque })
        }),
        (text(), opaque(), any::<bool>()).prop_map(|(url, opaque, untrusted)| Part::Image(Image {
            opaque,
            untrusted,
            ..Image::new("image/png", url)
        })),
        data().prop_map(Part::Data),
        (text(), any::<u32>(), any::<Option<u32>>(), any::<bool>(), any::<bool>()).prop_map(
            |(text, covers, keeps, untrusted, contexts)| {
                Part::Summary(Summary { text, covers, keeps, untrusted, contexts })
            },
        ),
        vec((any::<u32>(), any::<u32>(), blank()), 0..3).prop_map(|results| {
            let result = |(place, part, reason)| PrunedResult { place, part, reason };
            Part::Edits(Edits { blank: results.into_iter().map(result).collect() })
        }),
        (text(), text(), any::<bool>()).prop_map(|(source, text, untrusted)| Part::Context(Context {
            source,
            text,
            untrusted
        })),
        (text(), text(), text(), any::<bool>()).prop_map(|(media_type, name, url, untrusted)| Part::File(File {
            media_type,
            name,
            url,
            untrusted
        })),
        text().prop_map(|text| Part::Notice(Notice { code: text.clone(), error: text.is_empty(), text })),
    ]
}

fn blank() -> impl Strategy<Value = PruneReason> {
    prop::sample::select(vec![
        PruneReason::Superseded,
        PruneReason::Stale,
        PruneReason::RetriedSuccessfully,
        PruneReason::Empty,
    ])
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop::sample::select(vec![Role::User, Role::Assistant, Role::Tool, Role::System]);
    let mark = prop::sample::select(vec![Mark::Interrupted, Mark::Cancelled, Mark::Summary, Mark::Edits]);
    (role, vec(part(), 0..4), option::of(mark)).prop_map(|(role, parts, mark)| Message { role, parts, mark })
}

fn usage() -> impl Strategy<Value = Usage> {
    let texts = (option::of(text()), optional());
    (any::<[u64; 6]>(), any::<[u32; 2]>(), texts).prop_map(
        |([fresh, cache_read, cache_write, output, reasoning, nano_usd], [unmetered_calls, unpriced_calls], texts)| {
            let (prices, raw) = texts;
            Usage {
                fresh,
                cache_read,
                cache_write,
                output,
                reasoning,
                unmetered_calls,
                cost: Cost { nano_usd, unpriced_calls },
                prices: prices.map(Into::into),
                raw,
            }
        },
    )
}

fn timeline() -> impl Strategy<Value = AnswerTimeline> {
    vec((0_u8..4, any::<u16>(), any::<u32>()), 0..12).prop_map(|changes| {
        let mut timeline = AnswerTimeline::default();
        for (what, part, bytes) in changes {
            match what {
                0 => timeline.start(part),
                1 => timeline.end(part),
                _ => timeline.delta(part, bytes),
            }
        }
        timeline
    })
}

fn recorded() -> impl Strategy<Value = Recorded> {
    use FinishReason::{ContentFilter, Interrupted, Length, Other, Pause, Refusal, Stop, ToolCalls};
    let finish = vec![Stop, Length, ToolCalls, ContentFilter, Refusal, Pause, Interrupted, Other("eos".into())];
    let finish = prop::sample::select(finish);
    let scope = prop::sample::select(vec![ErrorScope::Turn, ErrorScope::Tool, ErrorScope::Provider]);
    let status = prop::sample::select(vec![
        TurnStatus::Completed,
        TurnStatus::Failed,
        TurnStatus::Cancelled,
        TurnStatus::Limit,
        TurnStatus::Interrupted,
        TurnStatus::Expired,
    ]);
    let parent = option::of(any::<u128>().prop_map(|turn| TurnId(Uuid::from_u128(turn))));
    prop_oneof![
        (text(), parent).prop_map(|(agent, parent)| Recorded::TurnStarted {
            agent,
            parent,
            route: None,
            params: None,
            kind: TurnKind::Message,
            tools: None,
            mode: None,
            trace: None,
            client_tools: Arc::default(),
            lineage: None,
        }),
        (any::<u16>(), text(), timeline(), any::<Option<u32>>()).prop_map(|(step, model, timeline, message)| {
            Recorded::Attempt { step, provider: "p".into(), model: model.into(), timeline, message, withdrawn: vec![] }
        }),
        (any::<u16>(), finish, usage()).prop_map(|(step, finish, usage)| Recorded::StepEnded {
            step,
            finish,
            usage,
            attempts: Vec::new()
        }),
        uid().prop_map(|uid| Recorded::ToolStarted { uid }),
        uid().prop_map(|uid| Recorded::Data { uid }),
        (uid(), any::<u32>()).prop_map(|(uid, message)| Recorded::Steered { steering: uid.turn, message }),
        (uid(), any::<u64>()).prop_map(|(uid, ms)| Recorded::ToolFinished { uid, ms }),
        text().prop_map(|text| Recorded::Notice { code: text.clone(), text }),
        any::<(u32, u16, u32)>().prop_map(|(from_seq, attempt, lost_calls)| Recorded::Retracted {
            from_seq,
            attempt,
            lost_calls
        }),
        (text(), any::<bool>(), scope, any::<bool>()).prop_map(|(message, retryable, scope, failed)| {
            let failed = failed.then(|| FailedAttempt {
                provider: message.as_str().into(),
                model: "m".into(),
                code: "c".into(),
                ms: 7,
            });
            let attempts = failed.into_iter().collect();
            Recorded::Error { code: message.clone(), message, retryable, scope, attempts }
        }),
        (status, usage(), any::<u16>()).prop_map(|(status, usage, steps)| Recorded::TurnEnded {
            status,
            usage,
            steps,
            steered_into: None
        }),
    ]
}

#[test]
fn the_log_is_stored_with_the_bytes_that_earlier_versions_read() {
    let id = "00000000-0000-0000-0000-000000000001";
    let turn = TurnId(Uuid::from_u128(1));
    let uid = CallUid { turn, step: 1, ordinal: 0 };
    let usage = Usage { fresh: 5, output: 2, raw: Some(RawJson::parse("{\"n\":  7}").unwrap()), ..Usage::default() };
    let unknown = Usage { cost: Cost::UNKNOWN, raw: None, ..usage.clone() };
    let tokens = r#""fresh":5,"cache_read":0,"cache_write":0,"output":2,"reasoning":0,"unmetered_calls":0"#;
    let timeline = serde_json::to_string(&AnswerTimeline::default()).unwrap();
    let attempt = |message, withdrawn| {
        let (provider, model) = ("p".into(), "m".into());
        Recorded::Attempt { step: 1, provider, model, timeline: AnswerTimeline::default(), message, withdrawn }
    };
    let (code, text) = (|| "c".to_owned(), || "t".to_owned());
    let lineage = || {
        let ancestors = vec![Ancestor { agent: text(), mode: None }];
        Some(Box::new(Lineage { ancestors, untrusted: true, summarise: false }))
    };
    for (recorded, stored) in [
        (
            Recorded::TurnStarted {
                agent: text(),
                parent: Some(turn),
                route: None,
                params: None,
                kind: TurnKind::Message,
                tools: None,
                mode: None,
                trace: None,
                client_tools: Arc::default(),
                lineage: lineage(),
            },
            format!(
                r#"{{"turn_started":{{"agent":"t","parent":"{id}","lineage":{{"ancestors":[{{"agent":"t"}}],"untrusted":true}}}}}}"#
            ),
        ),
        (
            Recorded::TurnStarted {
                agent: text(),
                parent: None,
                route: None,
                params: None,
                kind: TurnKind::Compact,
                tools: Some(ToolUse::None),
                mode: Some("plan".into()),
                trace: None,
                client_tools: Arc::default(),
                lineage: None,
            },
            r#"{"turn_started":{"agent":"t","kind":"compact","tools":"none","mode":"plan"}}"#.to_owned(),
        ),
        (
            Recorded::Compacted {
                messages: 4,
                tokens_before: 90,
                tokens_after: Some(30),
                failure: None,
                provider: Some("p".into()),
                model: Some("m".into()),
                usage: Box::new(unknown.clone()),
                ms: 9,
            },
            format!(
                r#"{{"compacted":{{"messages":4,"tokens_before":90,"tokens_after":30,"provider":"p","model":"m","usage":{{{tokens}}},"ms":9}}}}"#
            ),
        ),
        (
            Recorded::Compacted {
                messages: 4,
                tokens_before: 90,
                tokens_after: None,
                failure: Some(text()),
                provider: None,
                model: None,
                usage: Box::new(unknown.clone()),
                ms: 9,
            },
            format!(r#"{{"compacted":{{"messages":4,"tokens_before":90,"failure":"t","usage":{{{tokens}}},"ms":9}}}}"#),
        ),
        (
            attempt(Some(1), vec![]),
            format!(r#"{{"attempt":{{"step":1,"provider":"p","model":"m","flow":{timeline},"message":1}}}}"#),
        ),
        (
            attempt(None, vec![Part::text("x")]),
            format!(
                r#"{{"attempt":{{"step":1,"provider":"p","model":"m","flow":{timeline},"message":null,"withdrawn":[{{"type":"text","text":"x"}}]}}}}"#
            ),
        ),
        (
            Recorded::StepEnded { step: 1, finish: FinishReason::Interrupted, usage, attempts: Vec::new() },
            format!(
                r#"{{"step_ended":{{"step":1,"finish":{{"other":"interrupted"}},"usage":{{{tokens},"cost":{{"nano_usd":0,"unpriced_calls":0}},"raw":{{"n":  7}}}}}}}}"#
            ),
        ),
        (Recorded::ToolStarted { uid }, format!(r#"{{"tool_started":{{"uid":"{id}.1.0"}}}}"#)),
        (Recorded::Data { uid }, format!(r#"{{"data":{{"uid":"{id}.1.0"}}}}"#)),
        (
            Recorded::Steered { steering: turn, message: 3 },
            format!(r#"{{"steered":{{"steering":"{id}","message":3}}}}"#),
        ),
        (Recorded::ToolFinished { uid, ms: 9 }, format!(r#"{{"tool_finished":{{"uid":"{id}.1.0","ms":9}}}}"#)),
        (Recorded::Notice { code: code(), text: text() }, r#"{"notice":{"code":"c","text":"t"}}"#.to_owned()),
        (
            Recorded::Retracted { from_seq: 2, attempt: 3, lost_calls: 0 },
            r#"{"retracted":{"from_seq":2,"attempt":3}}"#.to_owned(),
        ),
        (
            Recorded::Retracted { from_seq: 2, attempt: 3, lost_calls: 1 },
            r#"{"retracted":{"from_seq":2,"attempt":3,"lost_calls":1}}"#.to_owned(),
        ),
        (
            Recorded::Error {
                code: code(),
                message: text(),
                retryable: true,
                scope: ErrorScope::Provider,
                attempts: vec![],
            },
            r#"{"error":{"code":"c","message":"t","retryable":true,"scope":"provider"}}"#.to_owned(),
        ),
        (
            Recorded::Error {
                code: code(),
                message: text(),
                retryable: true,
                scope: ErrorScope::Provider,
                attempts: vec![FailedAttempt { provider: "p".into(), model: "m".into(), code: "c".into(), ms: 7 }],
            },
            concat!(
                r#"{"error":{"code":"c","message":"t","retryable":true,"scope":"provider","#,
                r#""attempts":[{"provider":"p","model":"m","code":"c","ms":7}]}}"#
            )
            .to_owned(),
        ),
        (
            Recorded::TurnEnded { status: TurnStatus::Limit, usage: unknown, steps: 1, steered_into: None },
            format!(r#"{{"turn_ended":{{"status":"limit","usage":{{{tokens}}},"steps":1}}}}"#),
        ),
    ] {
        assert_eq!(serde_json::to_string(&recorded).unwrap(), stored);
        assert_eq!(serde_json::from_str::<Recorded>(&stored).unwrap(), recorded);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn messages(message in message()) {
        let json = check(&message)?;
        for part in &message.parts {
            prop_assert!(json.contains(&check(part)?));
        }
    }

    #[test]
    fn log_entries(kind in recorded(), at: i64) {
        check(&LogEntry { at: Timestamp::from_millis(at), kind })?;
    }

    #[test]
    fn sessions(messages in vec(message(), 0..4), usage in usage(), machine in carried(), first: prop::sample::Index) {
        let at = Timestamp::from_millis(1_714_564_800_123);
        let mut session = Session::new(SessionId(Uuid::from_u128(7)), "agent", at);
        // A session that a host keeps has neither summaries nor edits, because its JSON is the only place of its
        // messages.
        let messages: Vec<_> = messages.into_iter().filter(|message| !message.changes_view()).collect();
        let first = first.index(messages.len() + 1);
        for (index, message) in messages.into_iter().enumerate() {
            if index == first {
                session.history.end_turn();
            }
            session.history.push(turnkit_core::Entry::new(message));
        }
        session.name = "the client's name".parse().ok();
        session.usage = usage;
        session.metadata.insert("k".to_owned(), serde_json::json!({"nested": [1, "2", null]}));
        if first == session.history.len() {
            session.history.end_turn();
            check(&session)?;
        } else {
            let first_message = u32::try_from(first).unwrap();
            let turn = TurnId(Uuid::from_u128(8));
            session.open_turn = Some(OpenTurn { turn, first_message, last_seq: 3, fence: Fence(2), machine });
            let mut read: Session = serde_json::from_str(&serde_json::to_string(&session).unwrap()).unwrap();
            read.history.reopen_turn(first_message);
            prop_assert_eq!(read.history.turn().count(), session.history.turn().count());
            prop_assert_eq!(read, session);
        }
    }
}

#[test]
fn carried_json_keeps_every_byte() {
    for json in CARRIED {
        let data = Data { kind: "k".to_owned(), payload: RawJson::parse(json).unwrap() };
        let stored = serde_json::to_string(&Message::new(Role::Tool, vec![Part::Data(data)])).unwrap();
        assert!(stored.contains(&format!("\"payload\":{json}}}")), "{stored}");
        let read: Message = serde_json::from_str(&stored).unwrap();
        assert!(matches!(&read.parts[0], Part::Data(data) if data.payload.get() == json), "{stored}");
    }
}

#[test]
fn arguments_are_kept_as_the_model_wrote_them() {
    let cases = [("", Some("{}")), ("  ", Some("{}")), ("{ \"a\":1 }", Some("{ \"a\":1 }")), ("{\"a\":", None)];
    for (written, json) in cases {
        let arguments = Arguments(written.to_owned());
        let stored = serde_json::to_string(&arguments).unwrap();
        assert_eq!(serde_json::from_str::<Arguments>(&stored).unwrap(), arguments);
        assert_eq!(arguments.json().ok().map(|json| json.get().to_owned()).as_deref(), json);
    }
}

#[test]
fn the_stored_forms_of_parts() {
    let text = serde_json::to_string(&Part::text("hello")).unwrap();
    assert_eq!(text, r#"{"type":"text","text":"hello"}"#);
    for json in [r#"{"type":"hologram","x":1}"#, r#"{"text":"hello"}"#, r#"{"type":"text"}"#, "[]", "null", "1"] {
        assert!(serde_json::from_str::<Part>(json).is_err(), "{json}");
    }
}

#[test]
fn json_that_is_kept_can_be_read_however_deep_it_came() {
    for (open, close, inner) in [("[", "]", ""), ("{\"a\":", "}", "1"), ("[{\"]\\\"\":", "}]", "\"[[\"")] {
        let levels = open.matches(['[', '{']).count();
        let nested = |depth: usize| {
            let times = depth / levels;
            format!("{}{inner}{}", open.repeat(times), close.repeat(times))
        };
        for depth in [2, 126, 128, 130, 100_000] {
            let text = nested(depth);
            let is_shallow = depth < JSON_DEPTH_LIMIT;
            let kept = RawJson::parse(&text);
            assert_eq!(kept.is_ok(), is_shallow, "{open} {depth}");
            assert_eq!(RawJson::check(&text).is_ok(), is_shallow, "{open} {depth}");
            assert_eq!(serde_json::from_str::<RawJson>(&text).is_ok(), is_shallow, "{open} {depth}");
            assert_eq!(Arguments(text).json().is_ok(), is_shallow, "{open} {depth}");
            if let Ok(kept) = kept {
                kept.read::<serde_json::Value>().unwrap();
            }
        }
    }
    assert!(RawJson::parse(&format!("{}{}", "[".repeat(127), "]".repeat(127))).is_ok());
    // Brackets inside a string do not count as nesting.
    assert!(RawJson::parse(&format!("\"{}\"", "[".repeat(1000))).is_ok());
}

#[test]
fn metadata_that_may_be_stored_can_be_read_as_part_of_a_list() {
    let metadata = |depth: usize| {
        let value = (1..depth).fold(serde_json::json!(1), |inner, _| serde_json::json!([inner]));
        serde_json::Map::from_iter([("a".to_owned(), value)])
    };
    for (depth, is_shallow) in [(1, true), (119, true), (120, false), (500, false)] {
        assert_eq!(is_shallow_metadata(&metadata(depth)), is_shallow, "{depth}");
    }
    let listed = serde_json::json!({ "data": [{ "session": { "metadata": metadata(119) } }] }).to_string();
    serde_json::from_str::<serde_json::Value>(&listed).unwrap();
}

/// Stored values of earlier versions have no `outside` field, and trusted values take no more space than before.
#[test]
fn a_part_is_marked_only_if_it_is_untrusted() {
    let uid = r#""uid":"0199a1f0-5d1c-7cc0-9d8e-000000000001.1.0""#;
    for stored in [
        format!(r#"{{"type":"tool_result",{uid},"name":"look","ok":true,"content":"x"}}"#),
        r#"{"type":"context","source":"a","text":"x"}"#.to_owned(),
        r#"{"type":"image","media_type":"image/png","url":"data:"}"#.to_owned(),
        r#"{"type":"file","media_type":"application/pdf","name":"a","url":"data:"}"#.to_owned(),
    ] {
        let part: Part = serde_json::from_str(&stored).unwrap();
        assert_eq!(serde_json::to_string(&part).unwrap(), stored);
        let marked = serde_json::to_string(&part.into_untrusted()).unwrap();
        assert_eq!(marked, stored.replace('}', r#","outside":true}"#));
    }
}
