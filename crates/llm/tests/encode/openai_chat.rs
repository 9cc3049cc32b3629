//! Tests the encoding for Chat Completions.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{
    ChatRequest, Image, Message, Params, Part, Reasoning, Role, Summary, Thinking, ToolChoice, ToolDefinition,
};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{OutputLimit, Vendor, Wire};

use super::{assistant, call, hidden, image, known, request, result, thought};

fn vendor(output_limit: OutputLimit) -> Vendor {
    Vendor { output_limit, ..Vendor::of(Wire::OpenaiChat, "llm.example") }
}

fn body(request: &ChatRequest) -> Value {
    serde_json::from_slice(&Wire::OpenaiChat.encode(
        request,
        "small",
        &ModelProfile::default(),
        &vendor(OutputLimit::MaxTokens),
    ))
    .unwrap()
}

fn check(history: Vec<Message>, expected: Value) {
    assert_eq!(body(&request(history))["messages"], expected);
}

#[test]
fn user_content_is_a_text_or_a_list_of_parts() {
    check(vec![Message::user("hi \"you\"\n")], json!([{ "role": "user", "content": "hi \"you\"\n" }]));
    let parts = vec![Part::text("what is"), image()];
    let content = json!([
        { "type": "text", "text": "what is" },
        { "type": "image_url", "image_url": { "url": "https://host/cat.png" } },
    ]);
    check(vec![Message::new(Role::User, parts)], json!([{ "role": "user", "content": content }]));
    check(vec![Message::new(Role::User, vec![image()])], json!([{ "role": "user", "content": [content[1]] }]));
    let document = Part::Image(Image::at("data:application/pdf;base64,AAAA"));
    let file = json!({ "filename": "file.pdf", "file_data": "data:application/pdf;base64,AAAA" });
    check(
        vec![Message::new(Role::User, vec![document])],
        json!([{ "role": "user", "content": [{ "type": "file", "file": file }] }]),
    );
    let summary = Part::Summary(Summary { text: "they met".to_owned(), ..Summary::default() });
    check(
        vec![Message::new(Role::System, vec![summary])],
        json!([{ "role": "system", "content": "Summary of the conversation so far:\nthey met" }]),
    );
}

#[test]
fn parts_not_meant_for_the_model_are_not_sent() {
    let thought = Part::Reasoning(Reasoning { text: "hm".to_owned(), opaque: None });
    let mut parts = hidden().to_vec();
    parts.extend([thought.clone(), Part::text("It is "), thought.clone(), Part::text("3.")]);
    check(
        vec![Message::user("1 + 2"), assistant(vec![thought]), assistant(hidden().to_vec()), assistant(parts)],
        json!([{ "role": "user", "content": "1 + 2" }, { "role": "assistant", "content": "It is 3." }]),
    );
    check(vec![assistant(vec![Part::text("")]), Message::new(Role::User, hidden().to_vec())], json!([]));
}

#[test]
fn calls_and_results_are_paired_by_the_ids_the_provider_gave() {
    check(
        vec![
            assistant(vec![Part::text("Let me add."), call(0, "a", r#"{"x":1}"#), call(1, "b", "")]),
            Message::new(Role::Tool, vec![result(0, "1"), result(1, "")]),
        ],
        json!([
            { "role": "assistant", "content": "Let me add.", "tool_calls": [
                { "id": "a", "type": "function", "function": { "name": "add", "arguments": "{\"x\":1}" } },
                { "id": "b", "type": "function", "function": { "name": "add", "arguments": "{}" } },
            ] },
            { "role": "tool", "tool_call_id": "a", "content": "1" },
            { "role": "tool", "tool_call_id": "b", "content": "" },
        ]),
    );
}

#[test]
fn calls_that_share_an_id_are_distinguished() {
    let history = vec![
        assistant(vec![call(0, "same", "{}"), call(1, "same", "{}"), call(2, "", "{}")]),
        Message::new(Role::Tool, vec![result(0, "zero"), result(1, "one"), result(2, "two")]),
    ];
    let body = body(&request(history));
    let calls = body["messages"][0]["tool_calls"].as_array().unwrap();
    let sent: Vec<_> = calls.iter().map(|call| &call["id"]).collect();
    assert_eq!(sent, ["same", "same_1", "_2"]);
    let answered: Vec<_> = (1..=3).map(|at| &body["messages"][at]["tool_call_id"]).collect();
    assert_eq!(answered, sent);
    assert!(body["messages"][0].get("content").is_none(), "an answer of calls alone has no content");
}

#[test]
fn arguments_are_always_an_object_the_server_can_read() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    for (written, sent) in [
        (r#"{"a":1, "a":2}"#, r#"{"a":1, "a":2}"#),
        ("  \n", "{}"),
        (r#"{"a":"#, r#"{"not_a_json_object":"{\"a\":"}"#),
        ("{}{}", r#"{"not_a_json_object":"{}{}"}"#),
        ("[1]", r#"{"not_a_json_object":"[1]"}"#),
        (&deep, &json!({ "not_a_json_object": deep }).to_string()),
    ] {
        let body = body(&request([assistant(vec![call(0, "a", written)])]));
        assert_eq!(body["messages"][0]["tool_calls"][0]["function"]["arguments"], sent);
    }
}

#[test]
fn settings_are_sent_only_if_they_were_made() {
    let plain = body(&request([]));
    let expected = json!({
        "model": "small", "messages": [], "stream": true, "stream_options": { "include_usage": true },
    });
    assert_eq!(plain, expected);

    let tool = ToolDefinition::new("add", "Adds.", r#"{"type": "object"}"#).unwrap();
    let full = ChatRequest {
        instructions: Some("Be brief.".into()),
        tools: Arc::new([tool.clone(), tool]),
        params: Params {
            temperature: Some(0.7),
            max_tokens: Some(100),
            thinking: Some(Thinking::High),
            ..Params::default()
        },
        tool_choice: ToolChoice::None,
        ..request([Message::user("hi")])
    };
    let function = json!({ "type": "function", "function": {
        "name": "add", "description": "Adds.", "parameters": { "type": "object" },
    } });
    let sent = String::from_utf8(Wire::OpenaiChat.encode(
        &full,
        "small",
        &ModelProfile::default(),
        &vendor(OutputLimit::MaxTokens),
    ))
    .unwrap();
    assert!(sent.contains(r#""temperature":0.7"#), "{sent}");
    let sent: Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(sent["messages"][0], json!({ "role": "system", "content": "Be brief." }));
    assert_eq!(sent["tools"], json!([function, function]));
    assert_eq!(
        (&sent["tool_choice"], &sent["max_tokens"], &sent["reasoning_effort"]),
        (&json!("none"), &json!(100), &json!("high"))
    );

    let off =
        Params { temperature: Some(f32::NAN), max_tokens: None, thinking: Some(Thinking::Off), ..Params::default() };
    assert_eq!(body(&ChatRequest { params: off, ..request([]) }), expected);
}

#[test]
fn the_output_limit_has_the_field_name_of_the_server() {
    let params = Params { max_tokens: Some(100), ..Params::default() };
    let request = ChatRequest { params, ..request([]) };
    for (limit, sent, left_out) in [
        (OutputLimit::MaxTokens, "max_tokens", "max_completion_tokens"),
        (OutputLimit::MaxCompletionTokens, "max_completion_tokens", "max_tokens"),
    ] {
        let body: Value = serde_json::from_slice(&Wire::OpenaiChat.encode(
            &request,
            "small",
            &ModelProfile::default(),
            &vendor(limit),
        ))
        .unwrap();
        assert_eq!((&body[sent], &body[left_out]), (&json!(100), &Value::Null));
    }
}

#[test]
fn the_highest_effort_sent_to_openai_is_high() {
    let params = Params { thinking: Some(Thinking::Max), ..Params::default() };
    let request = ChatRequest { params, ..request([Message::user("hi")]) };
    for (wire, effort) in [(Wire::OpenaiChat, "/reasoning_effort"), (Wire::OpenaiResponses, "/reasoning/effort")] {
        let body = wire.encode(&request, "gpt-5", &known("openai", "gpt-5"), &Vendor::named(wire, "openai").unwrap());
        assert_eq!(serde_json::from_slice::<Value>(&body).unwrap().pointer(effort), Some(&json!("high")), "{wire:?}");
    }
}

#[test]
fn a_warm_request_is_the_same_bytes() {
    let history =
        [Message::user("1 + 2"), assistant(vec![call(0, "a", "{}")]), Message::new(Role::Tool, vec![result(0, "3")])];
    let request = request(history);
    let cold = Wire::OpenaiChat.encode(&request, "small", &ModelProfile::default(), &vendor(OutputLimit::MaxTokens));
    assert_eq!(
        Wire::OpenaiChat.encode(&request.clone(), "small", &ModelProfile::default(), &vendor(OutputLimit::MaxTokens)),
        cold
    );
}

#[test]
fn reasoning_goes_back_to_its_vendor_as_it_detailed_it() {
    let first = thought("Hm.", "llm.example", r#"[{"type":"reasoning.text","text":"Hm.","signature":"EqQB/+="}]"#);
    let second = thought("", "llm.example", r#"[{"type":"reasoning.encrypted","data":"gAAA"}]"#);
    let theirs = thought("So.", "openai", r#"[{"type":"reasoning.encrypted","data":"theirs"}]"#);
    check(
        vec![Message::user("1 + 2"), assistant(vec![first, theirs, Part::text("3."), second])],
        json!([
            { "role": "user", "content": "1 + 2" },
            { "role": "assistant", "content": "3.", "reasoning_details": [
                { "type": "reasoning.text", "text": "Hm.", "signature": "EqQB/+=" },
                { "type": "reasoning.encrypted", "data": "gAAA" },
            ] },
        ]),
    );
}

#[test]
fn reasoning_that_has_a_field_goes_back_in_it_between_calls_and_results_only() {
    let thought = |vendor: &str| thought("Hm.", vendor, "\"reasoning_content\"");
    let called = assistant(vec![thought("llm.example"), call(0, "a", "{}")]);
    let elsewhere = assistant(vec![thought("deepseek"), call(0, "a", "{}")]);
    let said = assistant(vec![thought("llm.example"), Part::text("3.")]);
    let sent = |message: Message| {
        body(&request([Message::user("1 + 2"), message]))["messages"][1]["reasoning_content"].clone()
    };
    assert_eq!([sent(called), sent(elsewhere), sent(said)], [json!("Hm."), Value::Null, Value::Null]);
}
