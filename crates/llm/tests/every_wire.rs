//! Properties that hold on every wire, for any values in the fields of recorded or hand-written answers.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

mod support;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use support::{buffered, streamed};
use turnkit_core::{
    Arguments, CallUid, ChatRequest, History, Params, ToolCall, ToolChoice, ToolDefinition, ToolResult, TurnId,
};
use turnkit_core::{Message, Part, ProviderErrorKind, Role};
use turnkit_llm::Wire;
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::Vendor;
use turnkit_testkit::transcript::{Problem, Violation};
use turnkit_testkit::transcript::{check_chat_completions, check_generate_content, check_messages, check_responses};

const NEW_WIRES: [Wire; 3] = [Wire::OpenaiResponses, Wire::Anthropic, Wire::Gemini];

/// Values of every JSON type.
fn odd() -> Vec<Value> {
    let list = json!([null, 1, "a", true, [], {}]);
    vec![json!(null), json!("a"), json!(7), json!(-1.5), json!(true), json!([]), json!({}), json!({ "a": [1] }), list]
}

/// The streams of each wire, loaded once.
static STREAMS: LazyLock<HashMap<Wire, Vec<Vec<Value>>>> =
    LazyLock::new(|| NEW_WIRES.into_iter().map(|wire| (wire, streams(wire))).collect());

/// Returns the events of a wire's hand-written streams.
fn streams(wire: Wire) -> Vec<Vec<Value>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(wire.name().replace('-', "_"));
    let mut folders: Vec<_> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let bodies = folders.iter().filter_map(|folder| fs::read_to_string(folder.join("response.sse")).ok());
    let events = |body: String| -> Vec<Value> {
        body.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect()
    };
    bodies.map(events).filter(|events| !events.is_empty()).collect()
}

fn written(events: &[Value]) -> Vec<u8> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}

/// Collects the paths of all values within a value.
fn places(value: &Value, way: &str, found: &mut Vec<String>) {
    found.push(way.to_owned());
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| places(value, &format!("{way}/{key}"), found)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| places(value, &format!("{way}/{at}"), found));
        }
        _ => {}
    }
}

fn wire() -> impl Strategy<Value = Wire> {
    select(NEW_WIRES.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(5_000) })]

    /// A field of an unexpected type causes at most a typed error. The outcome never depends on how the network splits
    /// the bytes.
    #[test]
    fn an_answer_with_odd_values_is_the_same_for_any_split(
        wire in wire(), stream in any::<Index>(), changes in prop::collection::vec((any::<Index>(), any::<Index>(), any::<Index>()), 1..4),
        size in 1_usize..40,
    ) {
        let streams = &STREAMS[&wire];
        let mut events = stream.get(streams).clone();
        for (event, place, value) in changes {
            let event = event.index(events.len());
            let mut found = Vec::new();
            places(&events[event], "", &mut found);
            let place = &found[place.index(found.len())];
            *events[event].pointer_mut(place).unwrap() = value.get(&odd()).clone();
        }
        let body = written(&events);
        prop_assert_eq!(streamed(wire, body.chunks(size)), streamed(wire, [body.as_slice()]));
    }

    /// Lost, duplicated or reordered events cause at most a typed error.
    #[test]
    fn an_answer_with_events_in_the_wrong_place_does_not_break_the_fold(
        wire in wire(), stream in any::<Index>(), order in prop::collection::vec(any::<Index>(), 0..24),
    ) {
        let streams = &STREAMS[&wire];
        let events = stream.get(streams);
        let shuffled: Vec<Value> = order.iter().map(|index| index.get(events).clone()).collect();
        let body = written(&shuffled);
        prop_assert_eq!(streamed(wire, body.chunks(7)), streamed(wire, [body.as_slice()]));
    }

    /// The decoded calls equal the original ones, whether the answer was streamed in interleaved pieces or buffered.
    #[test]
    fn calls_out_are_calls_in(
        wire in wire(), text in "[a-zé\"\\\\ ]{0,8}", calls in prop::collection::vec(("[a-z]{1,5}", "[a-z{}\"é]{0,9}"), 1..4),
        mix in prop::collection::vec(any::<Index>(), 1..9), size in 1_usize..50,
    ) {
        let calls: Vec<(String, String)> =
            calls.into_iter().map(|(name, value)| (name, json!({ "value": value }).to_string())).collect();
        let streamed = streamed(wire, stream_of(wire, &text, &calls, &mix).chunks(size)).unwrap();
        let buffered = buffered(wire, &body_of(wire, &text, &calls)).unwrap();
        prop_assert_eq!(&streamed.parts, &buffered.parts);
        prop_assert_eq!((&streamed.finish, &streamed.cut), (&buffered.finish, &buffered.cut));
        let out: Vec<(String, String)> = streamed.parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some((call.name.clone(), call.arguments.0.clone())),
            _ => None,
        }).collect();
        prop_assert_eq!((out, streamed.text()), (calls, text));
    }

    /// A request pairs calls and results and is valid JSON, for any ids and arguments from other providers.
    #[test]
    fn requests_pair_calls_and_results_of_any_caller(
        wire in select(Wire::ALL.to_vec()),
        steps in prop::collection::vec(prop::collection::vec((select(vec!["", "call_0", "a b", "functions.f:0", "unique"]), select(vec!["", "{}", "{\"a\":", "[1]", "{\"a\":1}"])), 1..4), 1..4),
    ) {
        let mut history = vec![Message::user("hi")];
        for (step, calls) in (1..).zip(&steps) {
            let (mut asked, mut given) = (Vec::new(), Vec::new());
            for (ordinal, (id, arguments)) in (0..).zip(calls) {
                let (uid, name) = (CallUid { turn: TurnId::default(), step, ordinal }, "f".to_owned());
                let arguments = Arguments((*arguments).to_owned());
                let provider_id = if *id == "unique" { format!("toolu_00000_{step}_{ordinal}") } else { (*id).to_owned() };
                asked.push(Part::ToolCall(ToolCall { uid, provider_id, name: name.clone(), arguments, extras: None }));
                given.push(Part::ToolResult(ToolResult::new(uid, name, format!("{step}.{ordinal}"))));
            }
            history.extend([Message::new(Role::Assistant, asked), Message::new(Role::Tool, given)]);
        }
        let request = ChatRequest { model: None, route: None, instructions: None, history: History::of(history), tools: [ToolDefinition::new("any", "", r#"{"type":"object"}"#).unwrap()].into(), params: Params::default(), tool_choice: ToolChoice::Auto };
        let body: Value = serde_json::from_slice(&wire.encode(&request, "model", &ModelProfile::default(), &Vendor::of(wire, "vendor.example"))).unwrap();
        prop_assert_eq!(misplaced(wire, &body), [], "{}", body);
        let pairs = pairs(wire, &body);
        let expected: Vec<String> = (1..).zip(&steps).flat_map(|(step, calls)| (0..calls.len()).map(move |ordinal| format!("{step}.{ordinal}"))).collect();
        prop_assert_eq!(pairs, expected, "{}", body);
    }
}

fn stream_of(wire: Wire, text: &str, calls: &[(String, String)], mix: &[Index]) -> Vec<u8> {
    let mut events = Vec::new();
    let mut left: Vec<(usize, Vec<String>)> = Vec::new();
    match wire {
        Wire::Gemini => {
            events.push(json!({ "candidates": [{ "content": { "parts": [{ "text": text }] } }] }));
            for (name, arguments) in calls {
                events.push(json!({ "candidates": [{ "content": { "parts": [function_call(name, arguments)] } }] }));
            }
            events.push(json!({ "candidates": [{ "finishReason": "STOP" }] }));
            return written(&events);
        }
        Wire::Anthropic => {
            events.push(
                json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
            );
            events.push(
                json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } }),
            );
            events.push(json!({ "type": "content_block_stop", "index": 0 }));
            for (at, (name, arguments)) in calls.iter().enumerate() {
                let block = json!({ "type": "tool_use", "id": format!("toolu_{at}"), "name": name, "input": {} });
                events.push(json!({ "type": "content_block_start", "index": at + 1, "content_block": block }));
                left.push((at, pieces(arguments)));
            }
        }
        _ => {
            events.push(json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text }));
            for (at, (name, arguments)) in calls.iter().enumerate() {
                let item =
                    json!({ "type": "function_call", "call_id": format!("toolu_{at}"), "name": name, "arguments": "" });
                events.push(json!({ "type": "response.output_item.added", "output_index": at + 1, "item": item }));
                left.push((at, pieces(arguments)));
            }
        }
    }
    for pick in mix.iter().cycle().take(1_000) {
        if left.is_empty() {
            break;
        }
        let chosen = pick.index(left.len());
        let (at, pieces) = &mut left[chosen];
        let piece = pieces.remove(0);
        events.push(match wire {
            Wire::Anthropic => json!({ "type": "content_block_delta", "index": *at + 1, "delta": { "type": "input_json_delta", "partial_json": piece } }),
            _ => json!({ "type": "response.function_call_arguments.delta", "output_index": *at + 1, "delta": piece }),
        });
        if pieces.is_empty() {
            left.remove(chosen);
        }
    }
    events.push(match wire {
        Wire::Anthropic => json!({ "type": "message_stop" }),
        _ => json!({ "type": "response.completed", "response": { "status": "completed", "output": [] } }),
    });
    written(&events)
}

fn body_of(wire: Wire, text: &str, calls: &[(String, String)]) -> Vec<u8> {
    let parsed = |arguments: &String| serde_json::value::RawValue::from_string(arguments.clone()).unwrap();
    let each = calls.iter().enumerate();
    let body = match wire {
        Wire::Gemini => {
            let parts = std::iter::once(json!({ "text": text }))
                .chain(calls.iter().map(|(name, arguments)| function_call(name, arguments)));
            json!({ "candidates": [{ "content": { "parts": parts.collect::<Vec<_>>() }, "finishReason": "STOP" }] })
        }
        Wire::Anthropic => {
            let block = |(at, (name, arguments)): (usize, &(String, String))| json!({ "type": "tool_use", "id": format!("toolu_{at}"), "name": name, "input": parsed(arguments) });
            let blocks = std::iter::once(json!({ "type": "text", "text": text })).chain(each.map(block));
            json!({ "type": "message", "content": blocks.collect::<Vec<_>>(), "stop_reason": "tool_use" })
        }
        _ => {
            let item = |(at, (name, arguments)): (usize, &(String, String))| json!({ "type": "function_call", "call_id": format!("toolu_{at}"), "name": name, "arguments": arguments });
            let items =
                std::iter::once(json!({ "type": "message", "content": [{ "type": "output_text", "text": text }] }))
                    .chain(each.map(item));
            json!({ "status": "completed", "output": items.collect::<Vec<_>>() })
        }
    };
    body.to_string().into_bytes()
}

fn function_call(name: &str, arguments: &str) -> Value {
    json!({ "functionCall": { "name": name, "args": serde_json::from_str::<Value>(arguments).unwrap() } })
}

/// Splits a text into pieces of three characters; returns at least one piece.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(3).map(|piece| piece.iter().collect()).collect()
}

/// Finds calls whose results do not follow immediately, and results without a preceding call.
fn misplaced(wire: Wire, body: &Value) -> Vec<Violation> {
    let check = match wire {
        Wire::OpenaiChat => check_chat_completions,
        Wire::OpenaiResponses => check_responses,
        Wire::Anthropic => check_messages,
        Wire::Gemini => check_generate_content,
    };
    let mut found = check(body).err().unwrap_or_default();
    let is_of_place = |problem: &Problem| {
        matches!(problem, Problem::MissingResult(_) | Problem::OrphanResult(_) | Problem::ResultOutOfOrder(_))
    };
    found.retain(|violation| is_of_place(&violation.problem));
    found
}

/// Returns the contents of a request's results, in order. Each result must answer the call at its position.
fn pairs(wire: Wire, body: &Value) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let flat = |outer: &str, inner: &str| -> Vec<Value> {
        list(&body[outer]).iter().flat_map(|item| list(&item[inner])).collect()
    };
    let (calls, results): (Vec<Value>, Vec<(Value, Value)>) = match wire {
        Wire::OpenaiChat => {
            let tools = list(&body["messages"]).into_iter().filter(|message| message["role"] == "tool");
            let calls = flat("messages", "tool_calls");
            (
                calls.iter().map(|call| call["id"].clone()).collect(),
                tools.map(|tool| (tool["tool_call_id"].clone(), tool["content"].clone())).collect(),
            )
        }
        Wire::OpenaiResponses => {
            let of =
                |kind: &str| list(&body["input"]).into_iter().filter(|item| item["type"] == kind).collect::<Vec<_>>();
            (
                of("function_call").iter().map(|call| call["call_id"].clone()).collect(),
                of("function_call_output")
                    .iter()
                    .map(|item| (item["call_id"].clone(), item["output"].clone()))
                    .collect(),
            )
        }
        Wire::Anthropic => {
            let of = |kind: &str| {
                flat("messages", "content").into_iter().filter(|block| block["type"] == kind).collect::<Vec<_>>()
            };
            (
                of("tool_use").iter().map(|block| block["id"].clone()).collect(),
                of("tool_result")
                    .iter()
                    .map(|block| (block["tool_use_id"].clone(), block["content"].clone()))
                    .collect(),
            )
        }
        Wire::Gemini => {
            let parts = flat("contents", "parts");
            let calls = parts.iter().filter_map(|part| part.get("functionCall")).map(|call| call["name"].clone());
            let results = parts.iter().filter_map(|part| part.get("functionResponse"));
            (
                calls.collect(),
                results.map(|result| (result["name"].clone(), result["response"]["output"].clone())).collect(),
            )
        }
    };
    let unique = !matches!(wire, Wire::OpenaiResponses | Wire::Anthropic) || {
        let mut ids: Vec<String> = calls.iter().map(Value::to_string).collect();
        ids.sort();
        ids.windows(2).all(|pair| pair[0] != pair[1])
    };
    assert!(unique, "ids repeat: {calls:?}");
    assert_eq!(calls, results.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>());
    results.into_iter().map(|(_, content)| content.as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_body_that_is_not_json_is_a_bad_response() {
    for wire in NEW_WIRES {
        for broken in [streamed(wire, [&b"data: {oops\n\n"[..]]), buffered(wire, b"{oops"), buffered(wire, b"[[]]")] {
            assert_eq!(broken.unwrap_err().error.kind, ProviderErrorKind::BadResponse, "{wire:?}");
        }
    }
}

#[test]
fn the_open_parts_of_an_answer_are_limited() {
    let starts = |wire: Wire| -> Vec<Value> {
        let start = |index: usize| match wire {
            Wire::Anthropic => {
                json!({ "type": "content_block_start", "index": index, "content_block": { "type": "text", "text": "" } })
            }
            _ => json!({ "type": "response.output_item.added", "output_index": index, "item": { "type": "message" } }),
        };
        (0..1_000).map(start).collect()
    };
    let signature = json!({ "type": "signature_delta", "signature": "x".repeat(700_000) });
    let delta = json!({ "type": "content_block_delta", "index": 0, "delta": signature });
    let thinking = json!({ "type": "thinking", "thinking": "" });
    let start = json!({ "type": "content_block_start", "index": 0, "content_block": thinking });
    for (wire, events) in [
        (Wire::Anthropic, starts(Wire::Anthropic)),
        (Wire::OpenaiResponses, starts(Wire::OpenaiResponses)),
        (Wire::Anthropic, vec![start, delta.clone(), delta]),
    ] {
        let error = streamed(wire, [written(&events).as_slice()]).unwrap_err().error;
        assert_eq!(error.kind, ProviderErrorKind::BadResponse, "{wire:?}");
    }
}
