//! Wires: the formats of requests and answers at providers. They convert data and do no I/O.
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
mod reported_tokens;
mod request_specific;
mod sent;
mod surrogates;
mod transcript;
mod unsupported;
mod vendor;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use turnkit_core::{ChatRequest, ProviderError, Usage};

pub use decode::AnswerDecoder;
pub use decoded::{DecodedCall, DecodedResponse, Framing, Outcome, RecordedResponse};
pub use failure::ErrorResponse;
pub(crate) use left_out::LeftOut;
pub use reported_tokens::ReportedTokens;
pub use vendor::{OutputLimit, StructuredOutput, Vendor};

use crate::profile::ModelProfile;
use decode::Decode;

/// A format of requests and answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wire {
    /// OpenAI's Chat Completions, as used by many compatible servers.
    OpenaiChat,
    /// OpenAI's Responses API.
    OpenaiResponses,
    /// Anthropic's Messages API.
    Anthropic,
    /// Google's generateContent.
    Gemini,
}

impl Wire {
    /// All wires.
    pub const ALL: [Self; 4] = [Self::OpenaiChat, Self::OpenaiResponses, Self::Anthropic, Self::Gemini];

    /// Returns the wire's name, as in the configuration's `api`.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// Returns the wire with this [`name`](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wire| wire.name() == name)
    }

    /// Returns the path of streamed calls to `model`, relative to an endpoint's address.
    pub fn path(self, model: &str) -> Cow<'static, str> {
        match self {
            Self::OpenaiChat => "/chat/completions".into(),
            Self::OpenaiResponses => "/responses".into(),
            Self::Anthropic => "/messages".into(),
            Self::Gemini => gemini::path(model),
        }
    }

    /// Returns the path of the list of models, relative to an endpoint's address.
    pub fn models_path(self) -> &'static str {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => "/models",
            // Lists are paged: this limit puts all models on one page.
            Self::Anthropic => "/models?limit=1000",
            Self::Gemini => "/models?pageSize=1000",
        }
    }

    /// Returns the name and value of the header that carries `key`.
    pub fn key_header(self, key: &str) -> (&'static str, Cow<'_, str>) {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => ("authorization", format!("Bearer {key}").into()),
            Self::Anthropic => ("x-api-key", key.into()),
            Self::Gemini => ("x-goog-api-key", key.into()),
        }
    }

    /// Returns the other headers of every request.
    pub fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses | Self::Gemini => &[],
            Self::Anthropic => &[("anthropic-version", "2023-06-01")],
        }
    }

    /// Encodes the body of a streamed request to `model` at `vendor`. `profile` holds the facts about the model that
    /// affect the request; use the default for an unknown model. Settings that the model does not support are omitted.
    /// Tools are written unchanged: [`ToolDeclarations`](crate::ToolDeclarations) adapts them to providers.
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

    /// Returns the body fields that the wire writes itself. Configured fields must not use these names.
    pub(crate) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::OpenaiChat => openai_chat::FIELDS,
            Self::OpenaiResponses => openai_responses::FIELDS,
            Self::Anthropic => anthropic::FIELDS,
            Self::Gemini => gemini::FIELDS,
        }
    }

    /// Returns the error for a response without success. Its message repeats the provider's message in full. A caller
    /// that knows the key must remove it before truncating the message.
    pub fn classify(self, response: &ErrorResponse<'_>) -> ProviderError {
        match self {
            Self::OpenaiChat | Self::OpenaiResponses => openai_chat::classify(response),
            Self::Anthropic => anthropic::classify(response),
            Self::Gemini => gemini::classify(response),
        }
    }

    fn counted(self, usage: &Usage) -> ReportedTokens {
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
