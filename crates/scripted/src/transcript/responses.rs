//! Checks the transcript in the body of a Responses request.

use serde_json::Value;
use turnkit_core::Role;

use super::declared::{check_tools, list};
use super::{Call, Checker, MessageContent, Problem, Violation};

/// Checks the input and tools of a Responses request.
///
/// # Errors
/// Returns all violations, in order. Messages are numbered by their items in the input.
///
/// ```
/// use serde_json::json;
/// use turnkit_scripted::transcript::check_responses;
///
/// let said = json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] });
/// assert_eq!(check_responses(&json!({ "model": "m", "input": [said] })), Ok(()));
/// ```
pub fn check_responses(body: &Value) -> Result<(), Vec<Violation>> {
    let mut checker = Checker::default();
    if !body["model"].is_string() {
        checker.violation(0, Problem::Shape("the request names no model".to_owned()));
    }
    let functions = list(&body["tools"]).iter().filter(|tool| tool["type"] == "function");
    check_tools(&mut checker, functions.map(|tool| (&tool["name"], &tool["parameters"])));
    // The text and calls of one answer are spread over several items.
    let mut answer: Option<MessageContent> = None;
    for (index, item) in list(&body["input"]).iter().enumerate() {
        match said(index, item) {
            Err(why) => checker.violation(index, Problem::Shape(why.to_owned())),
            Ok(said) if said.role == Role::Assistant => match &mut answer {
                Some(answer) => {
                    answer.has_content |= said.has_content;
                    answer.calls.extend(said.calls);
                }
                None => answer = Some(said),
            },
            Ok(said) => {
                if let Some(answer) = answer.take() {
                    checker.check(&answer);
                }
                checker.check(&said);
            }
        }
    }
    if let Some(answer) = answer {
        checker.check(&answer);
    }
    checker.finish(true)
}

fn said(index: usize, item: &Value) -> Result<MessageContent, &'static str> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let said = |role, has_content, calls, answers| MessageContent {
        message: index,
        role,
        has_content,
        calls,
        answers,
        may_be_paused: false,
    };
    match item["type"].as_str() {
        Some("message") => {
            let role = match item["role"].as_str() {
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                Some("system" | "developer") => Role::System,
                _ => return Err("the role is none of system, developer, user, assistant"),
            };
            Ok(said(role, !list(&item["content"]).is_empty(), Vec::new(), None))
        }
        Some("function_call") => {
            let parts = || Some((text(&item["call_id"])?, text(&item["name"])?, text(&item["arguments"])?));
            let (id, name, arguments) = parts().ok_or("a function_call lacks call_id, name or arguments")?;
            Ok(said(Role::Assistant, true, vec![Call { id, name, arguments: Some(arguments) }], None))
        }
        Some("function_call_output") => {
            let id = text(&item["call_id"]).ok_or("a function_call_output without call_id")?;
            Ok(said(Role::Tool, true, Vec::new(), Some(id)))
        }
        Some(_) => Ok(said(Role::Assistant, true, Vec::new(), None)),
        None => Err("an item without a type"),
    }
}
