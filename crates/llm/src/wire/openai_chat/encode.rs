//! Encodes requests to the bytes of their bodies.
//!
//! A message is encoded once and cached with its history entry, so that a request costs the new messages plus one copy.
//! Only the images of tool results are encoded each time, because they follow all results of an answer.

use turnkit_core::{ChatRequest, Message, Role, Str, Thinking, ToolChoice};

use super::message::encode_message;
use super::result_images::ResultImages;
use crate::wire::json::{write_json, write_text};
use crate::wire::output::{instructions_with, write_shape};
use crate::wire::sent::each_sent;
use crate::wire::{OutputLimit, StructuredOutput, Vendor};

/// The fields of the body.
pub(in crate::wire) const FIELDS: &[&str] = &[
    "model",
    "messages",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "reasoning_effort",
    "stop",
];

/// Returns the body of a streamed request for `model`.
pub(in crate::wire) fn encode(request: &ChatRequest, model: &str, vendor: &Vendor) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024 + 256 * request.history.len());
    body.extend_from_slice(b"{\"model\":");
    write_text(&mut body, model);
    body.extend_from_slice(b",\"messages\":[");
    write_messages(&mut body, request, vendor);
    body.extend_from_slice(b"],\"stream\":true");
    if vendor.stream_options {
        body.extend_from_slice(b",\"stream_options\":{\"include_usage\":true}");
    }
    write_tools(&mut body, request);
    write_params(&mut body, request, vendor.output_limit);
    write_format(&mut body, request, vendor);
    body.push(b'}');
    body
}

fn write_messages(body: &mut Vec<u8>, request: &ChatRequest, vendor: &Vendor) {
    let mut form = Str::from("openai_chat ");
    form.push_str(&vendor.name);
    let first = body.len();
    let schema = request.params.output_schema.as_deref().filter(|_| !takes_schemas(vendor));
    if let Some(instructions) = instructions_with(request, schema) {
        body.extend_from_slice(b"{\"role\":\"system\",\"content\":");
        write_text(body, &instructions);
        body.push(b'}');
    }
    let encode = |message: &Message, caller: Option<&Message>| encode_message(message, caller, vendor);
    let mut write = |bytes: &[u8]| {
        if !bytes.is_empty() && body.len() > first {
            body.push(b',');
        }
        body.extend_from_slice(bytes);
    };
    let mut images = ResultImages::default();
    each_sent(request, form, encode, |message, bytes| {
        if message.role == Role::Tool {
            images.add(message);
        } else if images.is_any() {
            write(&images.take());
        }
        write(bytes);
    });
    write(&images.take());
}

fn write_tools(body: &mut Vec<u8>, request: &ChatRequest) {
    for (number, tool) in request.tools.iter().enumerate() {
        body.extend_from_slice(if number == 0 { b",\"tools\":[" } else { b"," });
        body.extend_from_slice(b"{\"type\":\"function\",\"function\":{\"name\":");
        write_text(body, &tool.name);
        body.extend_from_slice(b",\"description\":");
        write_text(body, &tool.description);
        body.extend_from_slice(b",\"parameters\":");
        body.extend_from_slice(tool.parameters.get().as_bytes());
        body.extend_from_slice(b"}}");
    }
    if !request.tools.is_empty() {
        body.push(b']');
        if request.tool_choice == ToolChoice::None {
            body.extend_from_slice(b",\"tool_choice\":\"none\"");
        }
    }
}

fn write_params(body: &mut Vec<u8>, request: &ChatRequest, limit: OutputLimit) {
    if let Some(max_tokens) = request.params.max_tokens {
        body.extend_from_slice(match limit {
            OutputLimit::MaxTokens => b",\"max_tokens\":".as_slice(),
            OutputLimit::MaxCompletionTokens => b",\"max_completion_tokens\":",
        });
        write_json(body, &max_tokens);
    }
    if let Some(temperature) = request.params.temperature.filter(|temperature| temperature.is_finite()) {
        body.extend_from_slice(b",\"temperature\":");
        write_json(body, &temperature);
    }
    if !request.params.stop.is_empty() {
        body.extend_from_slice(b",\"stop\":");
        write_json(body, &request.params.stop);
    }
    // Models that cannot reason reject the field. Omitting it turns reasoning off.
    let effort = match request.params.thinking {
        None | Some(Thinking::Off) => return,
        Some(Thinking::Low) => "low",
        Some(Thinking::Medium) => "medium",
        Some(Thinking::High | Thinking::Max) => "high",
    };
    body.extend_from_slice(b",\"reasoning_effort\":");
    write_text(body, effort);
}

/// Writes the format of the answer, unless the configuration sets that field.
fn write_format(body: &mut Vec<u8>, request: &ChatRequest, vendor: &Vendor) {
    let Some(shape) = request.params.output_schema.as_ref().filter(|_| !vendor.overrides("response_format")) else {
        return;
    };
    match vendor.structured_output {
        StructuredOutput::Instructions => {}
        StructuredOutput::JsonObject => body.extend_from_slice(b",\"response_format\":{\"type\":\"json_object\"}"),
        StructuredOutput::JsonSchema => {
            body.extend_from_slice(b",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{");
            write_shape(body, shape);
            body.extend_from_slice(b"}}");
        }
    }
}

/// Reports whether the field accepts a schema and is not set by the configuration.
fn takes_schemas(vendor: &Vendor) -> bool {
    vendor.structured_output == StructuredOutput::JsonSchema && !vendor.overrides("response_format")
}
