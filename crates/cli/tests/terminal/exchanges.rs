//! `turnkit wire`: recorded answers and requests, without a provider.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Outcome, Place};

const REQUEST: &str = r#"{
  "model": "small",
  "instructions": "Be brief.",
  "history": [{"role": "user", "parts": [{"type": "text", "text": "hi"}]}],
  "tools": [{"name": "look.up", "parameters": {"anyOf": [{"properties": {"a": {}}}]}}]
}"#;

fn printed(outcome: &Outcome) -> Value {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    assert_eq!(outcome.stdout.lines().count(), 1);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[tokio::test]
async fn a_recorded_answer_is_decoded_to_one_json_object() {
    let place = Place::new();
    let call = json!({"index": 0, "id": "call_1", "function": {"name": "add", "arguments": "{\n \"a\": 1}"}});
    let chunk =
        json!({"choices": [{"delta": {"content": "\u{9b}31m", "tool_calls": [call]}, "finish_reason": "stop"}]});
    let usage = json!({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}});
    let stream = format!("data: {chunk}\n\ndata: {}\n\ndata: [DONE]\n\n", json!({"choices": [], "usage": usage}));
    place.write("response.body", &stream);
    let expected = json!({
        "outcome": "ok", "error_kind": null, "message": null, "status": 200, "text": "\u{9b}31m", "reasoning": "",
        "tool_calls": [{"id": "call_1", "name": "add", "arguments": {"a": 1}}], "finish_reason": "stop",
        "usage": {"input": 9, "output": 2, "reasoning": null, "cache_read": 4, "cache_write": null},
    });
    let words = ["wire", "decode", "--api", "openai-chat", "--status", "200"];
    let read = place.run(&[&words[..], &["response.body"]].concat()).await;
    assert_eq!(printed(&read), expected);
    assert!(!read.stdout.contains('\u{9b}'), "what a model says does not drive the terminal");
    let piped = place.pipe(&[&words[..], &["--stream", "-"]].concat(), &stream).await;
    assert_eq!(printed(&piped), expected);
}

#[tokio::test]
async fn reasoning_and_calls_in_the_text_are_found_if_configured() {
    let place = Place::new();
    let text = "<think>Hm.</think>Let me see.\n<tool_call>{\"name\":\"add\",\"arguments\":{\"a\":1}}</tool_call>";
    let answer = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).to_string();
    for (words, reasoning, calls) in [
        (&[][..], "", json!([])),
        (&["--think-tags", "paired"], "Hm.", json!([])),
        (&["--text-calls"], "", json!(["add"])),
        (&["--think-tags", "paired", "--text-calls"], "Hm.", json!(["add"])),
    ] {
        let words = [&["wire", "decode", "--api", "openai-chat"], words, &["-"]].concat();
        let printed = printed(&place.pipe(&words, &answer).await);
        let called: Vec<&Value> = printed["tool_calls"].as_array().unwrap().iter().map(|call| &call["name"]).collect();
        assert_eq!((&printed["reasoning"], json!(called)), (&json!(reasoning), calls), "{words:?}: {printed}");
        assert_eq!(printed["text"].as_str().unwrap().contains("<think>"), reasoning.is_empty(), "{words:?}: {printed}");
    }
}

#[tokio::test]
async fn a_failure_of_the_provider_is_decoded_too() {
    let place = Place::new();
    for (words, body, kind, status) in [
        (&["--status", "429"][..], r#"{"error":{"message":"slow down"}}"#, "rate_limited", json!(429)),
        (&["--stream"], "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", "truncated", Value::Null),
        (&["--buffered"], "data: {}\n\n", "bad_response", Value::Null),
        (&[], "\u{0}", "bad_response", Value::Null),
        (&[], "", "overloaded", Value::Null),
    ] {
        let words = [&["wire", "decode", "--api", "openai-chat"], words, &["-"]].concat();
        let printed = printed(&place.pipe(&words, body).await);
        assert_eq!((&printed["outcome"], &printed["error_kind"]), (&json!("error"), &json!(kind)), "{printed}");
        assert_eq!(printed["status"], status);
    }
}

#[tokio::test]
async fn a_request_is_encoded_as_its_provider_would_receive_it() {
    let place = Place::new();
    place.write("request.json", REQUEST);
    for (api, said, tool) in [
        ("openai-chat", "/messages/1/content", "/tools/0/function/parameters/type"),
        ("openai-responses", "/input/0/content/0/text", "/tools/0/parameters/type"),
        ("anthropic", "/messages/0/content/0/text", "/tools/0/input_schema/type"),
        ("gemini", "/contents/0/parts/0/text", "/tools/0/functionDeclarations/0/parametersJsonSchema/type"),
    ] {
        let body = printed(&place.run(&["wire", "encode", "--api", api, "request.json"]).await);
        assert_eq!(body.pointer(said), Some(&json!("hi")), "{body}");
        assert_eq!(body.pointer(tool), Some(&json!("object")), "{body}");
    }
    let groq = place.pipe(&["wire", "encode", "--api", "openai-chat", "--vendor", "groq", "-"], "{}").await;
    assert_eq!(printed(&groq)["messages"], json!([]));
}

#[tokio::test]
async fn an_error_in_a_request_names_its_field() {
    let place = Place::new();
    for (request, named) in [
        (
            r#"{"history":[{"role":"user","parts":[{"type":"text","txt":"hi"}]}]}"#,
            "history[0].parts[0]: missing field `text`",
        ),
        (r#"{"messages":[]}"#, "unknown field `messages`"),
        (r#"{"params":{"thinking":"much"}}"#, "params.thinking: unknown variant `much`"),
        (r#"{"params":{"max_token":1}}"#, "unknown field `max_token`"),
        (r#"{"params":{"output_schema":{"schema":[]}}}"#, "params.output_schema: schema: expected a JSON object"),
        (r#"{"tools":[{"name":"a"}]}"#, "tools[0]: missing field `parameters`"),
        ("{} {}", "trailing characters"),
    ] {
        let refused = place.pipe(&["wire", "encode", "--api", "gemini", "-"], request).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{request}");
        assert!(refused.stderr.contains(named), "{}", refused.stderr);
    }
}

#[tokio::test]
async fn a_missing_file_and_an_unknown_vendor_are_errors() {
    let place = Place::new();
    place.write("request.json", REQUEST);
    for (words, code, said) in [
        (&["decode", "--api", "gemini", "none"][..], 1, "cannot read none"),
        (&["encode", "--api", "gemini", "none"], 1, "cannot read none"),
        (&["decode", "--api", "ollama", "request.json"], 2, "possible values: openai-chat"),
        (&["encode", "--api", "gemini", "--vendor", "groq", "request.json"], 2, "no vendor `groq` that speaks gemini"),
    ] {
        let failed = place.run(&[&["wire"], words].concat()).await;
        assert_eq!((failed.code, failed.stdout.as_str()), (Some(code), ""), "{words:?}");
        assert!(failed.stderr.contains(said), "{}", failed.stderr);
    }
}

/// The example request in `--help` is a valid request.
#[tokio::test]
async fn the_request_in_the_help_is_valid() {
    let place = Place::new();
    let help = place.run(&["wire", "encode", "--help"]).await.stdout;
    let example = &help[help.find("\n  {\n").unwrap()..help.find("\n  }\n").unwrap() + 5];
    for api in ["openai-chat", "openai-responses", "anthropic", "gemini"] {
        printed(&place.pipe(&["wire", "encode", "--api", api, "-"], example).await);
    }
}

/// Decodes one fixture of each wire from the repository.
#[tokio::test]
async fn fixtures_are_read_by_the_binary() {
    let place = Place::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../llm/fixtures");
    for api in ["openai-chat", "openai-responses", "anthropic", "gemini"] {
        let mut folders: Vec<_> = fs::read_dir(fixtures.join(api.replace('-', "_"))).unwrap().flatten().collect();
        folders.sort_by_key(fs::DirEntry::file_name);
        for folder in folders.iter().step_by(7) {
            let bodies = ["response.sse", "response.json"].map(|name| folder.path().join(name));
            let body = bodies.iter().find(|body| body.exists()).unwrap();
            let expected: Value =
                serde_json::from_slice(&fs::read(folder.path().join("expected.json")).unwrap()).unwrap();
            let read = printed(&place.run(&["wire", "decode", "--api", api, body.to_str().unwrap()]).await);
            assert_eq!(read["outcome"] == "error", expected["error"].is_string(), "{}", folder.path().display());
        }
    }
}
