//! Orders tool results by their calls. The results of one answer may be written at several boundaries: a call that
//! waited for a decision gets its result after later calls that did not wait. Not every provider pairs results with
//! calls by id.

use crate::{CallUid, Message, Part, Role};

/// Reports whether `message` holds the result of an earlier call than the results in `before`, the preceding message.
pub(crate) fn is_late(before: &Message, message: &Message) -> bool {
    let last = results(before).max();
    message.role == Role::Tool && results(message).min().is_some_and(|first| last.is_some_and(|last| first < last))
}

/// Returns one message with the results of both messages, in the order of their calls.
pub(crate) fn merged(before: &Message, message: &Message) -> Message {
    let mut parts: Vec<Part> = before.parts.iter().chain(&message.parts).cloned().collect();
    parts.sort_by_key(result);
    Message { parts, ..before.clone() }
}

fn results(message: &Message) -> impl Iterator<Item = CallUid> {
    message.parts.iter().filter_map(result)
}

fn result(part: &Part) -> Option<CallUid> {
    match part {
        Part::ToolResult(result) => Some(result.uid),
        _ => None,
    }
}
