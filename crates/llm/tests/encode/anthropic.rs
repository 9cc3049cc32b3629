//! Tests the encoding for Anthropic's Messages.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{
    ChatRequest, Entry, Image, Mark, Message, Params, Part, ProviderTool, Role, Summary, Thinking, ToolChoice,
    ToolDefinition, ToolResult,
};
use turnkit_llm::wire::{Vendor, Wire};

use super::{assistant, call, hidden, image, known, made_by, request, result, thought};

const MODEL: &str = "claude-sonnet-4-5";

fn encoded(request: &ChatRequest, model: &str) -> String {
    let vendor = Vendor::of(Wire::Anthropic, "api.anthropic.com");
    String::from_utf8(Wire::Anthropic.encode(request, model, &known("anthropic", model), &vendor)).unwrap()
}

fn body(request: &ChatRequest) -> Value {
    serde_json::from_str(&encoded(request, MODEL)).unwrap()
}

/// Compares the messages of a body with `expected`, without the cache hint, which must be on the last block.
fn check(history: Vec<Message>, expected: Value) {
    let mut messages = body(&request(history))["messages"].take();
    if let Some(last) = messages.as_array_mut().unwrap().last_mut().filter(|last| last["role"] == "user") {
        let block = last["content"].as_array_mut().unwrap().last_mut().unwrap().as_object_mut().unwrap();
        assert_eq!(block.remove("cache_control"), Some(json!({ "type": "ephemeral" })));
    }
    assert_eq!(messages, expected);
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[test]
fn a_request_has_the_required_fields_and_cache_breakpoints() {
    let plain =
        encoded(&ChatRequest { instructions: Some("Be brief.".into()), ..request([Message::user("hi")]) }, MODEL);
    let expected = concat!(
        r#"{"model":"claude-sonnet-4-5","max_tokens":8192,"#,
        r#""system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"#,
        r#""messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}],"#,
        r#""stream":true}"#,
    );
    assert_eq!(plain, expected);
}

#[test]
fn roles_alternate_and_results_come_before_later_text() {
    let summary = Part::Summary(Summary { text: "they met".to_owned(), ..Summary::default() });
    check(
        vec![
            Message::new(Role::System, vec![summary]),
            Message::user("hi"),
            Message::user("there"),
            assistant(vec![Part::text("Let me add."), call(0, "toolu_0000000001", r#"{"x": 1}"#)]),
            assistant(vec![call(1, "toolu_0000000002", "")]),
            Message::new(Role::Tool, vec![result(1, "2")]),
            Message::user("well?"),
        ],
        json!([
            { "role": "user", "content": [
                text("Summary of the conversation so far:\nthey met"), text("hi"), text("there"),
            ] },
            { "role": "assistant", "content": [
                text("Let me add."),
                { "type": "tool_use", "id": "toolu_0000000001", "name": "add", "input": { "x": 1 } },
                { "type": "tool_use", "id": "toolu_0000000002", "name": "add", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_0000000002", "content": "2" }, text("well?"),
            ] },
        ]),
    );
}

#[test]
fn blank_parts_and_parts_not_meant_for_the_model_are_not_sent() {
    let mut parts = hidden().to_vec();
    parts.extend([Part::text(" \n"), Part::text("Yes."), Part::text("")]);
    check(
        vec![Message::user("1 + 2"), assistant(hidden().to_vec()), assistant(parts), Message::user("")],
        json!([{ "role": "user", "content": [text("1 + 2")] }, { "role": "assistant", "content": [text("Yes.")] }]),
    );
}

#[test]
fn thinking_goes_back_byte_for_byte_only_to_its_vendor() {
    let redacted = r#"{"type":"redacted_thinking","data":"Em+/="}"#;
    let theirs = thought("Hm.", "openai", r#"{"type":"reasoning","encrypted_content":"gAAA"}"#);
    check(
        vec![
            Message::user("1 + 2"),
            assistant(vec![
                thought("I \"add\".", "anthropic", r#""EqQB/+=""#),
                thought("", "anthropic", redacted),
                theirs,
                Part::text("3"),
            ]),
        ],
        json!([
            { "role": "user", "content": [text("1 + 2")] },
            { "role": "assistant", "content": [
                { "type": "thinking", "thinking": "I \"add\".", "signature": "EqQB/+=" },
                { "type": "redacted_thinking", "data": "Em+/=" },
                text("3"),
            ] },
        ]),
    );
}

/// Returns a block of the provider.
fn block(kind: &str, id: &str) -> Part {
    block_of("anthropic", kind, id)
}

fn block_of(vendor: &str, kind: &str, id: &str) -> Part {
    let key = if kind.ends_with("_result") { "tool_use_id" } else { "id" };
    let opaque = Some(made_by(vendor, &json!({ "type": kind, key: id }).to_string()));
    Part::ProviderTool(ProviderTool { provider_id: id.to_owned(), name: kind.to_owned(), input: String::new(), opaque })
}

fn used(id: &str) -> Part {
    block("server_tool_use", id)
}

fn found(id: &str) -> Part {
    block("web_search_tool_result", id)
}

/// Returns the assistant blocks that a request sends: ids, or texts.
fn answers(request: &ChatRequest) -> Vec<String> {
    let messages = body(request)["messages"].take();
    let answers = messages.as_array().unwrap().iter().filter(|message| message["role"] == "assistant");
    let blocks = answers.flat_map(|message| message["content"].as_array().unwrap());
    let kept = ["id", "tool_use_id", "text"];
    blocks.map(|block| kept.iter().find_map(|key| block[key].as_str()).unwrap().to_owned()).collect()
}

type Answered<'a> = (&'a str, Vec<Message>, &'a [&'a str]);

fn marked(mark: Mark, parts: Vec<Part>) -> Message {
    Message { mark: Some(mark), ..assistant(parts) }
}

/// Answers of ended turns, and the blocks of them that later requests send.
fn answered() -> Vec<Answered<'static>> {
    let cats = || Part::text("Cats.");
    vec![
        ("whole", vec![assistant(vec![used("s1"), found("s1"), cats()])], &["s1", "s1", "Cats."]),
        ("broken off", vec![marked(Mark::Interrupted, vec![cats(), used("s1")])], &["Cats."]),
        ("paused, then cancelled or failed", vec![assistant(vec![cats(), used("s1")])], &["Cats."]),
        (
            "paused, then broken off before the result",
            vec![assistant(vec![used("s1")]), marked(Mark::Interrupted, vec![cats()])],
            &["Cats."],
        ),
        (
            "paused, then cancelled before the result",
            vec![assistant(vec![used("s1")]), marked(Mark::Cancelled, vec![cats()])],
            &["Cats."],
        ),
        (
            "paused, then continued",
            vec![assistant(vec![used("s1")]), assistant(vec![found("s1"), cats()])],
            &["s1", "s1", "Cats."],
        ),
        (
            "paused, then broken off after the result",
            vec![assistant(vec![used("s1")]), marked(Mark::Interrupted, vec![found("s1"), cats()])],
            &["s1", "s1", "Cats."],
        ),
        (
            "paused twice, then broken off after the result",
            vec![
                assistant(vec![used("s1")]),
                assistant(vec![Part::text("Hm.")]),
                marked(Mark::Interrupted, vec![found("s1"), cats()]),
            ],
            &["s1", "Hm.", "s1", "Cats."],
        ),
        (
            "paused twice, then broken off before the second result",
            vec![
                assistant(vec![used("s1"), used("s2")]),
                assistant(vec![found("s2"), used("s3")]),
                marked(Mark::Interrupted, vec![found("s1"), cats()]),
            ],
            &["s1", "s2", "s2", "s1", "Cats."],
        ),
        (
            "blocks that stand alone",
            vec![assistant(vec![block("container_upload", "u1"), block_of("openai", "server_tool_use", "o1")])],
            &["u1"],
        ),
    ]
}

#[test]
fn tools_of_the_provider_go_back_in_pairs() {
    for (name, answer, expected) in answered() {
        let history = [vec![Message::user("cats")], answer, vec![Message::user("more")]].concat();
        assert_eq!(answers(&request(history)), expected, "{name}");
    }
}

#[test]
fn a_paused_answer_goes_back_with_its_tool_to_be_continued() {
    let history = [Message::user("cats"), assistant(vec![Part::text("Hm."), used("s1")])];
    assert_eq!(answers(&request(history.clone())), ["Hm.", "s1"]);
    let mut request = request(history);
    request.history.push(Entry::new(assistant(vec![used("s2")])));
    assert_eq!(answers(&request), ["Hm.", "s1", "s2"]);
    // The turn ends before the results.
    request.history.push(Entry::new(Message::user("dogs?")));
    assert_eq!(answers(&request), ["Hm."]);
}

#[test]
fn tools_of_the_provider_go_back_in_pairs_where_tools_are_turned_off_and_on_again() {
    for (name, answer, expected) in answered() {
        let calls =
            [assistant(vec![call(0, "toolu_0000000001", "{}")]), Message::new(Role::Tool, vec![result(0, "3")])];
        let first = [vec![Message::user("1 + 2")], calls.to_vec(), vec![assistant(vec![Part::text("3")])]].concat();
        let history = [first, vec![Message::user("cats")], answer, vec![Message::user("more")]].concat();
        let on = request(history);
        let off = ChatRequest { tools: Arc::new([]), ..on.clone() };
        assert_eq!(answers(&off), [&["3"], expected].concat(), "{name}, off");
        assert_eq!(answers(&on), [&["toolu_0000000001", "3"], expected].concat(), "{name}, on");
    }
}

#[test]
fn ids_that_another_answer_may_repeat_are_made_unique() {
    let history = [
        Message::user("hi"),
        assistant(vec![call(0, "call_0", "{}"), call(1, "functions.add:0", "{}"), call(2, "toolu_0000000001", "{}")]),
        Message::new(Role::Tool, vec![result(0, "a"), result(1, "b"), result(2, "c")]),
    ];
    let body = body(&request(history));
    let ids = |message: usize, key: &str| -> Vec<String> {
        let blocks = body["messages"][message]["content"].as_array().unwrap();
        blocks.iter().map(|block| block[key].as_str().unwrap().to_owned()).collect()
    };
    let turn = "00000000000000000000000000000000";
    let expected = [format!("call_{turn}_1_0"), format!("call_{turn}_1_1"), "toolu_0000000001".to_owned()];
    assert_eq!(ids(1, "id"), expected);
    assert_eq!(ids(2, "tool_use_id"), expected);
}

#[test]
fn pictures_documents_and_failed_results_have_their_form() {
    let parts = vec![
        image(),
        Part::Image(Image::at("data:image/png;base64,AAAA")),
        Part::Image(Image::at("data:application/pdf;base64,BBBB")),
    ];
    let Part::ToolResult(failed) = result(0, "no such city") else { unreachable!() };
    let failed = Part::ToolResult(ToolResult { ok: false, ..failed });
    check(
        vec![
            Message::new(Role::User, parts),
            assistant(vec![call(0, "toolu_0000000001", "{}")]),
            Message::new(Role::Tool, vec![failed]),
        ],
        json!([
            { "role": "user", "content": [
                { "type": "image", "source": { "type": "url", "url": "https://host/cat.png" } },
                { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AAAA" } },
                { "type": "document", "source": { "type": "base64", "media_type": "application/pdf", "data": "BBBB" } },
            ] },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "toolu_0000000001", "name": "add", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_0000000001", "content": r#"{"error":"no such city","code":"EXECUTION_ERROR","retryable":false}"#, "is_error": true },
            ] },
        ]),
    );
}

#[test]
fn tools_and_settings_have_their_form() {
    let tool = ToolDefinition::new("add", "Adds.", r#"{"type": "object"}"#).unwrap();
    let full = ChatRequest {
        tools: Arc::new([tool]),
        params: Params { temperature: Some(0.5), max_tokens: Some(100), thinking: None, ..Params::default() },
        tool_choice: ToolChoice::None,
        ..request([Message::user("hi")])
    };
    let sent = body(&full);
    assert_eq!(sent["tools"], json!([{ "name": "add", "description": "Adds.", "input_schema": { "type": "object" } }]));
    assert_eq!(sent["tool_choice"], json!({ "type": "none" }));
    assert_eq!((&sent["temperature"], &sent["max_tokens"]), (&json!(0.5), &json!(100)));
    assert_eq!(sent.get("thinking"), None);
}

#[test]
fn thinking_has_the_form_the_model_knows_and_leaves_room_for_the_answer() {
    let sent = |model: &str, max_tokens: Option<u32>, level: Thinking| -> Value {
        let params = Params { temperature: Some(0.5), max_tokens, thinking: Some(level), ..Params::default() };
        let request = ChatRequest { params, ..request([Message::user("hi")]) };
        let body: Value = serde_json::from_str(&encoded(&request, model)).unwrap();
        json!([body["max_tokens"], body["thinking"], body["output_config"], body["temperature"]])
    };
    let budget = |tokens: u32| json!({ "type": "enabled", "budget_tokens": tokens });
    let adaptive = || json!({ "type": "adaptive" });
    for (model, max_tokens, level, expected) in [
        (MODEL, None, Thinking::Off, json!([8192, null, null, 0.5])),
        (MODEL, None, Thinking::Low, json!([8192 + 2048, budget(2048), null, null])),
        (MODEL, Some(10_000), Thinking::High, json!([10_000, budget(5_000), null, null])),
        (MODEL, Some(1_000), Thinking::High, json!([1_000, null, null, 0.5])),
        (MODEL, None, Thinking::Max, json!([64_000, budget(64_000 - 8192), null, null])),
        (MODEL, Some(10_000), Thinking::Max, json!([10_000, budget(5_000), null, null])),
        ("claude-opus-4-1", None, Thinking::High, json!([32_000, budget(32_000 - 8192), null, null])),
        ("claude-3-haiku-20240307", None, Thinking::High, json!([4096, null, null, 0.5])),
        ("claude-3-5-haiku-latest", None, Thinking::High, json!([8192, null, null, 0.5])),
        ("claude-opus-4-7", None, Thinking::Max, json!([8192, adaptive(), { "effort": "max" }, null])),
        ("claude-opus-4-7", None, Thinking::High, json!([8192, adaptive(), { "effort": "high" }, null])),
        ("claude-opus-4-7", Some(100), Thinking::Off, json!([100, null, null, null])),
    ] {
        assert_eq!(sent(model, max_tokens, level), expected, "{model} {max_tokens:?} {level:?}");
    }
}

#[test]
fn a_model_does_not_think_between_calls_of_another_vendor_and_their_results() {
    let thinks = |thought: Option<Part>| {
        let mut parts: Vec<Part> = thought.into_iter().collect();
        parts.push(call(0, "toolu_0000000001", "{}"));
        let history = [Message::user("hi"), assistant(parts), Message::new(Role::Tool, vec![result(0, "1")])];
        let params = Params { thinking: Some(Thinking::Low), ..Params::default() };
        body(&ChatRequest { params, ..request(history) }).get("thinking").is_some()
    };
    assert!(thinks(Some(thought("", "anthropic", "\"EqQB\""))));
    assert!(!thinks(Some(thought("", "google", "\"EqQB\""))));
    assert!(!thinks(None));
}
