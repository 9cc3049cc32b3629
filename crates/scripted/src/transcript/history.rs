//! Checks the transcript in the core's representation.

use turnkit_core::{ChatRequest, History, Message, Part, Role};

use super::{Call, Checker, MessageContent, Violation};

/// Checks a history as it is stored. The last message may be the assistant's, and the arguments of a call may be any
/// text.
///
/// # Errors
/// Returns all violations, in order. Calls are identified by their [`CallUid`](turnkit_core::CallUid).
pub fn check_history(history: &History) -> Result<(), Vec<Violation>> {
    checked(history).finish(false)
}

/// Checks a request to a provider. The last message must be the user's or a tool's. The arguments of a call may still
/// be any text, because the wire format converts them to JSON.
///
/// # Errors
/// Returns all violations, in order. Calls are identified by their [`CallUid`](turnkit_core::CallUid).
pub fn check_request(request: &ChatRequest) -> Result<(), Vec<Violation>> {
    checked(&request.history).finish(true)
}

fn checked(history: &History) -> Checker {
    let mut checker = Checker::default();
    // No wire format sends messages of notices.
    let sent = history.iter().enumerate().filter(|(_, entry)| !entry.message().is_notices_only());
    for (index, entry) in sent {
        said(index, entry.message()).iter().for_each(|said| checker.check(said));
    }
    checker
}

/// Converts a message. A tool message yields one item per result.
fn said(index: usize, message: &Message) -> Vec<MessageContent> {
    let one = |calls: Vec<Call>, answers: Option<String>, has_content: bool| MessageContent {
        message: index,
        role: message.role,
        has_content,
        calls,
        answers,
        may_be_paused: message.parts.iter().any(|part| matches!(part, Part::ProviderTool(_))),
    };
    if message.role == Role::Tool {
        let results = message.parts.iter().map(|part| match part {
            Part::ToolResult(result) => one(Vec::new(), Some(result.uid.to_string()), true),
            _ => one(Vec::new(), None, true),
        });
        return results.collect();
    }
    let calls = message.calls().map(|call| Call {
        id: call.uid.to_string(),
        name: call.name.clone(),
        // The core keeps the model's text, JSON or not. The wire format that sends it converts it to JSON.
        arguments: None,
    });
    let has_content = message.parts.iter().any(|part| match part {
        Part::Text(text) => !text.text.is_empty(),
        Part::ToolCall(_) | Part::ToolResult(_) | Part::Notice(_) => false,
        _ => true,
    });
    vec![one(calls.collect(), None, has_content)]
}
