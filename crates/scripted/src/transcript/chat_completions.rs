//! Checks the transcript in the body of a Chat Completions request.

use serde_json::Value;
use turnkit_core::Role;

use super::{Call, Checker, MessageContent, Problem, Violation, is_legal_name};

/// Checks the messages and tools of a Chat Completions request.
///
/// # Errors
/// Returns all violations, in order.
///
/// ```
/// use serde_json::json;
/// use turnkit_scripted::transcript::check_chat_completions;
///
/// let body = json!({ "model": "m", "messages": [{ "role": "user", "content": "hi" }] });
/// assert_eq!(check_chat_completions(&body), Ok(()));
/// ```
pub fn check_chat_completions(body: &Value) -> Result<(), Vec<Violation>> {
    let mut checker = Checker::default();
    if !body["model"].is_string() {
        checker.violation(0, Problem::Shape("the request names no model".to_owned()));
    }
    for problem in tool_problems(&body["tools"]) {
        checker.violation(0, problem);
    }
    let messages = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, message) in messages.iter().enumerate() {
        match said(index, message) {
            Ok(said) => checker.check(&said),
            Err(why) => checker.violation(index, Problem::Shape(why.to_owned())),
        }
    }
    checker.finish(true)
}

fn said(index: usize, message: &Value) -> Result<MessageContent, &'static str> {
    let role = match message["role"].as_str() {
        Some("system" | "developer") => Role::System,
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        Some("tool") => Role::Tool,
        _ => return Err("the role is none of system, developer, user, assistant, tool"),
    };
    let answers =
        message.get("tool_call_id").map(|id| id.as_str().ok_or("tool_call_id is not a string")).transpose()?;
    if role == Role::Tool && answers.is_none() {
        return Err("a tool message without tool_call_id");
    }
    let calls = match message.get("tool_calls") {
        None => Vec::new(),
        Some(_) if role != Role::Assistant => return Err("tool_calls of a message that is not the assistant's"),
        Some(calls) => {
            let calls =
                calls.as_array().filter(|calls| !calls.is_empty()).ok_or("tool_calls is not a list of calls")?;
            calls.iter().map(call).collect::<Option<_>>().ok_or("a tool call lacks id, type, name or arguments")?
        }
    };
    let has_content = match &message["content"] {
        // The content of a tool message may be empty, but must be present.
        Value::String(text) => !text.is_empty() || role == Role::Tool,
        Value::Array(parts) => !parts.is_empty() && parts.iter().all(|part| part["type"].is_string()),
        Value::Null => false,
        _ => return Err("content is neither text nor parts"),
    };
    Ok(MessageContent {
        message: index,
        role,
        has_content,
        calls,
        answers: answers.map(str::to_owned),
        may_be_paused: false,
    })
}

fn call(call: &Value) -> Option<Call> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let id = text(&call["id"]).filter(|id| !id.is_empty())?;
    let function = Some(&call["function"]).filter(|_| call["type"] == "function")?;
    Some(Call { id, name: text(&function["name"])?, arguments: Some(text(&function["arguments"])?) })
}

fn tool_problems(tools: &Value) -> Vec<Problem> {
    let shape = |why: &str| Problem::Shape(why.to_owned());
    let tools = match tools {
        Value::Null => return Vec::new(),
        Value::Array(tools) if !tools.is_empty() => tools,
        _ => return vec![shape("tools is not a list of tools")],
    };
    let mut names: Vec<&str> = Vec::new();
    let mut problems = Vec::new();
    for tool in tools {
        let name = tool["function"]["name"].as_str().unwrap_or_default();
        if !is_legal_name(name) {
            problems.push(Problem::IllegalName(name.to_owned()));
        }
        if names.contains(&name) {
            problems.push(shape("two tools with one name"));
        }
        if tool["type"] != "function" || !tool["function"]["parameters"].is_object() {
            problems.push(shape("a tool is not a function with parameters"));
        }
        names.push(name);
    }
    problems
}
