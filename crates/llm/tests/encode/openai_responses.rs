//! Tests the encoding for Responses.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{
    ChatRequest, Fold, Image, Message, Params, Part, ProviderTool, Role, Summary, Thinking, ToolChoice, ToolDefinition,
    TurnId,
};
use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};

use super::{assistant, call, hidden, image, known, made_by, request, result, thought};

fn encoded(request: &ChatRequest, model: &str, host: &str) -> String {
    let vendor = Vendor::of(Wire::OpenaiResponses, host);
    String::from_utf8(Wire::OpenaiResponses.encode(request, model, &known("openai", model), &vendor)).unwrap()
}

fn body(request: &ChatRequest) -> Value {
    serde_json::from_str(&encoded(request, "gpt-4o", "api.openai.com")).unwrap()
}

fn check(history: Vec<Message>, expected: Value) {
    assert_eq!(body(&request(history))["input"], expected);
}

fn said(role: &str, content: Value) -> Value {
    json!({ "type": "message", "role": role, "content": content })
}

fn answered(text: &str) -> Value {
    said("assistant", json!([{ "type": "output_text", "text": text }]))
}

#[test]
fn a_request_carries_the_whole_conversation_and_nothing_is_stored() {
    let request = ChatRequest { instructions: Some("Be brief.".into()), ..request([Message::user("hi")]) };
    let expected = concat!(
        r#"{"model":"gpt-4o","instructions":"Be brief.","#,
        r#""input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}],"#,
        r#""store":false,"stream":true}"#,
    );
    assert_eq!(encoded(&request, "gpt-4o", "api.openai.com"), expected);
}

#[test]
fn messages_and_calls_keep_their_order() {
    let summary = Part::Summary(Summary { text: "they met".to_owned(), ..Summary::default() });
    check(
        vec![
            Message::new(Role::System, vec![summary]),
            Message::user("1 + 2"),
            assistant(vec![
                Part::text("Let me add."),
                call(0, "call_000000001", r#"{"x":1}"#),
                call(1, "call_000000002", ""),
            ]),
            Message::new(Role::Tool, vec![result(0, "3"), result(1, "")]),
            assistant(vec![Part::text("It is 3.")]),
        ],
        json!([
            said("system", json!([{ "type": "input_text", "text": "Summary of the conversation so far:\nthey met" }])),
            said("user", json!([{ "type": "input_text", "text": "1 + 2" }])),
            answered("Let me add."),
            { "type": "function_call", "call_id": "call_000000001", "name": "add", "arguments": "{\"x\":1}" },
            { "type": "function_call", "call_id": "call_000000002", "name": "add", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "call_000000001", "output": "3" },
            { "type": "function_call_output", "call_id": "call_000000002", "output": "" },
            answered("It is 3."),
        ]),
    );
}

#[test]
fn pictures_and_files_have_their_form() {
    let parts = vec![image(), Part::Image(Image::at("data:application/pdf;base64,AAAA")), Part::text("what is this?")];
    check(
        vec![
            Message::new(Role::User, parts),
            Message::new(Role::User, hidden().to_vec()),
            assistant(hidden().to_vec()),
        ],
        json!([said(
            "user",
            json!([
                { "type": "input_image", "image_url": "https://host/cat.png" },
                { "type": "input_file", "filename": "file", "file_data": "data:application/pdf;base64,AAAA" },
                { "type": "input_text", "text": "what is this?" },
            ])
        )]),
    );
}

#[test]
fn reasoning_and_tools_go_back_byte_for_byte_only_to_their_vendor() {
    let reasoning = r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"gAAA/+="}"#;
    let searched = r#"{"id":"ws_1","type":"web_search_call","action":{"b":1, "a":2.50}}"#;
    let tool = Part::ProviderTool(ProviderTool {
        provider_id: "ws_1".to_owned(),
        name: "web_search_call".to_owned(),
        input: String::new(),
        opaque: Some(made_by("openai", searched)),
    });
    let history =
        [Message::user("cats"), assistant(vec![thought("Hm.", "openai", reasoning), tool, Part::text("Cats.")])];
    let sent = encoded(&request(history.clone()), "gpt-4o", "api.openai.com");
    assert!(sent.contains(&format!("{reasoning},{searched},{{\"type\":\"message\"")), "{sent}");
    let elsewhere = encoded(&request(history), "gpt-4o", "host.example");
    assert!(!elsewhere.contains("rs_1") && !elsewhere.contains("ws_1") && elsewhere.contains("Cats."), "{elsewhere}");
}

/// Returns the message that an answer with these items is decoded to.
fn answer_of(items: &Value) -> Message {
    let vendor = Vendor::of(Wire::OpenaiResponses, "api.openai.com");
    let (mut decoder, mut deltas) = (AnswerDecoder::new(Wire::OpenaiResponses, &vendor), Vec::new());
    decoder.body(json!({ "status": "completed", "output": items }).to_string().as_bytes(), &mut deltas).unwrap();
    let mut fold = Fold::new(TurnId::default(), 1);
    deltas.iter().for_each(|delta| fold.push(delta).unwrap());
    assistant(fold.finish().unwrap().parts)
}

#[test]
fn messages_and_calls_go_back_unchanged_only_to_their_vendor() {
    let cited = json!({ "type": "url_citation", "url": "https://host/", "start_index": 0, "end_index": 4 });
    let items = json!([
        { "id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA" },
        {
            "id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "phase": "commentary",
            "content": [
                { "type": "output_text", "text": "Cats. ", "annotations": [cited], "logprobs": [] },
                { "type": "output_text", "text": "I add.", "annotations": [] },
            ],
        },
        {
            "id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_000000001", "name": "add",
            "arguments": "{\"x\":1}",
        },
    ]);
    let history = [Message::user("cats"), answer_of(&items), Message::new(Role::Tool, vec![result(0, "3")])];
    let sent = body(&request(history.clone()));
    assert_eq!(sent["input"].as_array().unwrap()[1..4], items.as_array().unwrap()[..]);
    let elsewhere = encoded(&request(history), "gpt-4o", "host.example");
    for word in ["msg_1", "phase", "fc_1", "status", "annotations", "rs_1"] {
        assert!(!elsewhere.contains(word), "{word} in {elsewhere}");
    }
    assert!(elsewhere.contains(r#""text":"Cats. I add.""#), "{elsewhere}");
}

#[test]
fn reasoning_of_another_wire_is_no_item() {
    let parts = vec![thought("Hm.", "openai", "\"reasoning_content\""), Part::text("Well.")];
    check(
        vec![Message::user("hi"), assistant(parts)],
        json!([said("user", json!([{ "type": "input_text", "text": "hi" }])), answered("Well.")]),
    );
}

#[test]
fn reasoning_that_nothing_follows_is_not_sent() {
    let reasoning = thought("Hm.", "openai", r#"{"id":"rs_1","type":"reasoning","encrypted_content":"gAAA"}"#);
    check(
        vec![Message::user("hi"), assistant(vec![Part::text("Well."), reasoning.clone()]), assistant(vec![reasoning])],
        json!([said("user", json!([{ "type": "input_text", "text": "hi" }])), answered("Well.")]),
    );
}

#[test]
fn tools_and_settings_have_their_form() {
    let tool = ToolDefinition::new("add", "Adds.", r#"{"type": "object"}"#).unwrap();
    let full = ChatRequest {
        tools: Arc::new([tool]),
        params: Params {
            temperature: Some(0.5),
            max_tokens: Some(100),
            thinking: Some(Thinking::High),
            ..Params::default()
        },
        tool_choice: ToolChoice::None,
        ..request([Message::user("hi")])
    };
    let sent: Value = serde_json::from_str(&encoded(&full, "gpt-9", "api.openai.com")).unwrap();
    let function = json!({
        "type": "function", "name": "add", "description": "Adds.", "parameters": { "type": "object" }, "strict": false,
    });
    assert_eq!(sent["tools"], json!([function]));
    assert_eq!((&sent["tool_choice"], &sent["max_output_tokens"]), (&json!("none"), &json!(100)));
    assert_eq!(sent["reasoning"], json!({ "effort": "high", "summary": "auto" }));
    assert_eq!(sent["temperature"], 0.5);
}

#[test]
fn encrypted_reasoning_is_requested_from_models_that_may_reason() {
    let asks = |model: &str, host: &str, thinking: Option<Thinking>| {
        let params = Params { thinking, ..Params::default() };
        encoded(&ChatRequest { params, ..request([Message::user("hi")]) }, model, host).contains("encrypted_content")
    };
    for (model, host, thinking, expected) in [
        ("gpt-4o", "api.openai.com", None, false),
        ("gpt-5-mini", "api.openai.com", None, true),
        ("gpt-5-mini", "api.openai.com", Some(Thinking::Off), true),
        ("gpt-5-mini", "host.example", None, false),
        ("grok-4", "api.x.ai", Some(Thinking::Low), true),
    ] {
        assert_eq!(asks(model, host, thinking), expected, "{model} at {host} with {thinking:?}");
    }
}
