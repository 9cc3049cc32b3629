//! Checks the transcript in the body of a Messages request.

use serde_json::Value;
use turnkit_core::Role;

use super::declared::{check_tools, list};
use super::{Call, Checker, MessageContent, Problem, Violation};

/// Checks the messages and tools of a Messages request, either Anthropic's own or the variant with its version in the
/// body.
///
/// # Errors
/// Returns all violations, in order.
///
/// ```
/// use serde_json::json;
/// use turnkit_scripted::transcript::check_messages;
///
/// let said = json!({ "role": "user", "content": [{ "type": "text", "text": "hi" }] });
/// assert_eq!(check_messages(&json!({ "model": "m", "max_tokens": 9, "messages": [said] })), Ok(()));
/// ```
pub fn check_messages(body: &Value) -> Result<(), Vec<Violation>> {
    let mut checker = Checker::default();
    if body["model"].is_string() == body["anthropic_version"].is_string() {
        checker.violation(0, Problem::Shape("the request must have either model or anthropic_version".to_owned()));
    }
    if !body["max_tokens"].is_u64() {
        checker.violation(0, Problem::Shape("the request lacks max_tokens".to_owned()));
    }
    let own = list(&body["tools"]).iter().filter(|tool| tool.get("type").is_none());
    check_tools(&mut checker, own.map(|tool| (&tool["name"], &tool["input_schema"])));
    let mut previous = None;
    for (index, message) in list(&body["messages"]).iter().enumerate() {
        let role = message["role"].as_str();
        if role == previous {
            checker.violation(index, Problem::Shape("two messages of one role in a row".to_owned()));
        }
        previous = role;
        match said(index, message) {
            Ok(said) => said.iter().for_each(|said| checker.check(said)),
            Err(why) => checker.violation(index, Problem::Shape(why.to_owned())),
        }
    }
    checker.finish(true)
}

/// Converts a message. A user message yields one item per result, then one for the rest.
fn said(index: usize, message: &Value) -> Result<Vec<MessageContent>, &'static str> {
    let role = match message["role"].as_str() {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err("the role is neither user nor assistant"),
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (mut all, mut rest, mut calls) = (Vec::new(), 0, Vec::new());
    for block in list(&message["content"]) {
        match block["type"].as_str() {
            Some("tool_result") if role == Role::User && rest > 0 => return Err("a result after other content"),
            Some("tool_result") if role == Role::User => {
                let answers = Some(text(&block["tool_use_id"]).ok_or("a tool_result without tool_use_id")?);
                let (role, calls) = (Role::Tool, Vec::new());
                all.push(MessageContent {
                    message: index,
                    role,
                    has_content: true,
                    calls,
                    answers,
                    may_be_paused: false,
                });
            }
            Some("tool_use") if role == Role::Assistant => {
                let parts = || Some((text(&block["id"])?, text(&block["name"])?));
                let (id, name) = parts().ok_or("a tool_use lacks id or name")?;
                calls.push(Call { id, name, arguments: Some(block["input"].to_string()) });
            }
            Some(_) => rest += 1,
            None => return Err("a block without a type"),
        }
    }
    if rest > 0 || !calls.is_empty() || all.is_empty() {
        let blocks = list(&message["content"]).iter();
        let mut kinds = blocks.filter_map(|block| block["type"].as_str());
        let may_be_paused = kinds.any(|kind| matches!(kind, "server_tool_use" | "mcp_tool_use"));
        all.push(MessageContent { message: index, role, has_content: rest > 0, calls, answers: None, may_be_paused });
    }
    Ok(all)
}
