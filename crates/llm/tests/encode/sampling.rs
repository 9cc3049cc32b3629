//! Tests where each wire writes sampling settings, and which ones are omitted for a model that does not support them.

use serde_json::{Value, json};
use turnkit_core::{ChatRequest, Message, Params, Thinking};
use turnkit_llm::Wire;
use turnkit_llm::profile::{Capability, ModelProfile};
use turnkit_llm::wire::Vendor;

use super::{known, request};

fn all() -> Params {
    Params {
        temperature: Some(0.2),
        max_tokens: Some(800),
        thinking: Some(Thinking::Low),
        stop: vec!["END".into(), "\n\n".into()],
        output_schema: None,
    }
}

fn body(wire: Wire, profile: &ModelProfile, params: Params) -> String {
    let request = ChatRequest { params, ..request([Message::user("hi")]) };
    String::from_utf8(wire.encode(&request, "small", profile, &Vendor::of(wire, "llm.example"))).unwrap()
}

#[test]
fn each_wire_writes_these_bytes_for_all_settings() {
    for (wire, expected) in [
        (
            Wire::OpenaiChat,
            concat!(
                r#"{"model":"small","messages":[{"role":"user","content":"hi"}],"stream":true,"#,
                r#""stream_options":{"include_usage":true},"max_tokens":800,"temperature":0.2,"#,
                r#""stop":["END","\n\n"],"reasoning_effort":"low"}"#,
            ),
        ),
        (
            Wire::OpenaiResponses,
            concat!(
                r#"{"model":"small","input":[{"type":"message","role":"user","#,
                r#""content":[{"type":"input_text","text":"hi"}]}],"store":false,"stream":true,"max_output_tokens":800,"#,
                r#""temperature":0.2,"reasoning":{"effort":"low","summary":"auto"},"#,
                r#""include":["reasoning.encrypted_content"]}"#,
            ),
        ),
        (
            // A model that thinks accepts no temperature over this wire.
            Wire::Anthropic,
            concat!(
                r#"{"model":"small","max_tokens":800,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"},"#,
                r#""stop_sequences":["END","\n\n"],"messages":[{"role":"user","content":[{"type":"text","text":"hi","#,
                r#""cache_control":{"type":"ephemeral"}}]}],"stream":true}"#,
            ),
        ),
        (
            Wire::Gemini,
            concat!(
                r#"{"contents":[{"role":"user","parts":[{"text":"hi"}]}],"generationConfig":{"maxOutputTokens":800,"#,
                r#""temperature":0.2,"stopSequences":["END","\n\n"],"#,
                r#""thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}}}"#,
            ),
        ),
    ] {
        assert_eq!(body(wire, &ModelProfile::default(), all()), expected);
    }
}

#[test]
fn an_unsupported_setting_is_omitted() {
    let no_temperature = ModelProfile { temperature: Some(false), ..ModelProfile::default() };
    let no_stop = ModelProfile { stop: Some(false), ..ModelProfile::default() };
    let capabilities = Some([Capability::Tools].into_iter().collect());
    let no_thinking = ModelProfile { capabilities, ..ModelProfile::default() };
    for wire in Wire::ALL {
        for (profile, without) in [
            (&no_temperature, Params { temperature: None, ..all() }),
            (&no_stop, Params { stop: Vec::new(), ..all() }),
            (&no_thinking, Params { thinking: None, ..all() }),
        ] {
            assert_eq!(body(wire, profile, all()), body(wire, profile, without), "{wire:?} {profile:?}");
        }
    }
    let sent: Value = serde_json::from_str(&body(Wire::OpenaiChat, &no_temperature, all())).unwrap();
    assert_eq!((sent.get("temperature"), &sent["stop"]), (None, &json!(["END", "\n\n"])));
}

#[test]
fn the_catalogue_knows_which_models_take_no_temperature_and_no_stop_sequences() {
    for (vendor, model, takes) in [
        ("openai", "gpt-4o", (None, None)),
        ("openai", "gpt-5-mini", (Some(false), Some(false))),
        ("openai", "gpt-5-chat-latest", (None, None)),
        ("openai", "gpt-5.1", (None, Some(false))),
        ("openai", "o1", (Some(false), None)),
        ("openrouter", "openai/o4-mini", (Some(false), Some(false))),
        ("anthropic", "claude-opus-4-5", (None, None)),
        ("anthropic", "claude-opus-4-7", (Some(false), None)),
        ("gemini", "gemini-2.5-flash", (None, None)),
    ] {
        let profile = known(vendor, model);
        assert_eq!((profile.temperature, profile.stop), takes, "{model}");
    }
}
