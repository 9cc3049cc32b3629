//! The parts of a message.

mod attachment;
mod reading;
mod summary;
mod tool_part;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{BlobId, Edits, RawJson};

pub use attachment::{Context, File, Image};
pub use summary::Summary;
pub use tool_part::{Arguments, ProviderTool, ToolCall, ToolResult};

/// One part of a message. Its JSON form has a `type`; text is `{"type":"text","text":…}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Visible text.
    Text(Text),
    /// The model's reasoning.
    Reasoning(Reasoning),
    /// A call of a tool, made by the model.
    ToolCall(ToolCall),
    /// The result of a tool call.
    ToolResult(ToolResult),
    /// A tool that the provider ran itself, or its result.
    ProviderTool(ProviderTool),
    /// An image.
    Image(Image),
    /// Data for the client, not for the model.
    Data(Data),
    /// A summary, which leaves earlier messages out of model requests.
    Summary(Summary),
    /// A notice for the user about how the answer was produced.
    Notice(Notice),
    /// A text that the user attached.
    Context(Context),
    /// A document that the user attached.
    File(File),
    /// Edits, which leave the contents of tool results out of model requests.
    Edits(Edits),
}

impl Part {
    /// Creates a text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), opaque: None })
    }

    /// Returns the text, if this is visible text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// Returns the number of bytes of content in the part.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::ToolResult(result) => {
                let data = result.data.as_ref().map_or(0, |data| data.payload.get().len());
                result.content.len() + data + result.images.iter().map(|image| image.url.len()).sum::<usize>()
            }
            Self::Data(data) => data.payload.get().len(),
            Self::Summary(summary) => summary.text.len(),
            Self::Notice(notice) => notice.text.len(),
            Self::Context(context) => context.text.len(),
            Self::File(file) => file.url.len(),
            Self::Edits(_) => 0,
            Self::Text(_) | Self::Reasoning(_) | Self::ToolCall(_) | Self::ProviderTool(_) | Self::Image(_) => {
                self.streamed().len() + self.opaque().map_or(0, |opaque| opaque.data.get().len())
            }
        }
    }

    /// Marks the part as untrusted text, if it is a tool result or something that the user attached.
    #[must_use]
    pub fn into_untrusted(mut self) -> Self {
        match &mut self {
            Self::ToolResult(ToolResult { untrusted, .. })
            | Self::Context(Context { untrusted, .. })
            | Self::Image(Image { untrusted, .. })
            | Self::File(File { untrusted, .. }) => *untrusted = true,
            _ => {}
        }
        self
    }

    /// Returns the data that must be sent back to the vendor with the part.
    pub fn opaque(&self) -> Option<&Opaque> {
        match self {
            Self::Text(text) => text.opaque.as_ref(),
            Self::Reasoning(reasoning) => reasoning.opaque.as_ref(),
            Self::ToolCall(call) => call.extras.as_ref(),
            Self::ProviderTool(tool) => tool.opaque.as_ref(),
            Self::Image(image) => image.opaque.as_ref(),
            Self::ToolResult(_)
            | Self::Data(_)
            | Self::Summary(_)
            | Self::Notice(_)
            | Self::Context(_)
            | Self::File(_)
            | Self::Edits(_) => None,
        }
    }

    /// Returns the images of the part: the image that it is, or those of a tool result.
    pub fn images(&self) -> &[Image] {
        match self {
            Self::Image(image) => std::slice::from_ref(image),
            Self::ToolResult(result) => &result.images,
            _ => &[],
        }
    }

    /// Returns the stored files that `blob:` URLs of the part refer to.
    pub fn blobs(&self) -> impl Iterator<Item = BlobId> {
        let document = match self {
            Self::File(file) => file.blob(),
            _ => None,
        };
        self.images().iter().filter_map(Image::blob).chain(document)
    }

    /// Returns the part as clients receive it, without opaque vendor data.
    #[must_use]
    pub fn without_opaque(mut self) -> Self {
        match &mut self {
            Self::Text(text) => text.opaque = None,
            Self::Reasoning(reasoning) => reasoning.opaque = None,
            Self::ToolCall(call) => call.extras = None,
            Self::ProviderTool(tool) => tool.opaque = None,
            Self::Image(image) => image.opaque = None,
            Self::ToolResult(_)
            | Self::Data(_)
            | Self::Summary(_)
            | Self::Notice(_)
            | Self::Context(_)
            | Self::File(_)
            | Self::Edits(_) => {}
        }
        self
    }

    /// Returns the text that was streamed for this part: visible text, reasoning, the arguments of a call, the input of
    /// a provider's tool, or the URL of an image.
    pub fn streamed(&self) -> &str {
        match self {
            Self::Text(text) => &text.text,
            Self::Reasoning(reasoning) => &reasoning.text,
            Self::ToolCall(call) => &call.arguments.0,
            Self::ProviderTool(tool) => &tool.input,
            Self::Image(image) => &image.url,
            _ => "",
        }
    }
}

/// Visible text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Data that must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// The model's reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Reasoning {
    /// The text that the provider discloses.
    pub text: String,
    /// Data that must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// Data that only its vendor can interpret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// The vendor that created the data.
    pub vendor: String,
    /// The data, kept byte for byte.
    pub data: RawJson,
}

/// Additional data for the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Data {
    /// The type of the payload.
    pub kind: String,
    /// The payload.
    #[schemars(with = "serde_json::Value")]
    pub payload: RawJson,
}

/// A notice for the user about how the answer was produced. It is not sent to models.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Notice {
    /// A code for programs, such as `failed_over`.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Whether the notice reports an error of the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
}
