//! Encodes one message of the history to the blocks of this wire.

use turnkit_core::{File, Image, Message, Part, Reasoning, Role, ToolCall, ToolResult};

use crate::tools::legal_name;
use crate::wire::Vendor;
use crate::wire::json::{USUAL_MESSAGE_BYTES, write_json};
use crate::wire::transcript::{arguments, base64_of, opaque_of, text, unique_id, unique_result_id};

/// Returns the blocks of a message, separated by commas; empty if this wire cannot express any of its parts. `caller`
/// is the preceding assistant message, whose calls the results refer to.
pub(super) fn encode_blocks(message: &Message, caller: Option<&Message>, vendor: &Vendor) -> Vec<u8> {
    let mut out = Vec::with_capacity(USUAL_MESSAGE_BYTES);
    for part in &message.parts {
        let before = out.len();
        if before > 0 {
            out.push(b',');
        }
        let comma = out.len();
        write_block(&mut out, message, part, caller, vendor);
        if out.len() == comma {
            out.truncate(before);
        }
    }
    out
}

/// Reports whether the message holds thinking that `vendor` produced and can replay.
pub(super) fn replays_thinking(message: &Message, vendor: &Vendor) -> bool {
    let is_thinking = |part: &Part| matches!(part, Part::Reasoning(_)) && opaque_of(part.opaque(), vendor).is_some();
    message.parts.iter().any(is_thinking)
}

fn write_block(out: &mut Vec<u8>, message: &Message, part: &Part, caller: Option<&Message>, vendor: &Vendor) {
    match part {
        Part::Image(image) => write_image(out, image),
        Part::File(file) => write_file(out, file),
        Part::ToolCall(call) => write_call(out, message, call),
        Part::ToolResult(result) => write_result(out, result, caller),
        Part::Reasoning(reasoning) if message.role == Role::Assistant => write_thinking(out, reasoning, vendor),
        Part::ProviderTool(tool) => {
            out.extend_from_slice(opaque_of(tool.opaque.as_ref(), vendor).unwrap_or_default().as_bytes());
        }
        // The API rejects blank text.
        _ => {
            if let Some(text) = text(part).filter(|text| !text.trim().is_empty()) {
                write_text(out, &text);
            }
        }
    }
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
    write_json(out, text);
    out.push(b'}');
}

/// Writes thinking as it was received: a block, or a text with its signature. Thinking with neither is dropped.
fn write_thinking(out: &mut Vec<u8>, reasoning: &Reasoning, vendor: &Vendor) {
    match opaque_of(reasoning.opaque.as_ref(), vendor) {
        Some(signature) if signature.starts_with('"') => {
            out.extend_from_slice(b"{\"type\":\"thinking\",\"thinking\":");
            write_json(out, &reasoning.text);
            out.extend_from_slice(b",\"signature\":");
            out.extend_from_slice(signature.as_bytes());
            out.push(b'}');
        }
        Some(block) => out.extend_from_slice(block.as_bytes()),
        None => {}
    }
}

fn write_image(out: &mut Vec<u8>, image: &Image) {
    let is_document = image.media_type.starts_with("application/") || image.media_type.starts_with("text/");
    out.extend_from_slice(if is_document { b"{\"type\":\"document\"" } else { b"{\"type\":\"image\"" });
    write_source(out, &image.url);
    out.push(b'}');
}

fn write_file(out: &mut Vec<u8>, file: &File) {
    out.extend_from_slice(b"{\"type\":\"document\"");
    write_source(out, &file.url);
    out.extend_from_slice(b",\"title\":");
    write_json(out, &file.name);
    out.push(b'}');
}

fn write_source(out: &mut Vec<u8>, url: &str) {
    match base64_of(url) {
        Some((media_type, data)) => {
            out.extend_from_slice(b",\"source\":{\"type\":\"base64\",\"media_type\":");
            write_json(out, media_type);
            out.extend_from_slice(b",\"data\":");
            write_json(out, data);
        }
        None => {
            out.extend_from_slice(b",\"source\":{\"type\":\"url\",\"url\":");
            write_json(out, &url);
        }
    }
    out.push(b'}');
}

fn write_call(out: &mut Vec<u8>, message: &Message, call: &ToolCall) {
    out.extend_from_slice(b"{\"type\":\"tool_use\",\"id\":");
    write_json(out, &unique_id(message, call));
    out.extend_from_slice(b",\"name\":");
    write_json(out, &legal_name(&call.name));
    out.extend_from_slice(b",\"input\":");
    out.extend_from_slice(arguments(call).as_bytes());
    out.push(b'}');
}

fn write_result(out: &mut Vec<u8>, result: &ToolResult, caller: Option<&Message>) {
    out.extend_from_slice(b"{\"type\":\"tool_result\",\"tool_use_id\":");
    write_json(out, &unique_result_id(result, caller));
    out.extend_from_slice(b",\"content\":");
    if result.images.is_empty() {
        write_json(out, &result.to_model_text());
    } else {
        write_result_blocks(out, result);
    }
    if !result.ok {
        out.extend_from_slice(b",\"is_error\":true");
    }
    out.push(b'}');
}

/// Writes a result as blocks: its text, which must not be blank, and its images.
fn write_result_blocks(out: &mut Vec<u8>, result: &ToolResult) {
    out.push(b'[');
    let before = out.len();
    let text = result.to_model_text();
    if !text.trim().is_empty() {
        write_text(out, &text);
    }
    for image in &result.images {
        if out.len() > before {
            out.push(b',');
        }
        write_image(out, image);
    }
    out.push(b']');
}
