//! The parts of a message.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::blob::BLOB_SCHEME;
use crate::{BlobId, CallUid, Edits, RawJson, ToolErrorKind};

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

/// A call of a tool, made by the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ToolCall {
    /// Our id of the call.
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The provider's id of the call; may repeat within a session.
    pub provider_id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them.
    #[schemars(with = "String")]
    pub arguments: Arguments,
    /// Data that must be sent back to the vendor with the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub extras: Option<Opaque>,
}

/// The arguments of a call, exactly as the model wrote them, valid JSON or not. `{}` for a complete call without
/// arguments.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments(pub String);

impl Arguments {
    /// Returns the arguments as JSON. Empty text and `null` count as `{}`.
    ///
    /// # Errors
    /// Reports where the model's text stops being valid JSON, or that it is nested too deeply.
    pub fn json(&self) -> Result<RawJson, serde_json::Error> {
        RawJson::parse(if self.is_empty() { "{}" } else { &self.0 })
    }

    /// Returns `true` if the call has no arguments: no text, or `null`.
    pub fn is_empty(&self) -> bool {
        matches!(self.0.trim(), "" | "null")
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ToolResult {
    /// The id of the call.
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The tool's name.
    pub name: String,
    /// Whether the call succeeded.
    pub ok: bool,
    /// The content as the model reads it.
    pub content: String,
    /// Additional data for the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// The kind of failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    /// Whether `content` was shortened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The file with the full content, if `content` was shortened and the full content was kept. It is kept as long as
    /// the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kept: Option<BlobId>,
    /// The images that the tool returned. `content` names each of them in its place. They are untrusted if the content
    /// is. A failure has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Whether the content is untrusted: it may contain instructions that the user did not intend. This is set once,
    /// when the result is created, and does not change with the tool. Results of earlier versions do not set it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// A tool that the provider ran itself during its answer, or the result of one. It is neither run nor answered here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ProviderTool {
    /// The provider's id of the call; empty if it sent none.
    pub provider_id: String,
    /// The provider's name of the tool, such as `web_search`.
    pub name: String,
    /// The visible content: a query, code, or the beginning of a result.
    pub input: String,
    /// The provider's own record, which must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Image {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// An `https:` or `data:` URL, or `blob:` followed by the id of a stored file.
    pub url: String,
    /// Data that must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
    /// Whether the image is untrusted: it may show instructions that the user did not intend.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl Image {
    /// The largest image, in bytes: no vendor accepts a larger one.
    pub const MAX_BYTES: u64 = 5 * 1024 * 1024;
    /// The media types of images that models read.
    pub const MEDIA_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

    /// Creates an image at `url` with a known media type.
    pub fn new(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self { media_type: media_type.into(), url: url.into(), opaque: None, outside: false }
    }

    /// Creates an image at `url`. The media type is read from a `data:` URL and stays empty for any other URL.
    pub fn at(url: impl Into<String>) -> Self {
        let url = url.into();
        let media_type = url.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
        Self::new(media_type.unwrap_or_default().to_owned(), url)
    }

    /// Returns the stored file that a `blob:` URL refers to.
    pub fn blob(&self) -> Option<BlobId> {
        blob_at(&self.url)
    }
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

/// Leaves the beginning of a branch out of model requests. A message with [`Mark::Summary`](crate::Mark) holds one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Summary {
    /// The text that is sent in place of the messages; empty if no text is sent.
    pub text: String,
    /// The number of messages that are left out: those with a lower index in the branch, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub covers: u32,
    /// The index of the user's newest message, if it is among the left-out messages. It is still sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeps: Option<u32>,
    /// Whether the model that wrote the text was sent untrusted text, which it may repeat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// Whether the summary also replaces the contexts in the first message of the branch, which is sent without them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contexts: bool,
}

impl Summary {
    /// Returns `true` if the message at this index of the branch is still sent.
    pub fn keeps_message(&self, place: u32) -> bool {
        place >= self.covers || self.keeps == Some(place)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
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

/// A text that the user attached. Models are sent its source, too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Context {
    /// The source of the text, such as a file name.
    pub source: String,
    /// The text.
    pub text: String,
    /// Whether the text is untrusted: it may contain instructions that the user did not intend.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// A document that the user attached, such as a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct File {
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The file name.
    pub name: String,
    /// A `data:` URL, or `blob:` followed by the id of a stored file.
    pub url: String,
    /// Whether the document is untrusted: it may contain instructions that the user did not intend.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl File {
    /// Returns the stored file that a `blob:` URL refers to.
    pub fn blob(&self) -> Option<BlobId> {
        blob_at(&self.url)
    }
}

fn blob_at(url: &str) -> Option<BlobId> {
    url.strip_prefix(BLOB_SCHEME)?.parse().ok()
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
            Self::ToolResult(ToolResult { outside, .. })
            | Self::Context(Context { outside, .. })
            | Self::Image(Image { outside, .. })
            | Self::File(File { outside, .. }) => *outside = true,
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

// serde buffers internally tagged enums, which does not preserve raw JSON. So the tag is read first, then the whole
// part.
impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Head {
            r#type: Kind,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "snake_case")]
        enum Kind {
            Text,
            Reasoning,
            ToolCall,
            ToolResult,
            ProviderTool,
            Image,
            Data,
            Summary,
            Notice,
            Context,
            File,
            Edits,
        }
        fn read<'a, T: Deserialize<'a>, E: serde::de::Error>(raw: &'a str) -> Result<T, E> {
            serde_json::from_str(raw).map_err(E::custom)
        }

        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let head: Head = serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(match head.r#type {
            Kind::Text => Self::Text(read(raw.get())?),
            Kind::Reasoning => Self::Reasoning(read(raw.get())?),
            Kind::ToolCall => Self::ToolCall(read(raw.get())?),
            Kind::ToolResult => Self::ToolResult(read(raw.get())?),
            Kind::ProviderTool => Self::ProviderTool(read(raw.get())?),
            Kind::Image => Self::Image(read(raw.get())?),
            Kind::Data => Self::Data(read(raw.get())?),
            Kind::Summary => Self::Summary(read(raw.get())?),
            Kind::Notice => Self::Notice(read(raw.get())?),
            Kind::Context => Self::Context(read(raw.get())?),
            Kind::File => Self::File(read(raw.get())?),
            Kind::Edits => Self::Edits(read(raw.get())?),
        })
    }
}
