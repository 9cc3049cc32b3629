//! Encodes one message of the history to the parts of this wire.

use turnkit_core::{Image, Message, Part, Role, ToolCall, ToolResult};

use crate::tools::legal_name;
use crate::wire::Vendor;
use crate::wire::json::{USUAL_MESSAGE_BYTES, write_json};
use crate::wire::transcript::{arguments, base64_of, caller_of, made_up_id, opaque_of, text};

/// Replaces the signature of a call from another vendor's model. With this value, the provider skips the check.
const UNSIGNED: &str = "\"skip_thought_signature_validator\"";

/// Returns the parts of a message, separated by commas; empty if this wire cannot express any of them. `caller` is the
/// preceding assistant message, whose calls the results refer to. `signed` means that the model requires signatures.
pub(super) fn encode_parts(message: &Message, caller: Option<&Message>, vendor: &Vendor, signed: bool) -> Vec<u8> {
    let is_signed = |call: &ToolCall| opaque_of(call.extras.as_ref(), vendor).is_some();
    let stand_in = signed && !message.calls().any(is_signed);
    let mut out = Vec::with_capacity(USUAL_MESSAGE_BYTES);
    for part in &message.parts {
        let before = out.len();
        if before > 0 {
            out.push(b',');
        }
        let comma = out.len();
        match part {
            // Only the first call of an answer is signed.
            Part::ToolCall(call) => {
                let unsigned = Some(UNSIGNED).filter(|_| stand_in && call.uid.ordinal == 0);
                write_call(&mut out, message, call, opaque_of(call.extras.as_ref(), vendor).or(unsigned));
            }
            Part::ToolResult(result) => write_result(&mut out, result, caller),
            Part::Image(image) => write_image(&mut out, image, vendor),
            Part::File(file) => {
                write_data(&mut out, &file.media_type, &file.url);
                out.push(b'}');
            }
            Part::ProviderTool(tool) => {
                out.extend_from_slice(opaque_of(tool.opaque.as_ref(), vendor).unwrap_or_default().as_bytes());
            }
            Part::Reasoning(reasoning) => {
                if let Some(signature) = opaque_of(reasoning.opaque.as_ref(), vendor) {
                    out.extend_from_slice(b"{\"thought\":true,\"text\":");
                    write_json(&mut out, &reasoning.text);
                    write_signature(&mut out, Some(signature));
                }
            }
            _ => write_text(&mut out, part, vendor),
        }
        if out.len() == comma {
            out.truncate(before);
        }
    }
    if message.role == Role::Tool {
        write_result_images(&mut out, message, vendor);
    }
    out
}

/// Writes the images of results as parts after the results. Not every model accepts them within a result.
fn write_result_images(out: &mut Vec<u8>, message: &Message, vendor: &Vendor) {
    for image in message.parts.iter().flat_map(Part::images) {
        if !out.is_empty() {
            out.push(b',');
        }
        write_image(out, image, vendor);
    }
}

/// Writes a text. An empty text still carries its signature.
fn write_text(out: &mut Vec<u8>, part: &Part, vendor: &Vendor) {
    let signature = opaque_of(part.opaque(), vendor);
    let text = text(part);
    if text.is_none() && signature.is_none() {
        return;
    }
    out.extend_from_slice(b"{\"text\":");
    write_json(out, &text.unwrap_or_default());
    write_signature(out, signature);
}

/// Ends a part with its signature, if it has one.
fn write_signature(out: &mut Vec<u8>, signature: Option<&str>) {
    if let Some(signature) = signature {
        out.extend_from_slice(b",\"thoughtSignature\":");
        out.extend_from_slice(signature.as_bytes());
    }
    out.push(b'}');
}

fn write_image(out: &mut Vec<u8>, image: &Image, vendor: &Vendor) {
    write_data(out, &image.media_type, &image.url);
    write_signature(out, opaque_of(image.opaque.as_ref(), vendor));
}

/// Begins a part that holds the data at `url`.
fn write_data(out: &mut Vec<u8>, media_type: &str, url: &str) {
    match base64_of(url) {
        Some((named, data)) => {
            out.extend_from_slice(b"{\"inlineData\":{\"mimeType\":");
            write_json(out, named);
            out.extend_from_slice(b",\"data\":");
            write_json(out, data);
        }
        None => {
            out.extend_from_slice(b"{\"fileData\":{");
            if !media_type.is_empty() {
                out.extend_from_slice(b"\"mimeType\":");
                write_json(out, &media_type);
                out.push(b',');
            }
            out.extend_from_slice(b"\"fileUri\":");
            write_json(out, &url);
        }
    }
    out.push(b'}');
}

fn write_call(out: &mut Vec<u8>, message: &Message, call: &ToolCall, signature: Option<&str>) {
    out.extend_from_slice(b"{\"functionCall\":{");
    write_id(out, message, call);
    out.extend_from_slice(b"\"name\":");
    write_json(out, &legal_name(&call.name));
    out.extend_from_slice(b",\"args\":");
    out.extend_from_slice(arguments(call).as_bytes());
    out.push(b'}');
    write_signature(out, signature);
}

fn write_result(out: &mut Vec<u8>, result: &ToolResult, caller: Option<&Message>) {
    out.extend_from_slice(b"{\"functionResponse\":{");
    let found = caller_of(result, caller);
    if let Some((message, call)) = found {
        write_id(out, message, call);
    }
    out.extend_from_slice(b"\"name\":");
    write_json(out, &legal_name(found.map_or(&result.name, |(_, call)| &call.name)));
    out.extend_from_slice(b",\"response\":");
    match result.failure() {
        Some(failure) => write_json(out, &failure),
        None => {
            out.extend_from_slice(b"{\"output\":");
            write_json(out, &result.content);
            out.push(b'}');
        }
    }
    out.extend_from_slice(b"}}");
}

/// Writes the id of a call or result. The API matches calls and results by name and order, so the id is sent only if
/// the provider assigned it, and assigned it to no other call of the message.
fn write_id(out: &mut Vec<u8>, message: &Message, call: &ToolCall) {
    let id = &call.provider_id;
    let is_repeated = || message.calls().any(|other| other.uid != call.uid && other.provider_id == *id);
    if !id.is_empty() && made_up_id(usize::from(call.uid.ordinal)) != *id && !is_repeated() {
        out.extend_from_slice(b"\"id\":");
        write_json(out, &call.provider_id);
        out.push(b',');
    }
}
