//! One message of the history, as this wire has it.

use std::borrow::Cow;

use turnkit_core::{Image, Message, Part, Role, ToolCall, ToolResult};

use crate::wire::json::write_json;
use crate::wire::transcript::{arguments, caller_of, text};

/// The message as JSON: several objects with commas between them for several tool results, nothing at all for a message
/// without anything this wire can say. `caller` is the assistant message before it, whose calls results refer to.
pub(super) fn encode_message(message: &Message, caller: Option<&Message>) -> Vec<u8> {
    let mut out = Vec::new();
    match message.role {
        Role::User => write_said(&mut out, "user", message),
        Role::System => write_said(&mut out, "system", message),
        Role::Assistant => write_answer(&mut out, message),
        Role::Tool => write_results(&mut out, message, caller),
    }
    out
}

/// What a person or the host said: one text, or a list of texts and images.
fn write_said(out: &mut Vec<u8>, role: &str, message: &Message) {
    let mut said = message.parts.iter().filter(|part| text(part).is_some() || matches!(part, Part::Image(_)));
    let Some(first) = said.next() else { return };
    out.extend_from_slice(b"{\"role\":");
    write_json(out, role);
    out.extend_from_slice(b",\"content\":");
    let mut rest = said.peekable();
    match text(first) {
        Some(text) if rest.peek().is_none() => write_json(out, &text),
        _ => {
            out.push(b'[');
            write_content_part(out, first);
            for part in rest {
                out.push(b',');
                write_content_part(out, part);
            }
            out.push(b']');
        }
    }
    out.push(b'}');
}

fn write_content_part(out: &mut Vec<u8>, part: &Part) {
    if let Part::Image(Image { url, .. }) = part {
        out.extend_from_slice(b"{\"type\":\"image_url\",\"image_url\":{\"url\":");
        write_json(out, url);
        out.extend_from_slice(b"}}");
    } else {
        out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
        write_json(out, &text(part).unwrap_or_default());
        out.push(b'}');
    }
}

/// What the model said. Its text is one string, as the provider would have sent it; reasoning is not sent back.
fn write_answer(out: &mut Vec<u8>, message: &Message) {
    let content: String = message.parts.iter().filter_map(text).collect();
    let mut calls = message.calls().peekable();
    if content.is_empty() && calls.peek().is_none() {
        return;
    }
    out.extend_from_slice(b"{\"role\":\"assistant\"");
    if !content.is_empty() {
        out.extend_from_slice(b",\"content\":");
        write_json(out, &content);
    }
    if calls.peek().is_some() {
        out.extend_from_slice(b",\"tool_calls\":[");
        for (number, call) in calls.enumerate() {
            if number > 0 {
                out.push(b',');
            }
            write_call(out, message, call);
        }
        out.push(b']');
    }
    out.push(b'}');
}

fn write_call(out: &mut Vec<u8>, message: &Message, call: &ToolCall) {
    out.extend_from_slice(b"{\"id\":");
    write_json(out, &call_id(message, call));
    out.extend_from_slice(b",\"type\":\"function\",\"function\":{\"name\":");
    write_json(out, &call.name);
    out.extend_from_slice(b",\"arguments\":");
    write_json(out, &arguments(call));
    out.extend_from_slice(b"}}");
}

fn write_results(out: &mut Vec<u8>, message: &Message, caller: Option<&Message>) {
    let results = message.parts.iter().filter_map(|part| match part {
        Part::ToolResult(result) => Some(result),
        _ => None,
    });
    for (number, result) in results.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"role\":\"tool\",\"tool_call_id\":");
        write_json(out, &result_id(result, caller));
        out.extend_from_slice(b",\"content\":");
        write_json(out, &result.content);
        out.push(b'}');
    }
}

/// The provider's id of a call, told apart where it gave two calls of one message the same.
fn call_id<'a>(message: &Message, call: &'a ToolCall) -> Cow<'a, str> {
    let repeated =
        message.calls().take_while(|other| other.uid != call.uid).any(|other| other.provider_id == call.provider_id);
    if repeated || call.provider_id.is_empty() {
        format!("{}_{}", call.provider_id, call.uid.ordinal).into()
    } else {
        Cow::Borrowed(&call.provider_id)
    }
}

fn result_id<'a>(result: &ToolResult, caller: Option<&'a Message>) -> Cow<'a, str> {
    caller_of(result, caller)
        .map_or_else(|| format!("call_{}", result.uid.ordinal).into(), |(caller, call)| call_id(caller, call))
}
