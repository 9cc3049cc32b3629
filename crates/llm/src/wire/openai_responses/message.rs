//! Encodes one message of the history to the items of this wire.

use turnkit_core::{File, Image, Message, Part, Role, ToolCall, ToolResult};

use super::kept::own_message;
use crate::tools::legal_name;
use crate::wire::Vendor;
use crate::wire::json::{USUAL_MESSAGE_BYTES, write_json};
use crate::wire::transcript::{arguments, message_groups, opaque_of, text, unique_id, unique_result_id};

/// Returns the items of a message, separated by commas; empty if this wire cannot express any part of the message.
/// `caller` is the preceding assistant message, whose calls the results refer to.
pub(super) fn encode_items(message: &Message, caller: Option<&Message>, vendor: &Vendor) -> Vec<u8> {
    let mut out = Vec::with_capacity(USUAL_MESSAGE_BYTES);
    match message.role {
        Role::User => write_message_text(&mut out, "user", message),
        Role::System => write_message_text(&mut out, "system", message),
        Role::Assistant => write_answer(&mut out, message, vendor),
        Role::Tool => write_results(&mut out, message, caller),
    }
    out
}

/// Writes a message of the user or the host: texts, images and files.
fn write_message_text(out: &mut Vec<u8>, role: &str, message: &Message) {
    for parts in message_groups(message) {
        if !out.is_empty() {
            out.push(b',');
        }
        out.extend_from_slice(b"{\"type\":\"message\",\"role\":");
        write_json(out, role);
        out.extend_from_slice(b",\"content\":[");
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            write_content_part(out, part);
        }
        out.extend_from_slice(b"]}");
    }
}

fn write_content_part(out: &mut Vec<u8>, part: &Part) {
    match part {
        Part::Image(image) => write_image(out, image),
        Part::File(File { name, url, .. }) => {
            out.extend_from_slice(b"{\"type\":\"input_file\",\"filename\":");
            write_json(out, name);
            out.extend_from_slice(b",\"file_data\":");
            write_json(out, url);
            out.push(b'}');
        }
        _ => write_input_text(out, &text(part).unwrap_or_default()),
    }
}

fn write_input_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b"{\"type\":\"input_text\",\"text\":");
    write_json(out, text);
    out.push(b'}');
}

fn write_image(out: &mut Vec<u8>, image: &Image) {
    let is_file = image.media_type.starts_with("application/") || image.media_type.starts_with("text/");
    let head: &[u8] = match (is_file, image.url.starts_with("data:")) {
        (true, true) => b"{\"type\":\"input_file\",\"filename\":\"file\",\"file_data\":",
        (true, false) => b"{\"type\":\"input_file\",\"file_url\":",
        (false, _) => b"{\"type\":\"input_image\",\"image_url\":",
    };
    out.extend_from_slice(head);
    write_json(out, &image.url);
    out.push(b'}');
}

/// Writes an answer of the model: its text, calls and reasoning, in order.
fn write_answer(out: &mut Vec<u8>, message: &Message, vendor: &Vendor) {
    for (number, part) in message.parts.iter().enumerate() {
        let before = out.len();
        if before > 0 {
            out.push(b',');
        }
        let comma = out.len();
        match part {
            Part::ToolCall(call) => write_call(out, message, call, vendor),
            // The API rejects reasoning without an item after it.
            Part::Reasoning(_) if !is_followed(&message.parts[number + 1..]) => {}
            Part::Reasoning(_) | Part::ProviderTool(_) => {
                // Opaque data of the same vendor from another wire is not an item.
                let item = opaque_of(part.opaque(), vendor).filter(|item| item.starts_with('{'));
                out.extend_from_slice(item.unwrap_or_default().as_bytes());
            }
            _ => {
                if let Some(text) = text(part) {
                    write_text(out, part, &text, vendor);
                }
            }
        }
        if out.len() == comma {
            out.truncate(before);
        }
    }
}

/// Writes a text of the model: as the original item if it came from `vendor`.
fn write_text(out: &mut Vec<u8>, part: &Part, text: &str, vendor: &Vendor) {
    if let Some(item) = opaque_of(part.opaque(), vendor).and_then(|kept| own_message(kept, text)) {
        return write_json(out, &item);
    }
    out.extend_from_slice(
        b"{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":",
    );
    write_json(out, text);
    out.extend_from_slice(b"}]}");
}

fn is_followed(rest: &[Part]) -> bool {
    rest.iter().any(|part| matches!(part, Part::ToolCall(_)) || text(part).is_some())
}

fn write_call(out: &mut Vec<u8>, message: &Message, call: &ToolCall, vendor: &Vendor) {
    out.extend_from_slice(b"{\"type\":\"function_call\",");
    let kept = opaque_of(call.extras.as_ref(), vendor).and_then(|kept| kept.strip_prefix('{')?.strip_suffix('}'));
    if let Some(kept) = kept.filter(|kept| !kept.is_empty()) {
        out.extend_from_slice(kept.as_bytes());
        out.push(b',');
    }
    out.extend_from_slice(b"\"call_id\":");
    write_json(out, &unique_id(message, call));
    out.extend_from_slice(b",\"name\":");
    write_json(out, &legal_name(&call.name));
    out.extend_from_slice(b",\"arguments\":");
    write_json(out, &arguments(call));
    out.push(b'}');
}

fn write_results(out: &mut Vec<u8>, message: &Message, caller: Option<&Message>) {
    for part in &message.parts {
        let Part::ToolResult(result) = part else { continue };
        if !out.is_empty() {
            out.push(b',');
        }
        write_result(out, result, caller);
    }
}

fn write_result(out: &mut Vec<u8>, result: &ToolResult, caller: Option<&Message>) {
    out.extend_from_slice(b"{\"type\":\"function_call_output\",\"call_id\":");
    write_json(out, &unique_result_id(result, caller));
    out.extend_from_slice(b",\"output\":");
    if result.images.is_empty() {
        write_json(out, &result.to_model_text());
    } else {
        write_output(out, result);
    }
    out.push(b'}');
}

/// Writes the output of a call as a list: its text and its images.
fn write_output(out: &mut Vec<u8>, result: &ToolResult) {
    out.push(b'[');
    write_input_text(out, &result.to_model_text());
    for image in &result.images {
        out.push(b',');
        write_image(out, image);
    }
    out.push(b']');
}
