//! Tests the encoding for generateContent.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{
    ChatRequest, Image, Message, Params, Part, ProviderTool, Role, Summary, Text, Thinking, ToolCall, ToolChoice,
    ToolDefinition, ToolResult,
};
use turnkit_llm::wire::{Vendor, Wire};

use super::{assistant, call, hidden, image, known, made_by, request, result, thought};

const MODEL: &str = "gemini-2.5-flash";

fn encoded(request: &ChatRequest, model: &str) -> String {
    let vendor = Vendor::of(Wire::Gemini, "generativelanguage.googleapis.com");
    String::from_utf8(Wire::Gemini.encode(request, model, &known("gemini", model), &vendor)).unwrap()
}

fn body(request: &ChatRequest) -> Value {
    serde_json::from_str(&encoded(request, MODEL)).unwrap()
}

fn check(history: Vec<Message>, expected: Value) {
    assert_eq!(body(&request(history))["contents"], expected);
}

fn signed(part: Part, signature: &str) -> Part {
    let made = Some(made_by("google", signature));
    match part {
        Part::ToolCall(call) => Part::ToolCall(ToolCall { extras: made, ..call }),
        Part::Image(image) => Part::Image(Image { opaque: made, ..image }),
        Part::Text(text) => Part::Text(Text { opaque: made, ..text }),
        other => other,
    }
}

#[test]
fn the_model_is_named_in_the_address() {
    for (model, path) in [
        ("gemini-2.5-flash", "/models/gemini-2.5-flash:streamGenerateContent?alt=sse"),
        ("tunedModels/mine", "/tunedModels/mine:streamGenerateContent?alt=sse"),
    ] {
        assert_eq!(Wire::Gemini.path(model), path);
    }
    let request = ChatRequest { instructions: Some("Be brief.".into()), ..request([Message::user("hi")]) };
    let expected = r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"systemInstruction":{"parts":[{"text":"Be brief."}]}}"#;
    assert_eq!(encoded(&request, MODEL), expected);
}

#[test]
fn neighbours_of_one_role_are_one_content_and_results_stand_alone() {
    let summary = Part::Summary(Summary { text: "they met".to_owned(), ..Summary::default() });
    let Part::ToolResult(failed) = result(1, "no") else { unreachable!() };
    let failed = Part::ToolResult(ToolResult { ok: false, ..failed });
    check(
        vec![
            Message::new(Role::System, vec![summary]),
            Message::user("1 + 2"),
            assistant(vec![Part::text("Let me add."), call(0, "call_0", r#"{"x": 1}"#), call(1, "call_3091305", "")]),
            Message::new(Role::Tool, vec![result(0, "3"), failed]),
            Message::user("well?"),
        ],
        json!([
            { "role": "user", "parts": [
                { "text": "Summary of the conversation so far:\nthey met" }, { "text": "1 + 2" },
            ] },
            { "role": "model", "parts": [
                { "text": "Let me add." },
                { "functionCall": { "name": "add", "args": { "x": 1 } } },
                { "functionCall": { "id": "call_3091305", "name": "add", "args": {} } },
            ] },
            { "role": "user", "parts": [
                { "functionResponse": { "name": "add", "response": { "output": "3" } } },
                { "functionResponse": { "id": "call_3091305", "name": "add", "response": { "error": "no", "code": "EXECUTION_ERROR", "retryable": false } } },
            ] },
            { "role": "user", "parts": [{ "text": "well?" }] },
        ]),
    );
}

#[test]
fn signatures_go_back_on_the_part_they_came_with() {
    let code = Part::ProviderTool(ProviderTool {
        provider_id: String::new(),
        name: "code_execution".to_owned(),
        input: "1".to_owned(),
        opaque: Some(made_by("google", r#"{"executableCode":{"code":"1"},"thoughtSignature":"c"}"#)),
    });
    let theirs = thought("Hm.", "anthropic", "\"EqQB\"");
    check(
        vec![
            Message::user("hi"),
            assistant(vec![
                thought("Hm.", "google", "\"t\""),
                theirs,
                Part::text("One "),
                signed(Part::text("two"), "\"u\""),
                signed(Part::text(""), "\"v/+=\""),
                code,
                signed(image(), "\"i\""),
                signed(call(0, "call_0", "{}"), "\"f\""),
                call(1, "call_1", "{}"),
            ]),
        ],
        json!([
            { "role": "user", "parts": [{ "text": "hi" }] },
            { "role": "model", "parts": [
                { "thought": true, "text": "Hm.", "thoughtSignature": "t" },
                { "text": "One " },
                { "text": "two", "thoughtSignature": "u" },
                { "text": "", "thoughtSignature": "v/+=" },
                { "executableCode": { "code": "1" }, "thoughtSignature": "c" },
                { "fileData": { "mimeType": "image/png", "fileUri": "https://host/cat.png" }, "thoughtSignature": "i" },
                { "functionCall": { "name": "add", "args": {} }, "thoughtSignature": "f" },
                { "functionCall": { "name": "add", "args": {} } },
            ] },
        ]),
    );
}

#[test]
fn calls_of_another_vendor_are_excused_where_signatures_are_demanded() {
    let history = |part: Part| {
        let answer = assistant(vec![part, call(1, "call_1", "{}")]);
        request([Message::user("hi"), answer, Message::new(Role::Tool, vec![result(0, "1"), result(1, "2")])])
    };
    let signatures = |part: Part, model: &str| -> Vec<Value> {
        let body: Value = serde_json::from_str(&encoded(&history(part), model)).unwrap();
        let parts = body["contents"][1]["parts"].as_array().unwrap();
        parts.iter().map(|part| part["thoughtSignature"].clone()).collect()
    };
    let ours = signed(call(0, "call_0", "{}"), "\"f\"");
    let excused = json!("skip_thought_signature_validator");
    assert_eq!(signatures(call(0, "toolu_1", "{}"), "gemini-3-pro-preview"), [excused, Value::Null]);
    assert_eq!(signatures(ours, "gemini-3-pro-preview"), [json!("f"), Value::Null]);
    assert_eq!(signatures(call(0, "toolu_1", "{}"), MODEL), [Value::Null, Value::Null]);
}

#[test]
fn parts_not_meant_for_the_model_are_not_sent_and_images_are_encoded() {
    let picture = Part::Image(Image::at("data:image/png;base64,AAAA"));
    check(
        vec![Message::new(Role::User, vec![picture]), assistant(hidden().to_vec()), assistant(vec![Part::text("")])],
        json!([{ "role": "user", "parts": [{ "inlineData": { "mimeType": "image/png", "data": "AAAA" } }] }]),
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
    let declared = json!({ "name": "add", "description": "Adds.", "parametersJsonSchema": { "type": "object" } });
    assert_eq!(sent["tools"], json!([{ "functionDeclarations": [declared] }]));
    assert_eq!(sent["toolConfig"], json!({ "functionCallingConfig": { "mode": "NONE" } }));
    assert_eq!(sent["generationConfig"], json!({ "maxOutputTokens": 100, "temperature": 0.5 }));
}

#[test]
fn thinking_has_the_form_the_model_knows() {
    let sent = |model: &str, level: Thinking| -> Value {
        let params = Params { thinking: Some(level), ..Params::default() };
        let request = ChatRequest { params, ..request([Message::user("hi")]) };
        let mut body: Value = serde_json::from_str(&encoded(&request, model)).unwrap();
        body["generationConfig"]["thinkingConfig"].take()
    };
    for (model, level, expected) in [
        (MODEL, Thinking::Off, json!(null)),
        (MODEL, Thinking::Low, json!({ "includeThoughts": true, "thinkingBudget": 1024 })),
        (MODEL, Thinking::Max, json!({ "includeThoughts": true, "thinkingBudget": 24_576 })),
        ("gemini-2.5-pro", Thinking::Max, json!({ "includeThoughts": true, "thinkingBudget": 32_768 })),
        ("gemini-2.0-flash", Thinking::High, json!(null)),
        ("gemini-3-pro-preview", Thinking::Max, json!({ "includeThoughts": true, "thinkingLevel": "high" })),
        ("gemini-3-pro-preview", Thinking::High, json!({ "includeThoughts": true, "thinkingLevel": "high" })),
    ] {
        assert_eq!(sent(model, level), expected, "{model} {level:?}");
    }
}
