//! Tests the required format of an answer.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{ChatRequest, Message, OutputSchema, Params, Thinking, ToolDefinition};
use turnkit_llm::Wire;
use turnkit_llm::wire::Vendor;

use crate::{known, request};

const OPEN: &str = r#"{"type":"object","properties":{"name":{"type":"string"}}}"#;
const STRICT: &str =
    r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}"#;

fn shaped(schema: &str) -> ChatRequest {
    let output_schema = Some(Arc::new(OutputSchema::new("city", schema).unwrap()));
    let instructions = Some("Be brief.".into());
    ChatRequest {
        instructions,
        params: Params { output_schema, ..Params::default() },
        ..request([Message::user("hi")])
    }
}

fn body(wire: Wire, vendor: &str, model: &str, request: &ChatRequest) -> Value {
    let (profile, vendor) = (known(vendor, model), Vendor::named(wire, vendor).unwrap());
    serde_json::from_slice(&wire.encode(request, model, &profile, &vendor)).unwrap()
}

fn json(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap()
}

#[test]
fn each_wire_sends_the_schema_in_its_own_field() {
    for (schema, strict) in [(OPEN, false), (STRICT, true)] {
        let request = shaped(schema);
        let chat = body(Wire::OpenaiChat, "openai", "gpt-5", &request);
        let format =
            json!({"type": "json_schema", "json_schema": {"name": "city", "schema": json(schema), "strict": strict}});
        assert_eq!(chat["response_format"], format);

        let responses = body(Wire::OpenaiResponses, "openai", "gpt-5", &request);
        let format =
            json!({"format": {"type": "json_schema", "name": "city", "schema": json(schema), "strict": strict}});
        assert_eq!(responses["text"], format);

        let gemini = body(Wire::Gemini, "gemini", "gemini-2.5-flash", &request);
        let config = json!({"responseMimeType": "application/json", "responseJsonSchema": json(schema)});
        assert_eq!(gemini["generationConfig"], config);

        // Anthropic rejects objects that allow additional properties.
        let anthropic = body(Wire::Anthropic, "anthropic", "claude-sonnet-4-5", &request);
        let mut closed = json(schema);
        closed["additionalProperties"] = false.into();
        assert_eq!(anthropic["output_config"], json!({"format": {"type": "json_schema", "schema": closed}}));
    }
}

#[test]
fn a_shape_goes_with_an_effort() {
    let plain = shaped(STRICT);
    let params = Params { thinking: Some(Thinking::Low), ..plain.params };
    let body = body(Wire::Anthropic, "anthropic", "claude-opus-4-7", &ChatRequest { params, ..plain });
    assert_eq!(body["thinking"], json!({"type": "adaptive"}));
    let format = json!({"type": "json_schema", "schema": json(STRICT)});
    assert_eq!(body["output_config"], json!({"effort": "low", "format": format}));
}

#[test]
fn a_schema_that_cannot_be_enforced_is_described_in_the_instructions() {
    let tool = ToolDefinition::new("look", "Looks.", "{}").unwrap();
    let with_tools = || ChatRequest { tools: [tool.clone()].into(), ..shaped(OPEN) };
    let words = format!("Be brief.\n\nAnswer with nothing but a JSON object that fits this JSON Schema:\n{OPEN}");

    let deepseek = body(Wire::OpenaiChat, "deepseek", "deepseek-chat", &shaped(OPEN));
    assert_eq!(deepseek["messages"][0]["content"], words);
    assert_eq!(deepseek["response_format"], json!({"type": "json_object"}));

    for (vendor, model) in [("anthropic", "claude-3-5-haiku-latest"), ("vertex", "claude-sonnet-4-5"), ("ollama", "a")]
    {
        let anthropic = body(Wire::Anthropic, vendor, model, &shaped(OPEN));
        assert_eq!(
            (&anthropic["system"][0]["text"], &anthropic["output_config"]),
            (&json!(words), &Value::Null),
            "{vendor}"
        );
    }

    let map = r#"{"type":"object","additionalProperties":{"type":"number"}}"#;
    let told = body(Wire::Anthropic, "anthropic", "claude-sonnet-4-5", &shaped(map));
    assert!(told["system"][0]["text"].as_str().unwrap().ends_with(map), "what it would refuse: {told}");
    assert_eq!(told["output_config"], Value::Null);

    let gemini = body(Wire::Gemini, "gemini", "gemini-2.5-flash", &with_tools());
    assert_eq!(gemini["systemInstruction"]["parts"][0]["text"], words);
    assert_eq!(gemini["generationConfig"], Value::Null);
    let newer = body(Wire::Gemini, "gemini", "gemini-3-pro", &with_tools());
    assert_eq!(newer["generationConfig"]["responseJsonSchema"], json(OPEN));
}

#[test]
fn configured_fields_override_the_schema_which_moves_to_the_instructions() {
    for (wire, fields, path) in [
        (Wire::OpenaiChat, r#""response_format":{"type":"text"}"#, "/response_format/type"),
        (Wire::OpenaiResponses, r#""text":{"verbosity":"low"}"#, "/text/verbosity"),
    ] {
        let vendor = Vendor { more_fields: fields.into(), ..Vendor::named(wire, "openai").unwrap() };
        let body = wire.encode(&shaped(OPEN), "gpt-5", &known("openai", "gpt-5"), &vendor);
        let text = String::from_utf8(body.clone()).unwrap();
        assert_eq!(text.matches("json_schema").count(), 0, "{text}");
        assert_eq!(text.matches("fits this JSON Schema").count(), 1, "{text}");
        assert!(serde_json::from_slice::<Value>(&body).unwrap().pointer(path).is_some(), "{text}");
    }
}
