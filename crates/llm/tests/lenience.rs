//! Misplaced values and values of the wrong type are ignored; the rest of the answer stays complete.

mod support;

use serde_json::{Value, json};
use support::{buffered, streamed};
use turnkit_core::{Part, ProviderErrorKind};
use turnkit_llm::Wire;

const CHAT: Wire = Wire::OpenaiChat;

/// Values of every JSON type. The empty list is valid for some fields, and adds nothing either.
fn odd() -> [Value; 9] {
    let list = json!([null, 1, "a", true, [], {}]);
    [json!(null), json!("a"), json!(7), json!(-1.5), json!(true), json!([]), json!({}), json!({ "a": [1] }), list]
}

fn stream(chunk: &Value) -> Vec<u8> {
    let said = |text: &str| json!({ "choices": [{ "index": 0, "delta": { "content": text } }] });
    let (before, after) = (said("hello "), said("world"));
    format!("data: {before}\n\ndata: {chunk}\n\ndata: {after}\n\ndata: [DONE]\n\n").into_bytes()
}

fn delta(delta: &Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta }] })
}

#[test]
fn a_streamed_field_of_an_unexpected_type_reads_as_absent() {
    for odd in odd() {
        for chunk in [
            json!({ "type": "ping", "choices": odd }),
            json!({ "choices": [odd] }),
            json!({ "choices": [{ "delta": odd }] }),
            json!({ "choices": [{ "message": odd }] }),
            json!({ "choices": [], "x_groq": odd }),
            json!({ "choices": [], "usage": odd }),
            delta(&json!({ "tool_calls": odd })),
            delta(&json!({ "tool_calls": [odd] })),
            delta(&json!({ "tool_calls": [{ "function": odd }] })),
            delta(&json!({ "function_call": odd })),
            delta(&json!({ "content": [odd] })),
            delta(&json!({ "content": [{ "thinking": odd }] })),
        ] {
            let answer =
                streamed(CHAT, [stream(&chunk).as_slice()]).map_err(|broken| format!("{chunk}: {}", broken.error));
            assert_eq!(answer.unwrap().text(), "hello world", "{chunk}");
        }
    }
}

#[test]
fn a_buffered_field_of_an_unexpected_type_reads_as_absent() {
    for odd in odd() {
        for message in [
            json!({ "content": "hello", "tool_calls": odd }),
            json!({ "content": "hello", "tool_calls": [odd, { "function": odd }] }),
            json!({ "content": "hello", "function_call": odd }),
            json!({ "content": [odd, { "text": "hello" }] }),
        ] {
            let choices = json!([{ "delta": odd, "message": message, "finish_reason": "stop" }]);
            let body = json!({ "choices": choices, "usage": odd, "x_groq": odd }).to_string();
            let answer = buffered(CHAT, body.as_bytes()).map_err(|broken| format!("{body}: {}", broken.error));
            assert_eq!(answer.unwrap().text(), "hello", "{body}");
        }
    }
}

#[test]
fn valid_fields_beside_an_invalid_one_are_kept() {
    let call = json!({ "index": 0, "id": "c", "function": { "name": "add", "arguments": "{}" }, "extra": [1] });
    let chunk = json!({
        "choices": [null, { "delta": { "content": {}, "tool_calls": [null, call] }, "finish_reason": 7 }],
        "usage": { "prompt_tokens": 3, "prompt_tokens_details": "none", "completion_tokens_details": [2] },
    });
    let answer = streamed(CHAT, [stream(&chunk).as_slice()]).unwrap();
    let calls = answer.parts.iter().filter(|part| matches!(part, Part::ToolCall(call) if call.name == "add"));
    assert_eq!((calls.count(), answer.usage.fresh), (1, 3));
}

#[test]
fn an_empty_error_object_is_no_error() {
    for nothing in [json!(null), json!(false), json!(""), json!(0), json!([]), json!({})] {
        let mut chunk = delta(&json!({}));
        chunk["error"] = nothing;
        assert!(streamed(CHAT, [stream(&chunk).as_slice()]).is_ok(), "{chunk}");
    }
    assert!(
        streamed(
            CHAT,
            [&b"data: {\"choices\":[],\"error\":{ }}\n\ndata: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n"[..]]
        )
        .is_ok()
    );
}

#[test]
fn a_body_that_is_not_json_is_a_bad_response() {
    for broken in [streamed(CHAT, [&b"data: {oops\n\n"[..]]), buffered(CHAT, b"{oops"), buffered(CHAT, b"[[]]")] {
        let error = broken.unwrap_err().error;
        assert_eq!(error.kind, ProviderErrorKind::BadResponse);
        assert!(!error.message.contains("JSON"), "{}", error.message);
    }
}

#[test]
fn calls_have_a_limit() {
    let calls: Vec<Value> = (0..2000).map(|index| json!({ "index": index, "id": index.to_string() })).collect();
    let error = streamed(CHAT, [stream(&delta(&json!({ "tool_calls": calls }))).as_slice()]).unwrap_err().error;
    assert_eq!(error.kind, ProviderErrorKind::BadResponse);
    assert!(error.message.contains("too many tool calls"), "{}", error.message);
}
