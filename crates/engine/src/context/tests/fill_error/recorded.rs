//! Compares the estimated sizes of recorded requests with their providers' counts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnkit_core::{ChatRequest, History, Message, ToolDefinition};

use super::{LIMIT, percentile};
use crate::context::{Fill, TokenRatios, tokens};

/// Members of a request that models do not read, or that do not count as text.
const UNREAD: [&str; 14] = [
    "type",
    "role",
    "id",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "data",
    "url",
    "image_url",
    "signature",
    "status",
    "media_type",
    "encrypted_content",
    "thoughtSignature",
];

#[test]
fn the_errors_of_recorded_requests_are_reported_per_model() {
    let Some(root) = recordings_root() else { return };
    let mut models: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for wire in ["anthropic", "gemini", "openai-chat", "openai-responses"] {
        let mut folders: Vec<_> = fs::read_dir(root.join(wire)).unwrap().map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for (model, ratio) in folders.iter().filter_map(|folder| counted_to_estimated(folder)) {
            models.entry(format!("{wire} {model}")).or_default().push(ratio);
        }
    }
    assert!(models.len() > 50, "{} models", models.len());
    println!("{:58} {:>8} {:>8} {:>8} {:>8}", "counted / estimated", "requests", "p10", "p50", "p90");
    for (model, mut ratios) in models {
        let [low, middle, high] = [10, 50, 90].map(|percent| percentile(&mut ratios, percent));
        println!("{model:58} {:>8} {low:>8.2} {middle:>8.2} {high:>8.2}", ratios.len());
    }
}

/// Returns the model of an exchange, and its ratio of counted to estimated tokens.
fn counted_to_estimated(folder: &Path) -> Option<(String, f64)> {
    let json = |file: &str| -> Value { serde_json::from_slice(&fs::read(folder.join(file)).unwrap()).unwrap() };
    let (body, meta, expected) = (json("request.json"), json("meta.json"), json("expected.json"));
    let usage = &expected["usage"];
    let count = |name: &str| usage[name].as_u64().unwrap_or_default();
    // One vendor's count excludes cached tokens.
    let cached = if folder.parent()?.ends_with("anthropic") { count("cache_read") + count("cache_write") } else { 0 };
    let counted = count("input") + cached;
    if expected["outcome"] != "ok" || counted == 0 || !is_complete(&body) {
        return None;
    }
    let path = meta["request"]["path"].as_str().unwrap_or_default();
    let of_path = || path.split_once("models/").map(|(_, rest)| rest.split(':').next().unwrap_or(rest));
    let model = body["model"].as_str().or_else(of_path).unwrap_or("unknown");
    let request = request(&body);
    let fill = Fill::new(&request, None, LIMIT, &TokenRatios::default());
    let estimated = fill.overhead + request.history.iter().map(|entry| tokens::of_entry(entry)).sum::<u64>();
    Some((model.to_owned(), counted as f64 / estimated as f64))
}

/// Reads the contents of a model request from the body of any wire.
fn request(body: &Value) -> ChatRequest {
    let member = |names: [&str; 3]| names.into_iter().map(|name| &body[name]).find(|value| !value.is_null());
    let instructions = member(["system", "instructions", "systemInstruction"]).map(|value| texts(value).into());
    let messages = match member(["messages", "contents", "input"]) {
        Some(Value::Array(messages)) => messages.iter().map(message).collect(),
        Some(message_or_text) => vec![message(message_or_text)],
        None => Vec::new(),
    };
    let tools = body["tools"].as_array().into_iter().flatten();
    let tools = tools.flat_map(|tool| match &tool["functionDeclarations"] {
        Value::Array(functions) => functions.iter().collect::<Vec<_>>(),
        _ if tool["function"].is_object() => vec![&tool["function"]],
        _ => vec![tool],
    });
    ChatRequest {
        instructions,
        history: History::of(messages),
        tools: tools.map(definition).collect(),
        ..ChatRequest::default()
    }
}

fn definition(tool: &Value) -> ToolDefinition {
    let text = |name: &str| tool[name].as_str().unwrap_or_default();
    let schemas = ["parameters", "input_schema", "parametersJsonSchema"].into_iter().map(|name| &tool[name]);
    let schema =
        schemas.into_iter().find(|schema| schema.is_object()).map_or_else(|| "{}".to_owned(), Value::to_string);
    ToolDefinition::new(text("name"), text("description"), &schema).unwrap()
}

fn message(message: &Value) -> Message {
    Message::user(texts(message))
}

/// Reports whether the body contains everything that the provider counted: texts and functions. Images, documents, the
/// provider's own tools and earlier responses have sizes that the body does not show.
fn is_complete(body: &Value) -> bool {
    let tools = body["tools"].as_array().into_iter().flatten();
    let has_schema = |tool: &Value| {
        let is_schema = |name: &str| tool[name].is_object();
        tool["function"].is_object()
            || tool["functionDeclarations"].is_array()
            || is_schema("parameters")
            || is_schema("input_schema")
    };
    let kept_elsewhere = ["previous_response_id", "prompt", "cachedContent", "plugins", "container"];
    body.is_object()
        && tools.into_iter().all(has_schema)
        && kept_elsewhere.iter().all(|name| body[name].is_null())
        && !has_files(body)
}

fn has_files(value: &Value) -> bool {
    let kinds = ["image", "image_url", "input_image", "document", "file", "input_file", "input_audio"];
    match value {
        Value::Array(values) => values.iter().any(has_files),
        Value::Object(members) => {
            let is_file = members.get("type").and_then(Value::as_str).is_some_and(|kind| kinds.contains(&kind));
            is_file
                || ["inlineData", "fileData"].iter().any(|name| members.contains_key(*name))
                || members.values().any(has_files)
        }
        _ => false,
    }
}

/// Concatenates all texts of a value. Call arguments that are objects are counted as JSON text.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(texts).collect(),
        Value::Object(members) => {
            let is_read = |name: &str| !UNREAD.contains(&name);
            let written = |name: &str| ["args", "arguments", "input", "response"].contains(&name);
            let members = members.iter().filter(|(name, _)| is_read(name));
            members
                .map(|(name, value)| if written(name) && value.is_object() { value.to_string() } else { texts(value) })
                .collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// Returns the folder of the recordings, which are not part of the repository.
fn recordings_root() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "where the recordings are is a matter of the machine")]
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let configured = variable("TURNKIT_FIXTURES").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures");
    let folder = configured.as_deref().unwrap_or(&beside);
    let found =
        [folder.join("providers"), folder.to_owned()].into_iter().find(|root| root.join("sessions.json").is_file());
    let must_be = configured.is_some() || variable("TURNKIT_CORPUS").is_some_and(|value| value == "require");
    assert!(found.is_some() || !must_be, "there are no recordings in {}: see TURNKIT_FIXTURES", folder.display());
    if found.is_none() {
        println!("SKIPPED: no recordings found; set TURNKIT_FIXTURES to the folder that holds providers/");
    }
    found
}
