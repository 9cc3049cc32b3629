//! Recorded exchanges with real providers, decoded and compared with what a plain whole-body reader found in them.
//!
//! The recordings are not part of the repository: they are read from `TURNKIT_FIXTURES`, or from `../shared/fixtures`
//! beside the workspace. Without them the test says that it is skipped.
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read is a failing test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{Outcome, buffered, streamed};
use turnkit_core::{Answer, FinishReason, Part, ProviderErrorKind};
use turnkit_llm::wire::openai_chat::{ErrorResponse, classify};

fn recordings() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "where the recordings are is a matter of the machine")]
    let configured = std::env::var("TURNKIT_FIXTURES").ok().map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures");
    Some(configured.unwrap_or(beside).join("providers/openai-chat")).filter(|path| path.is_dir())
}

#[test]
fn recorded_answers_mean_what_they_say() {
    let Some(recordings) = recordings() else {
        println!("SKIPPED: no recordings found; set TURNKIT_FIXTURES to the folder that holds providers/openai-chat");
        return;
    };
    let mut names: Vec<_> = fs::read_dir(&recordings).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let compared = names.iter().map(|name| (name, compare(&recordings.join(name))));
    let differences: Vec<_> =
        compared.filter_map(|(name, found)| Some(format!("{}: {}", name.display(), found.err()?))).collect();
    assert!(!names.is_empty(), "{} is empty", recordings.display());
    assert!(differences.is_empty(), "{} of {} differ:\n{}", differences.len(), names.len(), differences.join("\n"));
}

fn compare(folder: &Path) -> Result<(), String> {
    let json = |file: &str| -> Value { serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap() };
    let (meta, expected) = (json("meta.json"), json("expected.json"));
    let body = fs::read(folder.join("response.body")).unwrap();
    let status = u16::try_from(meta["status"].as_u64().unwrap()).unwrap();
    if status >= 400 {
        let error = classify(&ErrorResponse { status, retry_after: None, body: &body });
        let message = expected["error"]["message"].as_str().unwrap_or_default();
        let hidden = matches!(error.kind, ProviderErrorKind::Auth | ProviderErrorKind::KeyInvalid);
        return agree("message", hidden || error.message.contains(message), &error.message, &message);
    }
    let outcome = match meta["framing"].as_str() {
        Some("sse") => streamed([body.as_slice()]),
        _ => buffered(&body),
    };
    match expected["outcome"].as_str().unwrap() {
        "ok" => answer(&outcome.map_err(|broken| format!("{:?}", broken.error))?, &expected),
        wanted => failure(wanted, &outcome, &expected),
    }
}

fn failure(wanted: &str, outcome: &Outcome, expected: &Value) -> Result<(), String> {
    let Err(broken) = outcome else { return Err(format!("{wanted} became an answer")) };
    let support::Broken { error, partial } = broken.as_ref();
    agree("truncation", (wanted == "truncated") == (error.kind == ProviderErrorKind::Truncated), error, &wanted)?;
    agree("text", text(&partial.parts) == expected["text"], &text(&partial.parts), &expected["text"])?;
    agree("reasoning", reasoning(&partial.parts) == expected["reasoning"], &partial.parts, &expected["reasoning"])
}

fn answer(answer: &Answer, expected: &Value) -> Result<(), String> {
    // A refusal is what the model said.
    let said = format!("{}{}", expected["text"].as_str().unwrap(), expected["refusal"].as_str().unwrap());
    agree("text", answer.text() == said, &answer.text(), &said)?;
    let thought = reasoning(&answer.parts);
    agree("reasoning", thought == expected["reasoning"], &thought, &expected["reasoning"])?;
    let calls = calls(&answer.parts);
    agree("calls", calls == expected["tool_calls"], &calls, &expected["tool_calls"])?;
    agree("cut calls", answer.cut.is_empty(), &answer.cut, &"none")?;
    finish(answer, expected)?;
    usage(answer, expected)
}

fn text(parts: &[Part]) -> String {
    parts.iter().filter_map(Part::as_text).collect()
}

fn reasoning(parts: &[Part]) -> String {
    parts.iter().filter(|part| matches!(part, Part::Reasoning(_))).map(Part::streamed).collect()
}

fn calls(parts: &[Part]) -> Value {
    let call = |part: &Part| {
        let Part::ToolCall(call) = part else { return None };
        let arguments = call.arguments.json().ok().and_then(|json| json.read::<Value>().ok());
        Some(json!({
            "id": call.provider_id,
            "name": call.name,
            "kind": "function",
            "arguments_valid": arguments.is_some(),
            "arguments": arguments.unwrap_or_else(|| call.arguments.0.clone().into()),
        }))
    };
    parts.iter().filter_map(call).collect()
}

fn finish(answer: &Answer, expected: &Value) -> Result<(), String> {
    let wanted = match expected["finish_reason"].as_str() {
        Some("stop") | None if !expected["tool_calls"].as_array().unwrap().is_empty() => FinishReason::ToolCalls,
        Some("stop") | None if expected["refusal"] != "" => FinishReason::Refusal,
        Some("stop") | None => FinishReason::Stop,
        Some("length") => FinishReason::Length,
        Some("tool_calls") => FinishReason::ToolCalls,
        Some("content_filter") => FinishReason::ContentFilter,
        Some(other) => FinishReason::Other(other.into()),
    };
    agree("finish", answer.finish == wanted, &answer.finish, &wanted)
}

fn usage(answer: &Answer, expected: &Value) -> Result<(), String> {
    let (ours, theirs) = (&answer.usage, &expected["usage"]);
    if theirs["input"].is_null() && theirs["output"].is_null() {
        return agree("usage", ours.unmetered_calls == 1, ours, theirs);
    }
    let number = |name: &str| theirs[name].as_u64().unwrap_or(0);
    let input = ours.fresh + ours.cache_read + ours.cache_write;
    // Some vendors count reasoning beside the output, which shows in their total.
    let output =
        number("total").checked_sub(number("input")).filter(|&rest| rest == number("output") + number("reasoning"));
    let same = input == number("input")
        && ours.output == output.unwrap_or(number("output"))
        // Some vendors report more cached than sent, or more reasoning than output: ours stay inside the whole.
        && ours.cache_read == number("cache_read").min(number("input"))
        && ours.cache_write == number("cache_write")
        && ours.reasoning == number("reasoning").min(ours.output);
    agree("usage", same, ours, theirs)
}

fn agree(what: &str, same: bool, ours: &dyn std::fmt::Debug, theirs: &dyn std::fmt::Debug) -> Result<(), String> {
    if same { Ok(()) } else { Err(format!("{what}: {ours:?}, expected {theirs:?}")) }
}
