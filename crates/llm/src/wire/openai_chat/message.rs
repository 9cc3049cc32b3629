//! Encodes one message of the history for this wire.

use std::borrow::Cow;

use turnkit_core::{File, Image, Message, Part, Reasoning, Role, ToolCall, ToolResult};

use crate::tools::legal_name;
use crate::wire::Vendor;
use crate::wire::json::{USUAL_MESSAGE_BYTES, write_text};
use crate::wire::transcript::{arguments, caller_of, message_groups, opaque_of, text};

/// The field in which some vendors send reasoning and require it back.
pub(super) const REASONING_FIELD: &str = "reasoning_content";

/// Returns the message as JSON: several objects separated by commas for several tool results, and nothing if this wire
/// cannot express any of the message. `caller` is the preceding assistant message, whose calls the results refer to.
pub(super) fn encode_message(message: &Message, caller: Option<&Message>, vendor: &Vendor) -> Vec<u8> {
    let mut out = Vec::with_capacity(USUAL_MESSAGE_BYTES);
    match message.role {
        Role::User => write_message_text(&mut out, "user", message),
        Role::System => write_message_text(&mut out, "system", message),
        Role::Assistant => write_answer(&mut out, message, vendor),
        Role::Tool => write_results(&mut out, message, caller),
    }
    out
}

/// Writes a message of the user or the host: a single text, or a list of texts, images and files.
fn write_message_text(out: &mut Vec<u8>, role: &str, message: &Message) {
    for parts in message_groups(message) {
        if !out.is_empty() {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"role\":");
        write_text(out, role);
        out.extend_from_slice(b",\"content\":");
        let only = if parts.len() == 1 { text(parts[0]) } else { None };
        match only {
            Some(text) => write_text(out, &text),
            None => write_content(out, &parts),
        }
        out.push(b'}');
    }
}

fn write_content(out: &mut Vec<u8>, parts: &[&Part]) {
    out.push(b'[');
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        write_content_part(out, part);
    }
    out.push(b']');
}

fn write_content_part(out: &mut Vec<u8>, part: &Part) {
    match part {
        Part::Image(Image { url, media_type, .. }) if media_type == "application/pdf" => {
            out.extend_from_slice(b"{\"type\":\"file\",\"file\":{\"filename\":\"file.pdf\",\"file_data\":");
            write_text(out, url);
            out.extend_from_slice(b"}}");
        }
        Part::File(File { name, url, .. }) => {
            out.extend_from_slice(b"{\"type\":\"file\",\"file\":{\"filename\":");
            write_text(out, name);
            out.extend_from_slice(b",\"file_data\":");
            write_text(out, url);
            out.extend_from_slice(b"}}");
        }
        Part::Image(Image { url, .. }) => write_image(out, url),
        _ => {
            out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
            write_text(out, &text(part).unwrap_or_default());
            out.push(b'}');
        }
    }
}

/// Writes an image as a part of the content.
pub(super) fn write_image(out: &mut Vec<u8>, url: &str) {
    out.extend_from_slice(b"{\"type\":\"image_url\",\"image_url\":{\"url\":");
    write_text(out, url);
    out.extend_from_slice(b"}}");
}

/// Writes an answer of the model. Its text is one string, as the provider would have sent it.
fn write_answer(out: &mut Vec<u8>, message: &Message, vendor: &Vendor) {
    let content: String = message.parts.iter().filter_map(text).collect();
    let mut calls = message.calls().peekable();
    if content.is_empty() && calls.peek().is_none() {
        return;
    }
    out.extend_from_slice(b"{\"role\":\"assistant\"");
    if !content.is_empty() {
        out.extend_from_slice(b",\"content\":");
        write_text(out, &content);
    }
    write_details(out, message, vendor);
    if calls.peek().is_some() {
        write_reasoning(out, message, vendor);
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

/// Writes signed and encrypted reasoning in the vendor's format of details.
fn write_details(out: &mut Vec<u8>, message: &Message, vendor: &Vendor) {
    let opaque = reasoning(message).filter_map(|reasoning| opaque_of(reasoning.opaque.as_ref(), vendor));
    let lists: Vec<&str> = opaque.filter_map(|json| json.strip_prefix('[')?.strip_suffix(']')).collect();
    if !lists.is_empty() {
        out.extend_from_slice(b",\"reasoning_details\":[");
        out.extend_from_slice(lists.join(",").as_bytes());
        out.push(b']');
    }
}

/// Writes the reasoning between calls and their results. The vendors that use this field require it back there, and
/// only there.
fn write_reasoning(out: &mut Vec<u8>, message: &Message, vendor: &Vendor) {
    let is_named = |reasoning: &&Reasoning| {
        opaque_of(reasoning.opaque.as_ref(), vendor).is_some_and(|json| json.trim_matches('"') == REASONING_FIELD)
    };
    let text: String = reasoning(message).filter(is_named).map(|reasoning| reasoning.text.as_str()).collect();
    if !text.is_empty() {
        out.extend_from_slice(b",\"reasoning_content\":");
        write_text(out, &text);
    }
}

fn reasoning(message: &Message) -> impl Iterator<Item = &Reasoning> {
    message.parts.iter().filter_map(|part| match part {
        Part::Reasoning(reasoning) => Some(reasoning),
        _ => None,
    })
}

fn write_call(out: &mut Vec<u8>, message: &Message, call: &ToolCall) {
    out.extend_from_slice(b"{\"id\":");
    write_text(out, &call_id(message, call));
    out.extend_from_slice(b",\"type\":\"function\",\"function\":{\"name\":");
    write_text(out, &legal_name(&call.name));
    out.extend_from_slice(b",\"arguments\":");
    write_text(out, &arguments(call));
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
        write_text(out, &result_id(result, caller));
        out.extend_from_slice(b",\"content\":");
        write_text(out, &result.to_model_text());
        out.push(b'}');
    }
}

/// Returns the provider's id of a call, with a suffix if two calls of the message have the same id.
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
