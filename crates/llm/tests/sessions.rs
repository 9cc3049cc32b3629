//! Replays recorded tool loops. With the recorded answers and results, the next request must match that of the recorded
//! client.
//!
//! The comparison covers the order, roles, ids, names, arguments and contents of calls and results, and the data sent
//! back to the vendor. It ignores JSON formatting, ids that the provider did not assign, messages before the loop or
//! stored at the provider, and the form of a result's content. A session with further differences is listed in
//! [`DIFFERENT`] with the reason; one that cannot be replayed is listed in [`UNSPOKEN`].
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read is a failing test")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use support::{buffered, recordings_root, streamed};
use turnkit_core::{
    ChatRequest, Entry, History, Message, Params, Part, Role, ToolCall, ToolChoice, ToolDefinition, ToolResult,
};
use turnkit_llm::Wire;
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::Vendor;
use turnkit_testkit::transcript::{check_chat_completions, check_generate_content, check_messages, check_responses};

/// Sessions whose recorded client behaved differently, with the difference.
const DIFFERENT: &[(&str, &str)] = &[(
    "session-gemini-test-google-streaming-tool-call-thought-4fe12c",
    "Gemini gave the call no id; the client made one of its own and sent it, we send none",
)];

/// Sessions over an unsupported wire, with its name.
const UNSPOKEN: [(&str, &str); 2] = [
    // Ollama's own API. Turnkit uses Ollama's Chat Completions API instead.
    ("session-ollama-streaming-tools-smoke-792102", "ollama-chat"),
    ("session-ollama-two-tools-nonstreaming-02aa67", "ollama-chat"),
];

/// The number of sessions that are compared.
const COMPARED: usize = 123;

/// A call or a result in a request, with its role if the wire has roles.
#[derive(Debug, PartialEq)]
enum Item {
    Call { role: Option<String>, id: Option<String>, name: String, arguments: Value },
    Result { role: Option<String>, id: Option<String>, content: Value },
}

impl Item {
    fn id(&self) -> &Option<String> {
        let (Self::Call { id, .. } | Self::Result { id, .. }) = self;
        id
    }

    fn id_mut(&mut self) -> &mut Option<String> {
        let (Self::Call { id, .. } | Self::Result { id, .. }) = self;
        id
    }
}

#[test]
fn the_next_request_of_a_recorded_loop_equals_the_recorded_one() {
    let Some(root) = recordings_root() else { return };
    let sessions: Vec<Value> = serde_json::from_slice(&fs::read(root.join("sessions.json")).unwrap()).unwrap();
    let (mut failed, mut unspoken) = (Vec::new(), Vec::new());
    let mut compared = 0;
    for session in &sessions {
        let (name, spoken) = (session["name"].as_str().unwrap(), session["dialect"].as_str().unwrap());
        let Some(wire) = Wire::named(spoken) else {
            unspoken.push((name, spoken));
            continue;
        };
        compared += 1;
        let known = DIFFERENT.iter().any(|(different, _)| *different == name);
        match (go_through(wire, &root.join(wire.name()), session), known) {
            (Err(why), false) => failed.push(format!("{name}: {why}")),
            (Ok(()), true) => failed.push(format!("{name}: listed as different, and is not")),
            _ => {}
        }
    }
    assert_eq!((compared, unspoken.as_slice()), (COMPARED, &UNSPOKEN[..]));
    assert!(failed.is_empty(), "{} of {compared} differ:\n{}", failed.len(), failed.join("\n"));
}

fn go_through(wire: Wire, root: &Path, session: &Value) -> Result<(), String> {
    let exchanges: Vec<PathBuf> =
        session["exchanges"].as_array().unwrap().iter().map(|name| root.join(name.as_str().unwrap())).collect();
    let results = session["tool_results"].as_array().unwrap();
    let mut history = History::of([Message::user("Go on.")]);
    let mut answers = String::new();
    for (step, (pair, results)) in (1..).zip(exchanges.windows(2).zip(results)) {
        let answer = decoded(wire, &pair[0], step)?;
        let results = Message::new(Role::Tool, answered(&answer, results.as_array().unwrap())?);
        history.push(Entry::new(answer));
        history.push(Entry::new(results));
        let recorded: Value = serde_json::from_slice(&fs::read(pair[1].join("request.json")).unwrap()).unwrap();
        let ours = encoded(wire, history.clone());
        answers.push_str(&same_alphabet(&fs::read_to_string(pair[0].join("response.body")).unwrap()));
        compare(wire, &ours, &recorded, &answers).map_err(|why| format!("step {step}: {why}"))?;
    }
    Ok(())
}

/// Returns the recorded answer as a message of the history.
fn decoded(wire: Wire, folder: &Path, step: u16) -> Result<Message, String> {
    let meta: Value = serde_json::from_slice(&fs::read(folder.join("meta.json")).unwrap()).unwrap();
    let body = fs::read(folder.join("response.body")).unwrap();
    let outcome = if meta["framing"] == "sse" { streamed(wire, [body.as_slice()]) } else { buffered(wire, &body) };
    let mut answer = outcome.map_err(|broken| format!("{:?}", broken.error))?;
    for part in &mut answer.parts {
        if let Part::ToolCall(call) = part {
            call.uid.step = step;
        }
    }
    Ok(Message::new(Role::Assistant, answer.parts))
}

/// Returns the recorded results of the answer's calls, in the order of the calls.
fn answered(answer: &Message, results: &[Value]) -> Result<Vec<Part>, String> {
    let mut left: Vec<&Value> = results.iter().collect();
    let mut answered = Vec::new();
    for call in answer.calls() {
        // Some clients generate their own ids.
        let is_named = |result: &&Value| result["name"] == call.name.as_str();
        let is_of = |result: &&Value| match result["id"].as_str() {
            Some(id) => id == call.provider_id,
            None => is_named(result),
        };
        let at = left
            .iter()
            .position(is_of)
            .or_else(|| left.iter().position(is_named))
            .ok_or_else(|| format!("no result of {call:?} in {results:?}"))?;
        answered.push(Part::ToolResult(result_of(call, left.remove(at))));
    }
    Ok(answered)
}

fn result_of(call: &ToolCall, recorded: &Value) -> ToolResult {
    let content = match &recorded["content"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    ToolResult::new(call.uid, call.name.clone(), content)
}

fn encoded(wire: Wire, history: History) -> Value {
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history,
        tools: Arc::new([ToolDefinition::new("any", "", r#"{"type":"object"}"#).unwrap()]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    };
    serde_json::from_slice(&wire.encode(
        &request,
        "model",
        &ModelProfile::default(),
        &Vendor::of(wire, "vendor.example"),
    ))
    .unwrap()
}

/// Compares a request with the recorded one. `answers` holds the bodies of the answers so far, which may contain
/// signatures.
fn compare(wire: Wire, ours: &Value, recorded: &Value, answers: &str) -> Result<(), String> {
    let (mut said, wanted) = (items(wire, ours), items(wire, recorded));
    paired(&said)?;
    let checked = match wire {
        Wire::OpenaiChat => check_chat_completions(ours),
        Wire::OpenaiResponses => check_responses(ours),
        Wire::Anthropic => check_messages(ours),
        Wire::Gemini => check_generate_content(ours),
    };
    checked.map_err(|violations| format!("{violations:?}"))?;
    // Some Gemini clients drop the ids that Gemini assigns.
    if wire == Wire::Gemini && wanted.iter().all(|item| item.id().is_none()) {
        said.iter_mut().for_each(|item| *item.id_mut() = None);
    }
    // Messages that the client stored at the provider are not in its request.
    let kept = recorded.get("previous_response_id").is_some_and(Value::is_string);
    let said: Vec<&Item> = said.iter().filter(|item| !kept || matches!(item, Item::Result { .. })).collect();
    let wanted: Vec<&Item> = wanted.iter().collect();
    let tail = &said[if kept { said.len().saturating_sub(wanted.len()) } else { 0 }..];
    if !wanted.ends_with(tail) {
        return Err(format!("{said:#?}\nexpected {wanted:#?}"));
    }
    let body = same_alphabet(&ours.to_string());
    let sent_back = signatures(recorded).into_iter().map(|signature| same_alphabet(&signature));
    let mut lost = sent_back.filter(|signature| answers.contains(signature) && !body.contains(signature));
    lost.next().map_or(Ok(()), |signature| Err(format!("{signature} is not sent back")))
}

/// Checks that every call has its result before any other message.
fn paired(items: &[Item]) -> Result<(), String> {
    let mut open = Vec::new();
    for item in items {
        match item {
            Item::Call { id, .. } => open.push(id),
            Item::Result { id, .. } if open.first() == Some(&id) => drop(open.remove(0)),
            Item::Result { .. } => return Err(format!("{item:?} belongs to none of {open:?}")),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("no results of {open:?}")) }
}

fn items(wire: Wire, body: &Value) -> Vec<Item> {
    match wire {
        Wire::OpenaiChat => list(&body["messages"]).iter().flat_map(chat_items).collect(),
        Wire::OpenaiResponses => list(&body["input"]).iter().filter_map(response_item).collect(),
        Wire::Anthropic => of_messages(&body["messages"], "content", block_item),
        Wire::Gemini => of_messages(&body["contents"], "parts", part_item),
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// Returns the items of messages that hold them in a list called `key`.
fn of_messages(messages: &Value, key: &str, item: fn(Option<String>, &Value) -> Option<Item>) -> Vec<Item> {
    let of_one = |message: &Value| {
        let role = word(&message["role"]);
        list(&message[key]).iter().filter_map(|part| item(role.clone(), part)).collect::<Vec<_>>()
    };
    list(messages).iter().flat_map(of_one).collect()
}

fn chat_items(message: &Value) -> Vec<Item> {
    let role = word(&message["role"]);
    if message["role"] == "tool" {
        return vec![Item::Result { role, id: word(&message["tool_call_id"]), content: text_of(&message["content"]) }];
    }
    let call =
        |call: &Value| self::call(role.clone(), &call["id"], &call["function"]["name"], &call["function"]["arguments"]);
    list(&message["tool_calls"]).iter().map(call).collect()
}

fn response_item(item: &Value) -> Option<Item> {
    let role = None;
    match item["type"].as_str()? {
        "function_call" => Some(call(role, &item["call_id"], &item["name"], &item["arguments"])),
        "function_call_output" => {
            Some(Item::Result { role, id: word(&item["call_id"]), content: text_of(&item["output"]) })
        }
        _ => None,
    }
}

fn block_item(role: Option<String>, block: &Value) -> Option<Item> {
    match block["type"].as_str()? {
        "tool_use" => Some(call(role, &block["id"], &block["name"], &block["input"])),
        "tool_result" => {
            Some(Item::Result { role, id: word(&block["tool_use_id"]), content: text_of(&block["content"]) })
        }
        _ => None,
    }
}

fn part_item(role: Option<String>, part: &Value) -> Option<Item> {
    let either = |camel: &str, snake: &str| part.get(camel).or_else(|| part.get(snake)).cloned();
    if let Some(found) = either("functionCall", "function_call") {
        return Some(call(role, &found["id"], &found["name"], &found["args"]));
    }
    let response = either("functionResponse", "function_response")?;
    Some(Item::Result { role, id: word(&response["id"]), content: text_of(&response["response"]) })
}

fn call(role: Option<String>, id: &Value, name: &Value, arguments: &Value) -> Item {
    let arguments = match arguments {
        Value::String(json) if json.is_empty() => json!({}),
        Value::String(json) => serde_json::from_str(json).unwrap_or_else(|_| json.clone().into()),
        Value::Null => json!({}),
        other => other.clone(),
    };
    Item::Call { role, id: word(id), name: word(name).unwrap_or_default(), arguments }
}

fn word(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Returns the content of a result, without any wrappers.
fn text_of(content: &Value) -> Value {
    match content {
        Value::String(text) => serde_json::from_str(text).map_or_else(|_| content.clone(), |value| text_of(&value)),
        Value::Array(parts) if parts.iter().all(|part| part["text"].is_string()) => {
            text_of(&parts.iter().filter_map(|part| part["text"].as_str()).collect::<String>().into())
        }
        Value::Object(object) if object.len() == 1 => object.values().next().map_or(Value::Null, text_of),
        other => other.clone(),
    }
}

/// Converts base64 of either alphabet to the standard one, because signatures use both.
fn same_alphabet(text: &str) -> String {
    text.replace('-', "+").replace('_', "/")
}

/// Returns the signatures that a client sends back to the vendor.
fn signatures(body: &Value) -> Vec<String> {
    const KEYS: [&str; 5] = ["signature", "thoughtSignature", "thought_signature", "encrypted_content", "data"];
    match body {
        Value::Array(list) => list.iter().flat_map(signatures).collect(),
        Value::Object(object) => {
            let own =
                object.iter().filter(|(key, _)| KEYS.contains(&key.as_str())).filter_map(|(_, value)| word(value));
            let inner = object.values().flat_map(signatures);
            own.filter(|signature| signature.len() > 16).chain(inner).collect()
        }
        _ => Vec::new(),
    }
}
