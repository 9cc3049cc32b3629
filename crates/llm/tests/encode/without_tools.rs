//! Tests histories with calls in requests without tools.

use std::sync::Arc;

use serde_json::Value;
use turnkit_core::{ChatRequest, Message, Part, Role, Text};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{Vendor, Wire};
use turnkit_testkit::transcript::{check_chat_completions, check_generate_content, check_messages, check_responses};

use super::{assistant, call, made_by, request, result, thought};

fn sent(wire: Wire, history: Vec<Message>) -> Value {
    let vendor = Vendor::of(wire, "vendor.example");
    let request = ChatRequest { tools: Arc::new([]), ..request(history) };
    let body: Value =
        serde_json::from_slice(&wire.encode(&request, "model", &ModelProfile::default(), &vendor)).unwrap();
    let checked = match wire {
        Wire::OpenaiChat => check_chat_completions(&body),
        Wire::OpenaiResponses => check_responses(&body),
        Wire::Anthropic => check_messages(&body),
        Wire::Gemini => check_generate_content(&body),
    };
    assert_eq!(checked, Ok(()), "{body}");
    let written = body.to_string();
    for word in
        ["tool_calls", "\"tool\"", "tool_use", "tool_result", "function_call", "functionCall", "functionResponse"]
    {
        assert!(!written.contains(word), "{wire:?}: {word} in {written}");
    }
    body
}

/// Returns the messages that a body sends: role and text.
fn said(wire: Wire, body: &Value) -> Vec<(String, String)> {
    let (messages, content) = match wire {
        Wire::OpenaiChat | Wire::Anthropic => ("messages", "content"),
        Wire::OpenaiResponses => ("input", "content"),
        Wire::Gemini => ("contents", "parts"),
    };
    let text = |content: &Value| match content {
        Value::String(text) => text.clone(),
        parts => parts.as_array().into_iter().flatten().filter_map(|part| part["text"].as_str()).collect(),
    };
    let messages = body[messages].as_array().unwrap().iter();
    messages
        .map(|message| (message["role"].as_str().unwrap().replace("model", "assistant"), text(&message[content])))
        .collect()
}

fn round(text: Option<&str>) -> Vec<Message> {
    let mut parts: Vec<Part> = text.map(Part::text).into_iter().collect();
    parts.push(call(0, "call_000000001", r#"{"x":1}"#));
    vec![assistant(parts), Message::new(Role::Tool, vec![result(0, "3")])]
}

#[test]
fn earlier_calls_and_results_are_not_sent_where_tools_are_turned_off() {
    let history = || {
        let mut history = vec![Message::user("1 + 2")];
        history.extend(round(Some("I add.")));
        history.extend(round(None));
        history.extend([assistant(vec![Part::text("It is 3.")]), Message::user("why?")]);
        history
    };
    for wire in Wire::ALL {
        let body = sent(wire, history());
        let all: Vec<String> = said(wire, &body).into_iter().map(|(role, text)| format!("{role}: {text}")).collect();
        // Responses has an item for each text.
        let together = all.join(" | ").replace("\n\n | assistant: ", "\n\n");
        assert_eq!(together, "user: 1 + 2 | assistant: I add.\n\nIt is 3. | user: why?", "{wire:?}");
    }
}

#[test]
fn a_turn_that_ended_with_calls_keeps_its_text() {
    for wire in Wire::ALL {
        let mut history = vec![Message::user("1 + 2")];
        history.extend(round(Some("I add.")));
        history.push(Message::user("well?"));
        let all: Vec<_> = said(wire, &sent(wire, history)).into_iter().map(|(_, text)| text).collect();
        assert_eq!(all, ["1 + 2", "I add.", "well?"], "{wire:?}");
    }
}

#[test]
fn a_running_turn_restarts_where_tools_are_turned_off() {
    for wire in Wire::ALL {
        let mut history = vec![Message::user("hi"), assistant(vec![Part::text("Hello.")]), Message::user("1 + 2")];
        history.extend(round(Some("I add.")));
        history.extend(round(None));
        let body = sent(wire, history);
        let last = said(wire, &body).pop();
        assert_eq!(last, Some(("user".to_owned(), "1 + 2".to_owned())), "{wire:?}");
    }
}

#[test]
fn reasoning_that_led_to_a_call_is_left_out_with_it() {
    let vendor = "vendor.example";
    let thoughts = [
        (Wire::OpenaiChat, r#"[{"data":"SEALED"}]"#),
        (Wire::OpenaiResponses, r#"{"type":"reasoning","encrypted_content":"SEALED"}"#),
        (Wire::Anthropic, r#""SEALED""#),
        (Wire::Gemini, r#""SEALED""#),
    ];
    for (wire, opaque) in thoughts {
        let mut history = vec![Message::user("1 + 2")];
        let parts = vec![thought("Hm.", vendor, opaque), Part::text("I add."), call(0, "call_000000001", "")];
        history.extend([assistant(parts), Message::new(Role::Tool, vec![result(0, "3")]), Message::user("well?")]);
        let body = sent(wire, history.clone());
        assert!(!body.to_string().contains("SEALED"), "{wire:?}: {body}");
        let with_tools = wire.encode(&request(history), "model", &ModelProfile::default(), &Vendor::of(wire, vendor));
        assert!(String::from_utf8_lossy(&with_tools).contains("SEALED"), "{wire:?}");
    }
}

#[test]
fn a_text_beside_a_call_goes_back_without_the_id_that_its_left_out_reasoning_belongs_to() {
    let vendor = "vendor.example";
    let kept = r#"{"id":"msg_SEALED","type":"message","role":"assistant","content":[{"type":"output_text","text":6}]}"#;
    for answer in [None, Some(assistant(vec![Part::text("It is 3.")]))] {
        let reasoning = thought("Hm.", vendor, r#"{"type":"reasoning","id":"rs_SEALED"}"#);
        let said = Part::Text(Text { text: "I add.".to_owned(), opaque: Some(made_by(vendor, kept)) });
        let parts = vec![reasoning, said, call(0, "call_000000001", "")];
        let mut history =
            vec![Message::user("1 + 2"), assistant(parts), Message::new(Role::Tool, vec![result(0, "3")])];
        history.extend(answer);
        history.push(Message::user("well?"));
        let body = sent(Wire::OpenaiResponses, history.clone()).to_string();
        assert!(body.contains("I add.") && !body.contains("SEALED"), "{body}");
        let wire = Wire::OpenaiResponses;
        let with_tools = wire.encode(&request(history), "model", &ModelProfile::default(), &Vendor::of(wire, vendor));
        assert!(String::from_utf8_lossy(&with_tools).contains("msg_SEALED"));
    }
}

#[test]
fn a_history_is_sent_with_its_calls_once_tools_are_turned_on_again() {
    for wire in Wire::ALL {
        let mut history = vec![Message::user("1 + 2")];
        history.extend(round(None));
        let on = request(history);
        let off = ChatRequest { tools: Arc::new([]), ..on.clone() };
        let vendor = Vendor::of(wire, "vendor.example");
        let body = |request: &ChatRequest| -> Value {
            serde_json::from_slice(&wire.encode(request, "model", &ModelProfile::default(), &vendor)).unwrap()
        };
        let (first, without, again) = (body(&on), body(&off), body(&on));
        assert_eq!(first, again, "{wire:?}");
        assert_ne!(without, again, "{wire:?}");
    }
}
