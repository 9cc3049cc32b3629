//! Checks the transcript in the body of a generateContent request.

use serde_json::Value;
use turnkit_core::Role;

use super::declared::{check_tools, list};
use super::{Call, Checker, MessageContent, Problem, Violation};

/// Checks the contents and tools of a generateContent request. Calls without an id are matched with results by name and
/// order.
///
/// # Errors
/// Returns all violations, in order.
///
/// ```
/// use serde_json::json;
/// use turnkit_scripted::transcript::check_generate_content;
///
/// let said = json!({ "role": "user", "parts": [{ "text": "hi" }] });
/// assert_eq!(check_generate_content(&json!({ "contents": [said] })), Ok(()));
/// ```
pub fn check_generate_content(body: &Value) -> Result<(), Vec<Violation>> {
    let mut checker = Checker::default();
    let declared = list(&body["tools"]).iter().flat_map(|tool| list(&tool["functionDeclarations"]));
    check_tools(&mut checker, declared.map(|tool| (&tool["name"], &tool["parametersJsonSchema"])));
    let mut previous = None;
    for (index, content) in list(&body["contents"]).iter().enumerate() {
        let results = list(&content["parts"]).iter().any(|part| part.get("functionResponse").is_some());
        let role = (content["role"].as_str(), results);
        if previous == Some(role) {
            checker.violation(index, Problem::Shape("two contents of one role in a row".to_owned()));
        }
        previous = Some(role);
        match said(index, content) {
            Ok(said) => said.iter().for_each(|said| checker.check(said)),
            Err(why) => checker.violation(index, Problem::Shape(why.to_owned())),
        }
    }
    checker.finish(true)
}

/// Converts a content: one item for each result, or one item for everything else.
fn said(index: usize, content: &Value) -> Result<Vec<MessageContent>, &'static str> {
    let role = match content["role"].as_str() {
        Some("user") => Role::User,
        Some("model") => Role::Assistant,
        _ => return Err("the role is neither user nor model"),
    };
    let (mut all, mut rest, mut calls) = (Vec::new(), 0, Vec::new());
    for part in list(&content["parts"]) {
        if let Some(result) = part.get("functionResponse") {
            let answers = Some(id(result, all.len())?);
            if !result["response"].is_object() {
                return Err("a functionResponse whose response is not an object");
            }
            all.push(MessageContent {
                message: index,
                role: Role::Tool,
                has_content: true,
                calls: Vec::new(),
                answers,
                may_be_paused: false,
            });
        } else if let Some(call) = part.get("functionCall") {
            let name = call["name"].as_str().unwrap_or_default().to_owned();
            calls.push(Call { id: id(call, calls.len())?, name, arguments: Some(call["args"].to_string()) });
        } else {
            rest += 1;
        }
    }
    if rest > 0 || !calls.is_empty() || all.is_empty() {
        all.push(MessageContent {
            message: index,
            role,
            has_content: rest > 0,
            calls,
            answers: None,
            may_be_paused: false,
        });
    }
    Ok(all)
}

/// Returns the id of a call or result, or one made from its name and place if it has none.
fn id(part: &Value, place: usize) -> Result<String, &'static str> {
    let name = part["name"].as_str().ok_or("a call or a result without a name")?;
    Ok(part["id"].as_str().map_or_else(|| format!("{name}, number {}", place + 1), str::to_owned))
}
