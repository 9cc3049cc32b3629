//! Tests the output of `turnkit wire decode` for every recorded exchange, every fixture, and damaged input.
//!
//! The recordings are found as in `corpus.rs`, which tests the decoders with split, reframed and cut bodies.
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read is a failing test")]

mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::case::{Case, cases};
use support::recording::{Recording, recordings};
use turnkit_core::{FinishReason, Part};
use turnkit_llm::Wire;
use turnkit_llm::wire::{AnswerDecoder, DecodedResponse, Framing, Outcome, RecordedResponse, Vendor};

const COUNTS: [&str; 5] = ["input", "output", "reasoning", "cache_read", "cache_write"];

#[test]
fn recorded_exchanges_decode_to_their_expected_summary() {
    let Some(recordings) = recordings() else { return };
    let mut failed = Vec::new();
    for recording in &recordings {
        let printed = printed(recording, None);
        let differ = |key: &&str| !is_same(key, &printed[key], &recording.expected);
        let differ =
            ["outcome", "text", "reasoning", "tool_calls", "finish_reason", "usage"].into_iter().filter(differ);
        failed.extend(differ.map(|key| format!("{} {key}: {}", recording.name, printed[key])));
        if printed["status"] != recording.status || printed["error_kind"].is_null() != (printed["outcome"] == "ok") {
            failed.push(format!("{}: {printed}", recording.name));
        }
    }
    assert_eq!(recordings.len(), 768);
    assert!(failed.is_empty(), "{} of {} differ:\n{}", failed.len(), recordings.len(), failed.join("\n"));
}

#[test]
fn the_framing_of_a_recording_is_detected_from_its_body() {
    for recording in recordings().iter().flatten() {
        for is_stream in [recording.is_stream, recording.asked_to_stream] {
            let framing = if is_stream { Framing::Streamed } else { Framing::Buffered };
            assert_eq!(printed(recording, None), printed(recording, Some(framing)), "{}", recording.name);
        }
    }
}

fn printed(recording: &Recording, framing: Option<Framing>) -> Value {
    json!(decode(recording.wire, Some(recording.status), framing, &recording.body))
}

/// Decodes a response without extracting markup from its text.
fn decode(wire: Wire, status: Option<u16>, framing: Option<Framing>, body: &[u8]) -> DecodedResponse {
    wire.decode(&RecordedResponse { status, framing, body, ..RecordedResponse::default() })
}

/// Compares a printed value with `expected.json`. Two things differ: a refusal is text here, and a call without an id
/// gets one.
fn is_same(key: &str, printed: &Value, expected: &Value) -> bool {
    match key {
        "outcome" => (printed == "ok") == (expected["outcome"] == "ok"),
        "text" => {
            *printed == format!("{}{}", expected["text"].as_str().unwrap(), expected["refusal"].as_str().unwrap())
        }
        "tool_calls" => {
            let (printed, expected) = (printed.as_array().unwrap(), expected[key].as_array().unwrap());
            let is_same_call = |(printed, expected): (&Value, &Value)| {
                let is_same_id = printed["id"] == expected["id"] || expected["id"].is_null() && printed["id"] != "";
                is_same_id && printed["name"] == expected["name"] && printed["arguments"] == expected["arguments"]
            };
            printed.len() == expected.len() && printed.iter().zip(expected).all(is_same_call)
        }
        "usage" if expected[key].is_object() => COUNTS.into_iter().all(|count| printed[count] == expected[key][count]),
        _ => *printed == expected[key],
    }
}

#[test]
fn fixtures_decode_to_the_expected_summary() {
    for case in cases() {
        let decoded = decoded(&case, &case.body);
        let parts = case.expected["parts"].as_array().unwrap();
        let all = |key: &str| parts.iter().filter_map(|part| part[key].as_str()).collect::<String>();
        assert_eq!((&decoded.text, &decoded.reasoning), (&all("text"), &all("reasoning")), "{}", case.name);
        let error = decoded.error_kind.map(|kind| json!(kind.code()));
        assert_eq!(error.as_ref(), case.expected.get("error"), "{}", case.name);
        assert_eq!(decoded.outcome == Outcome::Error, error.is_some(), "{}", case.name);
        let calls = parts.iter().filter(|part| part["call"].is_object()).count();
        let is_listed = decoded.tool_calls.len() == calls || error.is_some();
        assert!(is_listed, "{}: {:?}", case.name, decoded.tool_calls);
    }
}

#[test]
fn a_fixture_that_is_cut_is_a_failure_without_half_a_call() {
    for case in cases().iter().filter(|case| case.is_stream) {
        let whole = decoded(case, &case.body);
        let end = support::first_terminator(case.wire, &case.body).min(case.body.len());
        for at in (0..end).step_by(7) {
            let cut = decoded(case, &case.body[..at]);
            assert_eq!(cut.outcome, Outcome::Error, "{} cut at {at}", case.name);
            let half = cut.tool_calls.iter().find(|call| !whole.tool_calls.contains(call));
            assert_eq!(half, None, "{} cut at {at}", case.name);
        }
    }
}

fn decoded(case: &Case, body: &[u8]) -> DecodedResponse {
    let framing = if case.is_stream { Framing::Streamed } else { Framing::Buffered };
    decode(case.wire, None, Some(framing), body)
}

#[test]
fn event_streams_and_json_bodies_are_distinguished() {
    for (body, streamed) in [
        ("data: {}\n\n", true),
        ("\u{feff}event: ping\r\n\r\n", true),
        (": waiting\r\rdata: 1", true),
        ("HTTP/1.1 200 OK\n\nid: 1\ndata: 1\n\n", true),
        ("{\"data\": 1}", false),
        ("[\n  {\"a\": \"data:\"}\n]", false),
        ("{\n\"id\": 1\n}", false),
        ("<html>", false),
        ("", true),
    ] {
        assert_eq!(Framing::of(body.as_bytes()) == Framing::Streamed, streamed, "{body:?}");
    }
}

#[test]
fn a_json_body_in_place_of_a_stream_is_decoded() {
    for (wire, body, outcome, text) in [
        (
            Wire::Gemini,
            r#"[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}]}]"#,
            Outcome::Ok,
            "ab",
        ),
        (Wire::Gemini, r#"[{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},{"cand"#, Outcome::Error, ""),
        (
            Wire::OpenaiChat,
            "\u{feff}{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}",
            Outcome::Ok,
            "a",
        ),
        (Wire::OpenaiChat, r#"{"error":{"message":"no","type":"server_error"}}"#, Outcome::Error, ""),
    ] {
        let decoded = decode(wire, None, Some(Framing::Streamed), body.as_bytes());
        assert_eq!((decoded.outcome, &*decoded.text), (outcome, text), "{body}");
    }
}

#[test]
fn the_explanation_of_gemini_for_a_malformed_call_is_kept() {
    for (reason, explanation) in [
        ("MALFORMED_FUNCTION_CALL", "Malformed function call: print(default_api.look("),
        ("MALFORMED_RESPONSE", "the response was cut"),
        ("UNEXPECTED_TOOL_CALL", "Unexpected tool call: the model called a function."),
    ] {
        let candidate = json!({ "content": {}, "finishReason": reason, "finishMessage": explanation });
        let body = json!({ "candidates": [candidate] }).to_string();
        let decoded = decode(Wire::Gemini, None, None, body.as_bytes());
        let message = decoded.message.unwrap_or_default();
        assert!(message.ends_with(&format!(": {explanation}")), "{message}");
    }
}

#[test]
fn a_call_of_which_gemini_sends_only_the_name_has_no_arguments_that_could_run() {
    let explanation = "Unexpected tool call: Model tried to call an undeclared function: look";
    let candidate = json!({ "content": {}, "finishReason": "UNEXPECTED_TOOL_CALL", "finishMessage": explanation });
    let body = json!({ "candidates": [candidate] }).to_string();
    let mut decoder = AnswerDecoder::new(Wire::Gemini, &Vendor::of(Wire::Gemini, "vendor.example"));
    let mut deltas = Vec::new();
    let read = decoder.body(body.as_bytes(), &mut deltas);
    let answer = support::fold(&deltas, read).unwrap_or_else(|broken| unreachable!("{broken:?}"));
    let calls = answer.parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some((call.name.as_str(), call.arguments.json().is_ok())),
        _ => None,
    });
    assert_eq!(calls.collect::<Vec<_>>(), [("look", false)]);
    assert_eq!((answer.finish, answer.cut), (FinishReason::ToolCalls, vec![]));
}

#[test]
fn a_status_without_success_is_a_failure_whatever_the_body() {
    for wire in Wire::ALL {
        for (status, body, kind) in [
            (429, &b"data: {}\n\n"[..], "rate_limited"),
            (503, b"", "overloaded"),
            (401, b"\xff\xfe", "auth"),
            (404, b"[]", "bad_request"),
            (302, b"<html>", "bad_response"),
            (0, b"", "bad_response"),
        ] {
            let printed = json!(decode(wire, Some(status), None, body));
            assert_eq!((&printed["error_kind"], &printed["status"]), (&json!(kind), &json!(status)), "{}", wire.name());
            assert_eq!(printed["usage"], Value::Null);
        }
    }
}

/// Generates fixtures of all wires with one range of bytes replaced.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let bodies: Vec<Vec<u8>> = cases().into_iter().map(|case| case.body).collect();
    let edit = (any::<prop::sample::Index>(), 0..40_usize, prop::collection::vec(any::<u8>(), 0..12));
    (prop::sample::select(bodies), edit).prop_map(|(mut body, (at, length, new))| {
        let at = at.index(body.len() + 1);
        let end = (at + length).min(body.len());
        body.splice(at..end, new);
        body
    })
}

proptest! {
    #[test]
    fn any_bytes_are_an_answer_or_a_failure(
        body in prop_oneof![damaged(), prop::collection::vec(any::<u8>(), 0..200)],
        wire in prop::sample::select(Wire::ALL.to_vec()),
        framing in prop::sample::select(vec![None, Some(Framing::Streamed), Some(Framing::Buffered)]),
        status in prop::option::of(any::<u16>()),
    ) {
        let decoded = decode(wire, status, framing, &body);
        prop_assert_eq!(decoded.outcome == Outcome::Ok, decoded.error_kind.is_none());
        let printed = serde_json::to_string(&decoded).unwrap();
        prop_assert!(serde_json::from_str::<Value>(&printed).is_ok(), "{}", printed);
    }
}
