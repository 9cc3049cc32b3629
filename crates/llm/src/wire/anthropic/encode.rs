//! Encodes requests to the bytes of their bodies.
//!
//! The blocks of a message are encoded once and cached with its history entry. Roles must alternate, so adjacent
//! messages of one role become one message. Results come before the user's text after them, as in the history.

use serde_json::value::RawValue;
use turnkit_core::{ChatRequest, Message, Part, Role, Thinking, ToolChoice};

use super::message::{encode_blocks, replays_thinking};
use super::pairs::without_unpaired;
use crate::profile::{Capability, HIGH_BUDGET, ModelProfile, ThinkingForm};
use crate::wire::closed::closed;
use crate::wire::json::write_json;
use crate::wire::output::instructions_with;
use crate::wire::sent::each_sent;
use crate::wire::{StructuredOutput, Vendor};

/// Default output limit in tokens, for a model that can write that much. The wire requires a limit.
const MAX_TOKENS: u32 = 8_192;
/// The smallest thinking budget that the wire accepts, in tokens.
const MIN_THINKING: u32 = 1_024;
/// Marks the end of the prefix that the provider may cache for the next request.
const CACHE_HINT: &[u8] = b",\"cache_control\":{\"type\":\"ephemeral\"}}";

/// The fields of the body.
pub(in crate::wire) const FIELDS: &[&str] = &[
    "model",
    "anthropic_version",
    "max_tokens",
    "thinking",
    "output_config",
    "temperature",
    "stop_sequences",
    "system",
    "messages",
    "stream",
    "tools",
    "tool_choice",
];

/// Returns the body of a streamed request for `model`.
pub(in crate::wire) fn encode(request: &ChatRequest, model: &str, profile: &ModelProfile, vendor: &Vendor) -> Vec<u8> {
    let paired = without_unpaired(&request.history, vendor);
    let paired = paired.map(|history| ChatRequest { history, ..request.clone() });
    let request = paired.as_ref().unwrap_or(request);
    let mut body = Vec::with_capacity(1024 + 256 * request.history.len());
    match &vendor.version_in_body {
        Some(version) => {
            body.extend_from_slice(b"{\"anthropic_version\":");
            write_json(&mut body, version);
        }
        None => {
            body.extend_from_slice(b"{\"model\":");
            write_json(&mut body, model);
        }
    }
    let shape = request.params.output_schema.as_deref();
    let format = shape.filter(|_| takes_formats(request, profile, vendor)).and_then(|shape| closed(shape.schema.get()));
    write_settings(&mut body, request, profile, thinking(request, profile, vendor), format.as_deref());
    let described = shape.filter(|_| format.is_none());
    if let Some(instructions) = instructions_with(request, described) {
        body.extend_from_slice(b",\"system\":[{\"type\":\"text\",\"text\":");
        write_json(&mut body, instructions.as_ref());
        body.extend_from_slice(CACHE_HINT);
        body.push(b']');
    }
    body.extend_from_slice(b",\"messages\":[");
    write_messages(&mut body, request, vendor);
    body.extend_from_slice(b"],\"stream\":true");
    write_tools(&mut body, request);
    body.push(b'}');
    body
}

fn write_messages(body: &mut Vec<u8>, request: &ChatRequest, vendor: &Vendor) {
    let form = format!("anthropic {}", vendor.name).into();
    let mut open: Option<&str> = None;
    let encode = |message: &Message, caller: Option<&Message>| encode_blocks(message, caller, vendor);
    each_sent(request, form, encode, |message, blocks| {
        if blocks.is_empty() {
            return;
        }
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        if open == Some(role) {
            body.push(b',');
        } else {
            body.extend_from_slice(if open.is_some() { b"]},{\"role\":" } else { b"{\"role\":" });
            write_json(body, role);
            body.extend_from_slice(b",\"content\":[");
            open = Some(role);
        }
        body.extend_from_slice(blocks);
    });
    if open == Some("user") && body.pop_if(|last| *last == b'}').is_some() {
        body.extend_from_slice(CACHE_HINT);
    }
    if open.is_some() {
        body.extend_from_slice(b"]}");
    }
}

fn write_tools(body: &mut Vec<u8>, request: &ChatRequest) {
    for (number, tool) in request.tools.iter().enumerate() {
        body.extend_from_slice(if number == 0 { b",\"tools\":[{\"name\":" } else { b",{\"name\":" });
        write_json(body, &tool.name);
        body.extend_from_slice(b",\"description\":");
        write_json(body, &tool.description);
        body.extend_from_slice(b",\"input_schema\":");
        body.extend_from_slice(tool.parameters.get().as_bytes());
        body.push(b'}');
    }
    if !request.tools.is_empty() {
        body.push(b']');
        if request.tool_choice == ToolChoice::None {
            body.extend_from_slice(b",\"tool_choice\":{\"type\":\"none\"}");
        }
    }
}

fn write_settings(
    body: &mut Vec<u8>,
    request: &ChatRequest,
    profile: &ModelProfile,
    thinking: Option<ThinkingSetting>,
    format: Option<&RawValue>,
) {
    let extra = if let Some(ThinkingSetting::Budget(budget)) = thinking { budget } else { 0 };
    let most = MAX_TOKENS.saturating_add(extra).min(profile.max_output.unwrap_or(u32::MAX));
    body.extend_from_slice(b",\"max_tokens\":");
    write_json(body, &request.params.max_tokens.unwrap_or(most));
    match thinking {
        Some(ThinkingSetting::Budget(budget)) => {
            body.extend_from_slice(b",\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":");
            write_json(body, &budget);
            body.push(b'}');
        }
        Some(ThinkingSetting::Effort(_)) => {
            body.extend_from_slice(b",\"thinking\":{\"type\":\"adaptive\"}");
        }
        None => {}
    }
    write_output(body, thinking, format);
    if let Some(temperature) = request.params.temperature.filter(|temperature| temperature.is_finite()) {
        body.extend_from_slice(b",\"temperature\":");
        write_json(body, &temperature);
    }
    if !request.params.stop.is_empty() {
        body.extend_from_slice(b",\"stop_sequences\":");
        write_json(body, &request.params.stop);
    }
}

/// Writes the effort and the format of the answer.
fn write_output(body: &mut Vec<u8>, thinking: Option<ThinkingSetting>, format: Option<&RawValue>) {
    let mut output = Vec::new();
    if let Some(ThinkingSetting::Effort(effort)) = thinking {
        output.extend_from_slice(b",\"effort\":");
        write_json(&mut output, effort);
    }
    if let Some(schema) = format {
        output.extend_from_slice(b",\"format\":{\"type\":\"json_schema\",\"schema\":");
        output.extend_from_slice(schema.get().as_bytes());
        output.push(b'}');
    }
    if let Some(output) = output.strip_prefix(b",") {
        body.extend_from_slice(b",\"output_config\":{");
        body.extend_from_slice(output);
        body.push(b'}');
    }
}

/// Reports whether the vendor enforces the format of the answer.
fn takes_formats(request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) -> bool {
    vendor.structured_output == StructuredOutput::JsonSchema && profile.takes_schemas(!request.tools.is_empty())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThinkingSetting {
    /// A maximum number of tokens, which count as output.
    Budget(u32),
    Effort(&'static str),
}

/// Reports whether the model thinks before it answers this request.
pub(in crate::wire) fn thinks(request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) -> bool {
    thinking(request, profile, vendor).is_some()
}

/// Reports whether the output limit leaves enough tokens for the smallest thinking budget of the wire.
pub(in crate::wire) fn has_room_to_think(request: &ChatRequest, profile: &ModelProfile) -> bool {
    profile.thinking_form.unwrap_or_default() == ThinkingForm::Effort
        || largest_budget(request, profile) >= MIN_THINKING
}

fn thinking(request: &ChatRequest, profile: &ModelProfile, vendor: &Vendor) -> Option<ThinkingSetting> {
    let (budget, effort) = match request.params.thinking? {
        Thinking::Off => return None,
        Thinking::Low => (2_048, "low"),
        Thinking::Medium => (8_192, "medium"),
        Thinking::High => (HIGH_BUDGET, "high"),
        Thinking::Max => (u32::MAX, "max"),
    };
    if !profile.can(Capability::Reasoning) || !continues_thinking(request, vendor) {
        return None;
    }
    match profile.thinking_form.unwrap_or_default() {
        ThinkingForm::Effort => Some(ThinkingSetting::Effort(effort)),
        ThinkingForm::Budget => {
            let most = largest_budget(request, profile);
            Some(ThinkingSetting::Budget(budget.min(most))).filter(|_| most >= MIN_THINKING)
        }
    }
}

/// Returns the largest budget that leaves room for the answer, which is half of the model's output limit if that is
/// small.
fn largest_budget(request: &ChatRequest, profile: &ModelProfile) -> u32 {
    let of_model = || profile.max_output.map_or(HIGH_BUDGET, |most| most - MAX_TOKENS.min(most / 2));
    let most = request.params.max_tokens.map_or_else(of_model, |max_tokens| max_tokens / 2);
    most.min(profile.max_thinking.unwrap_or(u32::MAX))
}

/// Reports whether the model can think in this request. Between a call and its results it must see its earlier
/// thinking, which only its own vendor can replay.
fn continues_thinking(request: &ChatRequest, vendor: &Vendor) -> bool {
    let newest = request.history.iter().rev().map(|entry| entry.message());
    // A message that the user sent during the turn follows results, and is sent in one message with them.
    let mut of_turn = newest.take_while(|message| message.role != Role::User || message.is_steering());
    of_turn.all(|message| {
        let calls =
            message.role == Role::Assistant && message.parts.iter().any(|part| matches!(part, Part::ToolCall(_)));
        !calls || replays_thinking(message, vendor)
    })
}
