//! Requests depend on the facts in a model's profile, never on the model's name.

use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::{ChatRequest, Message, OutputSchema, Params, Role, Thinking, ToolDefinition};
use turnkit_llm::Wire;
use turnkit_llm::profile::{Capability, ModelProfile, ThinkingForm};
use turnkit_llm::wire::Vendor;

use super::{assistant, call, request, result};

/// Returns a request body for a model whose name reveals nothing.
fn body(wire: Wire, vendor: &str, profile: &ModelProfile, request: &ChatRequest) -> Value {
    serde_json::from_slice(&wire.encode(request, "small", profile, &Vendor::named(wire, vendor).unwrap())).unwrap()
}

fn thinks(level: Thinking) -> ChatRequest {
    let params = Params { thinking: Some(level), ..Params::default() };
    ChatRequest { params, ..request([Message::user("hi")]) }
}

fn budget() -> ModelProfile {
    ModelProfile { thinking_form: Some(ThinkingForm::Budget), ..ModelProfile::default() }
}

#[test]
fn claude_thinks_in_the_form_and_within_the_limits_of_its_profile() {
    let budget_of = |tokens: u32| json!({ "type": "enabled", "budget_tokens": tokens });
    let cannot = ModelProfile { capabilities: Some([Capability::Tools].into_iter().collect()), ..budget() };
    for (profile, level, max_tokens, thinking) in [
        (ModelProfile::default(), Thinking::Max, 8_192, json!({ "type": "adaptive" })),
        (ModelProfile { max_output: Some(4_096), ..ModelProfile::default() }, Thinking::Off, 4_096, Value::Null),
        (cannot, Thinking::High, 8_192, Value::Null),
        (budget(), Thinking::Low, 8_192 + 2_048, budget_of(2_048)),
        // The output limit is unknown.
        (budget(), Thinking::Max, 8_192 + 24_576, budget_of(24_576)),
        (ModelProfile { max_output: Some(16_000), ..budget() }, Thinking::Max, 16_000, budget_of(8_000)),
        (ModelProfile { max_thinking: Some(4_000), ..budget() }, Thinking::High, 8_192 + 4_000, budget_of(4_000)),
        (ModelProfile { max_output: Some(9_000), ..budget() }, Thinking::High, 9_000, budget_of(4_500)),
    ] {
        let sent = body(Wire::Anthropic, "anthropic", &profile, &thinks(level));
        assert_eq!((&sent["max_tokens"], &sent["thinking"]), (&json!(max_tokens), &thinking), "{profile:?}");
    }
}

#[test]
fn gemini_thinks_in_the_form_and_within_the_limits_of_its_profile() {
    let budget_of = |tokens: u32| json!({ "includeThoughts": true, "thinkingBudget": tokens });
    let cannot = ModelProfile { capabilities: Some([Capability::Tools].into_iter().collect()), ..budget() };
    for (profile, level, thinking) in [
        (ModelProfile::default(), Thinking::Max, json!({ "includeThoughts": true, "thinkingLevel": "high" })),
        (budget(), Thinking::Max, budget_of(24_576)),
        (ModelProfile { max_thinking: Some(4_000), ..budget() }, Thinking::Medium, budget_of(4_000)),
        (ModelProfile { max_thinking: Some(32_768), ..budget() }, Thinking::Max, budget_of(32_768)),
        (cannot, Thinking::High, Value::Null),
    ] {
        let sent = body(Wire::Gemini, "gemini", &profile, &thinks(level));
        assert_eq!(sent["generationConfig"]["thinkingConfig"], thinking, "{profile:?}");
    }
}

#[test]
fn a_schema_is_enforced_if_the_profile_supports_it() {
    let output_schema =
        Some(Arc::new(OutputSchema::new("city", r#"{"type":"object","properties":{"name":{}}}"#).unwrap()));
    let plain = ChatRequest { params: Params { output_schema, ..Params::default() }, ..request([Message::user("hi")]) };
    let tool = ToolDefinition::new("look", "Looks.", "{}").unwrap();
    let with_tools = ChatRequest { tools: Arc::new([tool]), ..plain.clone() };
    let incapable = ModelProfile { capabilities: Some([Capability::Tools].into_iter().collect()), ..budget() };
    let either_or = ModelProfile { structured_output_with_tools: Some(false), ..ModelProfile::default() };
    for (wire, vendor, shape) in [
        (Wire::Anthropic, "anthropic", "/output_config/format"),
        (Wire::Gemini, "gemini", "/generationConfig/responseJsonSchema"),
    ] {
        for (profile, request, is_held) in [
            (&ModelProfile::default(), &plain, true),
            (&ModelProfile::default(), &with_tools, true),
            (&incapable, &plain, false),
            (&either_or, &plain, true),
            (&either_or, &with_tools, false),
        ] {
            let sent = body(wire, vendor, profile, request);
            let in_words = sent.to_string().contains("fits this JSON Schema");
            assert_eq!((sent.pointer(shape).is_some(), in_words), (is_held, !is_held), "{sent}");
        }
    }
}

#[test]
fn a_missing_signature_is_replaced_unless_the_profile_requires_none() {
    let history = [
        Message::user("hi"),
        assistant(vec![call(0, "toolu_1", "{}")]),
        Message::new(Role::Tool, vec![result(0, "1")]),
    ];
    for (needs_signatures, is_excused) in [(None, true), (Some(true), true), (Some(false), false)] {
        let profile = ModelProfile { needs_signatures, ..ModelProfile::default() };
        let sent = body(Wire::Gemini, "gemini", &profile, &request(history.clone()));
        assert_eq!(sent.to_string().contains("skip_thought_signature_validator"), is_excused, "{needs_signatures:?}");
    }
}

#[test]
fn reasoning_is_requested_from_models_that_reason() {
    for (capabilities, is_asked) in
        [(None, true), (Some(Capability::Reasoning), true), (Some(Capability::Tools), false)]
    {
        let capabilities = capabilities.map(|capability| [capability].into_iter().collect());
        let profile = ModelProfile { capabilities, ..ModelProfile::default() };
        let sent = body(Wire::OpenaiResponses, "openai", &profile, &request([Message::user("hi")]));
        assert_eq!(sent.get("include").is_some(), is_asked, "{profile:?}");
    }
}
