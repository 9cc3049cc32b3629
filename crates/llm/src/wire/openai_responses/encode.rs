//! Encodes requests to the bytes of their bodies.
//!
//! The provider stores nothing: every request contains the whole conversation, including the provider's own encrypted
//! reasoning. The items of a message are encoded once and cached with its history entry.

use turnkit_core::{ChatRequest, Message, Thinking, ToolChoice};

use super::message::encode_items;
use crate::profile::{Capability, ModelProfile};
use crate::wire::Vendor;
use crate::wire::json::write_json;
use crate::wire::output::{instructions_with, write_shape};
use crate::wire::sent::each_sent;

/// The fields of the body.
pub(in crate::wire) const FIELDS: &[&str] = &[
    "model",
    "instructions",
    "input",
    "store",
    "stream",
    "tools",
    "tool_choice",
    "max_output_tokens",
    "temperature",
    "reasoning",
    "include",
];

/// Returns the body of a streamed request for `model`.
pub(in crate::wire) fn encode(request: &ChatRequest, model: &str, profile: &ModelProfile, vendor: &Vendor) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024 + 256 * request.history.len());
    body.extend_from_slice(b"{\"model\":");
    write_json(&mut body, model);
    let schema = request.params.output_schema.as_deref().filter(|_| vendor.overrides("text"));
    if let Some(instructions) = instructions_with(request, schema) {
        body.extend_from_slice(b",\"instructions\":");
        write_json(&mut body, instructions.as_ref());
    }
    body.extend_from_slice(b",\"input\":[");
    write_input(&mut body, request, vendor);
    body.extend_from_slice(b"],\"store\":false,\"stream\":true");
    write_tools(&mut body, request);
    write_settings(&mut body, request, profile, vendor);
    body.push(b'}');
    body
}

fn write_input(body: &mut Vec<u8>, request: &ChatRequest, vendor: &Vendor) {
    let form = format!("openai_responses {}", vendor.name).into();
    let first = body.len();
    let encode = |message: &Message, caller: Option<&Message>| encode_items(message, caller, vendor);
    each_sent(request, form, encode, |_, items| {
        if !items.is_empty() && body.len() > first {
            body.push(b',');
        }
        body.extend_from_slice(items);
    });
}

fn write_tools(body: &mut Vec<u8>, request: &ChatRequest) {
    for (number, tool) in request.tools.iter().enumerate() {
        body.extend_from_slice(if number == 0 { b",\"tools\":[" } else { b"," });
        body.extend_from_slice(b"{\"type\":\"function\",\"name\":");
        write_json(body, &tool.name);
        body.extend_from_slice(b",\"description\":");
        write_json(body, &tool.description);
        body.extend_from_slice(b",\"parameters\":");
        body.extend_from_slice(tool.parameters.get().as_bytes());
        // The default is strict.
        body.extend_from_slice(b",\"strict\":false}");
    }
    if !request.tools.is_empty() {
        body.push(b']');
        if request.tool_choice == ToolChoice::None {
            body.extend_from_slice(b",\"tool_choice\":\"none\"");
        }
    }
}

fn write_settings(body: &mut Vec<u8>, request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) {
    if let Some(max_tokens) = request.params.max_tokens {
        body.extend_from_slice(b",\"max_output_tokens\":");
        write_json(body, &max_tokens);
    }
    if let Some(shape) = request.params.output_schema.as_ref().filter(|_| !vendor.overrides("text")) {
        body.extend_from_slice(b",\"text\":{\"format\":{\"type\":\"json_schema\",");
        write_shape(body, shape);
        body.extend_from_slice(b"}}");
    }
    if let Some(temperature) = request.params.temperature.filter(|temperature| temperature.is_finite()) {
        body.extend_from_slice(b",\"temperature\":");
        write_json(body, &temperature);
    }
    // Models that cannot reason reject the field. Omitting it turns reasoning off.
    let effort = match request.params.thinking {
        None | Some(Thinking::Off) => None,
        Some(Thinking::Low) => Some("low"),
        Some(Thinking::Medium) => Some("medium"),
        Some(Thinking::High | Thinking::Max) => Some("high"),
    };
    if let Some(effort) = effort {
        body.extend_from_slice(b",\"reasoning\":{\"effort\":");
        write_json(body, effort);
        body.extend_from_slice(b",\"summary\":\"auto\"}");
    }
    // Models that cannot reason reject a request for encrypted reasoning.
    if effort.is_some() || (vendor.encrypted_reasoning && profile.can(Capability::Reasoning)) {
        body.extend_from_slice(b",\"include\":[\"reasoning.encrypted_content\"]");
    }
}
