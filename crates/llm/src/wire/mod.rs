//! Wires: how requests and answers look to a provider. Pure data in, pure data out.
//!
//! ```
//! use turnkit_core::{Delta, FinishReason, PartKind};
//! use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};
//!
//! let vendor = Vendor::of(Wire::OpenaiChat, "api.openai.com");
//! let mut decoder = AnswerDecoder::new(Wire::OpenaiChat, &vendor);
//! let mut deltas = Vec::new();
//! let chunk = r#"{"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":"stop"}]}"#;
//! decoder.push(format!("data: {chunk}\n\n").as_bytes(), &mut deltas).unwrap();
//! decoder.end(&mut deltas).unwrap();
//! assert_eq!(deltas, [
//!     Delta::start(0, PartKind::Text),
//!     Delta::text(0, "hello"),
//!     Delta::Finish(FinishReason::Stop),
//! ]);
//! ```

mod anthropic;
mod arguments;
mod closed;
mod counted;
mod decode;
mod decoded;
mod failure;
mod gemini;
mod json;
mod keywords;
mod left_out;
mod lenient;
mod limit;
mod markup;
mod missing_model;
mod openai_chat;
mod openai_responses;
mod output;
mod parts;
mod sent;
mod surrogates;
mod this_request;
mod transcript;
mod unsupported;
mod vendor;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use turnkit_core::{ChatRequest, ProviderError, Usage};

pub use counted::Counted;
pub use decode::AnswerDecoder;
pub use decoded::{DecodedCall, DecodedResponse, Framing, Outcome, RecordedResponse};
pub use failure::ErrorResponse;
pub(crate) use left_out::LeftOut;
pub use vendor::{OutputLimit, StructuredOutput, Vendor};

use crate::profile::ModelProfile;
use decode::Decode;

/// A format of requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    /// OpenAI's Chat Completions, as its many compatible servers speak it.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
    /// Google's generateContent.
    Gemini,
}

impl Wire {
    /// Every wire there is.
    pub const ALL: [Self; 4] = [Self::OpenaiChat, Self::OpenaiResponses, Self::Anthropic, Self::Gemini];

    /// The word for it, as in the configuration's `api`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The wire that [`name`](Self::name) gives this word for.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.name() == name)
    }

    /// What is added to an endpoint's address to ask `model` for a streamed answer.
    pub fn path(self, model: &str) -> Cow<'static, str> {
        match self {
            Self::OpenaiChat => "/chat/completions".into(),
            Self::OpenaiResponses => "/responses".into(),
            Self::Anthropic => "/messages".into(),
            Self::Gemini => gemini::path(model),
        }
    }

    /// What is added to an endpoint's address to list its models.
    pub fn models_path(self) -> &'static str {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => "/models",
            // Lists come in pages: one page takes all there are.
            Self::Anthropic => "/models?limit=1000",
            Self::Gemini => "/models?pageSize=1000",
        }
    }

    /// The header that carries `key`, and what it says.
    pub fn key_header(self, key: &str) -> (&'static str, Cow<'_, str>) {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => ("authorization", format!("Bearer {key}").into()),
            Self::Anthropic => ("x-api-key", key.into()),
            Self::Gemini => ("x-goog-api-key", key.into()),
        }
    }

    /// The other headers every request has.
    pub fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses | Self::Gemini => &[],
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
        }
    }

    /// The body of a request that asks `model` at `vendor` for a streamed answer. `profile` has the facts about the model
    /// that the request depends on; a default one stands for an unknown model. Settings that the model does not take are left
    /// out. Tools are written as the request has them:
    /// [`ToolDeclarations`](crate::ToolDeclarations) makes them what providers take.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use turnkit_core::{ChatRequest, History, Message, Params, ToolChoice};
    /// use turnkit_llm::profile::ModelProfile;
    /// use turnkit_llm::wire::{Vendor, Wire};
    ///
    /// let request = ChatRequest {
    ///     model: None,
    ///     route: None,
    ///     instructions: Some("Be brief.".into()),
    ///     history: History::of([Message::user("hi")]),
    ///     tools: Arc::new([]),
    ///     params: Params::default(),
    ///     tool_choice: ToolChoice::Auto,
    /// };
    /// let vendor = Vendor::of(Wire::OpenaiChat, "llm.example");
    /// let body = Wire::OpenaiChat.encode(&request, "small", &ModelProfile::default(), &vendor);
    /// assert_eq!(
    ///     String::from_utf8(body).unwrap(),
    ///     concat!(
    ///         r#"{"model":"small","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"hi"}],"#,
    ///         r#""stream":true,"stream_options":{"include_usage":true}}"#,
    ///     )
    /// );
    /// ```
    pub fn encode(self, request: &ChatRequest, model: &str, profile: &ModelProfile, vendor: &Vendor) -> Vec<u8> {
        let reduced = LeftOut::of(request, profile, self, vendor).without(request);
        let request = reduced.as_ref().unwrap_or(request);
        let mut body = match self {
            Self::OpenaiChat => openai_chat::encode(request, model, vendor),
            Self::OpenaiResponses => openai_responses::encode(request, model, profile, vendor),
            Self::Anthropic => anthropic::encode(request, model, profile, vendor),
            Self::Gemini => gemini::encode(request, profile, vendor),
        };
        if !vendor.more_fields.is_empty() && body.pop_if(|last| *last == b'}').is_some() {
            body.push(b',');
            body.extend_from_slice(vendor.more_fields.as_bytes());
            body.push(b'}');
        }
        body
    }

    /// The fields of a body that it writes itself, and nobody else may.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::OpenaiChat => openai_chat::FIELDS,
            Self::OpenaiResponses => openai_responses::FIELDS,
            Self::Anthropic => anthropic::FIELDS,
            Self::Gemini => gemini::FIELDS,
        }
    }

    /// The failure that a response without success stands for. Its message repeats the provider's in full: whoever
    /// knows the key takes that out before cutting the message.
    pub fn classify(self, response: &ErrorResponse<'_>) -> ProviderError {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => openai_chat::classify(response),
            Self::Anthropic => anthropic::classify(response),
            Self::Gemini => gemini::classify(response),
        }
    }

    fn counted(self, usage: &Usage) -> Counted {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => openai_chat::counted(usage),
            Self::Anthropic => anthropic::counted(usage),
            Self::Gemini => gemini::counted(usage),
        }
    }

    fn decoder(self, vendor: &Vendor) -> Box<dyn Decode> {
        match self {
            Self::OpenaiChat => Box::new(openai_chat::Decoder::new(vendor)),
            Self::OpenaiResponses => Box::new(openai_responses::Decoder::new(vendor)),
            Self::Anthropic => Box::new(anthropic::Decoder::new(vendor)),
            Self::Gemini => Box::new(gemini::Decoder::new(vendor)),
        }
    }
}
