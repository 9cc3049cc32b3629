//! Encodes requests to the bytes of their bodies.
//!
//! The parts of a message are encoded once and cached with its history entry. Adjacent messages of one role become one
//! content.

use turnkit_core::{ChatRequest, Message, Role, Thinking, ToolChoice};

use super::message::encode_parts;
use crate::profile::{Capability, HIGH_BUDGET, ModelProfile, ThinkingForm};
use crate::wire::Vendor;
use crate::wire::json::write_json;
use crate::wire::output::instructions_with;
use crate::wire::sent::each_sent;

/// The fields of the body.
pub(in crate::wire) const FIELDS: &[&str] =
    &["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"];

/// Returns the body of a streamed request. The model is named in the address.
pub(in crate::wire) fn encode(request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) -> Vec<u8> {
    let mut body = Vec::with_capacity(1024 + 256 * request.history.len());
    body.extend_from_slice(b"{\"contents\":[");
    write_contents(&mut body, request, profile, vendor);
    body.push(b']');
    let schema = request.params.output_schema.as_deref().filter(|_| !takes_formats(request, profile));
    if let Some(instructions) = instructions_with(request, schema) {
        body.extend_from_slice(b",\"systemInstruction\":{\"parts\":[{\"text\":");
        write_json(&mut body, instructions.as_ref());
        body.extend_from_slice(b"}]}");
    }
    write_tools(&mut body, request);
    write_settings(&mut body, request, profile);
    body.push(b'}');
    body
}

fn write_contents(body: &mut Vec<u8>, request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) {
    // Newer models require a signature on their calls.
    let signed = profile.needs_signatures.unwrap_or(true);
    let form = format!("gemini {}{}", vendor.name, if signed { " signed" } else { "" }).into();
    let mut open: Option<Role> = None;
    let encode = |message: &Message, caller: Option<&Message>| encode_parts(message, caller, vendor, signed);
    each_sent(request, form, encode, |message, parts| {
        if parts.is_empty() {
            return;
        }
        // Results follow the calls they answer, in a content of their own.
        let role = if message.role == Role::System { Role::User } else { message.role };
        if open == Some(role) {
            body.push(b',');
        } else {
            body.extend_from_slice(if open.is_some() { b"]},{\"role\":" } else { b"{\"role\":" });
            write_json(body, if role == Role::Assistant { "model" } else { "user" });
            body.extend_from_slice(b",\"parts\":[");
            open = Some(role);
        }
        body.extend_from_slice(parts);
    });
    if open.is_some() {
        body.extend_from_slice(b"]}");
    }
}

fn write_tools(body: &mut Vec<u8>, request: &ChatRequest) {
    for (number, tool) in request.tools.iter().enumerate() {
        let before: &[u8] = if number == 0 { b",\"tools\":[{\"functionDeclarations\":[" } else { b"," };
        body.extend_from_slice(before);
        body.extend_from_slice(b"{\"name\":");
        write_json(body, &tool.name);
        body.extend_from_slice(b",\"description\":");
        write_json(body, &tool.description);
        body.extend_from_slice(b",\"parametersJsonSchema\":");
        body.extend_from_slice(tool.parameters.get().as_bytes());
        body.push(b'}');
    }
    if !request.tools.is_empty() {
        body.extend_from_slice(b"]}]");
        if request.tool_choice == ToolChoice::None {
            body.extend_from_slice(b",\"toolConfig\":{\"functionCallingConfig\":{\"mode\":\"NONE\"}}");
        }
    }
}

fn write_settings(body: &mut Vec<u8>, request: &ChatRequest, profile: &ModelProfile) {
    let mut settings = Vec::new();
    if let Some(max_tokens) = request.params.max_tokens {
        settings.extend_from_slice(b",\"maxOutputTokens\":");
        write_json(&mut settings, &max_tokens);
    }
    if let Some(temperature) = request.params.temperature.filter(|temperature| temperature.is_finite()) {
        settings.extend_from_slice(b",\"temperature\":");
        write_json(&mut settings, &temperature);
    }
    if !request.params.stop.is_empty() {
        settings.extend_from_slice(b",\"stopSequences\":");
        write_json(&mut settings, &request.params.stop);
    }
    if let Some(shape) = request.params.output_schema.as_ref().filter(|_| takes_formats(request, profile)) {
        settings.extend_from_slice(b",\"responseMimeType\":\"application/json\",\"responseJsonSchema\":");
        settings.extend_from_slice(shape.schema.get().as_bytes());
    }
    write_thinking(&mut settings, request.params.thinking, profile);
    if let Some(settings) = settings.strip_prefix(b",") {
        body.extend_from_slice(b",\"generationConfig\":{");
        body.extend_from_slice(settings);
        body.push(b'}');
    }
}

fn write_thinking(settings: &mut Vec<u8>, thinking: Option<Thinking>, profile: &ModelProfile) {
    let most = profile.max_thinking.unwrap_or(HIGH_BUDGET);
    let (budget, level) = match thinking {
        None | Some(Thinking::Off) => return,
        Some(Thinking::Low) => (1_024, "low"),
        Some(Thinking::Medium) => (8_192, "medium"),
        Some(Thinking::High) => (HIGH_BUDGET, "high"),
        Some(Thinking::Max) => (most, "high"),
    };
    if !profile.can(Capability::Reasoning) {
        return;
    }
    settings.extend_from_slice(b",\"thinkingConfig\":{\"includeThoughts\":true,");
    match profile.thinking_form.unwrap_or_default() {
        ThinkingForm::Budget => {
            settings.extend_from_slice(b"\"thinkingBudget\":");
            write_json(settings, &budget.min(most));
        }
        ThinkingForm::Effort => {
            settings.extend_from_slice(b"\"thinkingLevel\":");
            write_json(settings, level);
        }
    }
    settings.push(b'}');
}

/// Reports whether the format of the answer can be enforced.
fn takes_formats(request: &ChatRequest, profile: &ModelProfile) -> bool {
    profile.takes_schemas(!request.tools.is_empty())
}
