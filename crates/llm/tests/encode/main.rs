//! Tests the request bodies that a provider receives.
#![expect(clippy::unwrap_used, reason = "a body that is not JSON fails the test")]

mod anthropic;
mod files;
mod gemini;
mod notices;
mod openai_chat;
mod openai_responses;
mod output_schema;
mod prefix;
mod profile;
mod result_images;
mod sampling;
mod without_tools;

use turnkit_core::{
    Arguments, CallUid, ChatRequest, Data, History, Image, Message, Notice, Opaque, Params, Part, RawJson, Reasoning,
    Role, ToolCall, ToolChoice, ToolDefinition, ToolResult, TurnId,
};
use turnkit_llm::catalogue;
use turnkit_llm::profile::ModelProfile;

/// Returns a request that declares a tool if the history contains calls.
pub(crate) fn request(history: impl IntoIterator<Item = Message>) -> ChatRequest {
    let history = History::of(history);
    let has_calls = history.iter().any(|entry| entry.message().calls().next().is_some());
    let add = || ToolDefinition::new("add", "Adds.", r#"{"type":"object"}"#).unwrap();
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history,
        tools: has_calls.then(add).into_iter().collect(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

/// Returns the facts about a model at a vendor.
pub(crate) fn known(vendor: &str, model: &str) -> ModelProfile {
    catalogue::find(Some(vendor), model).unwrap_or_default()
}

pub(crate) fn uid(ordinal: u16) -> CallUid {
    CallUid { turn: TurnId::default(), step: 1, ordinal }
}

pub(crate) fn call(ordinal: u16, provider_id: &str, arguments: &str) -> Part {
    let (provider_id, arguments) = (provider_id.to_owned(), Arguments(arguments.to_owned()));
    Part::ToolCall(ToolCall { uid: uid(ordinal), provider_id, name: "add".to_owned(), arguments, extras: None })
}

pub(crate) fn result(ordinal: u16, content: &str) -> Part {
    Part::ToolResult(ToolResult {
        uid: uid(ordinal),
        name: "add".to_owned(),
        ok: true,
        content: content.to_owned(),
        data: None,
        error: None,
        truncated: false,
        kept: None,
        images: Vec::new(),
        // The origin of a result is for the engine only.
        untrusted: true,
    })
}

pub(crate) fn assistant(parts: Vec<Part>) -> Message {
    Message::new(Role::Assistant, parts)
}

pub(crate) fn image() -> Part {
    Part::Image(Image::new("image/png", "https://host/cat.png"))
}

pub(crate) fn hidden() -> [Part; 2] {
    [
        Part::Data(Data { kind: "chart".to_owned(), payload: RawJson::parse("{}").unwrap() }),
        Part::Notice(Notice {
            code: "failed_over".to_owned(),
            text: "another provider answered".to_owned(),
            error: false,
        }),
    ]
}

/// Returns reasoning produced by `vendor`, with the data that the vendor requires back.
pub(crate) fn thought(text: &str, vendor: &str, opaque: &str) -> Part {
    Part::Reasoning(Reasoning { text: text.to_owned(), opaque: Some(made_by(vendor, opaque)) })
}

pub(crate) fn made_by(vendor: &str, opaque: &str) -> Opaque {
    Opaque { vendor: vendor.to_owned(), data: RawJson::parse(opaque).unwrap() }
}
