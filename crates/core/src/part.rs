//! What a message is made of.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::blob::BLOB_SCHEME;
use crate::{BlobId, CallUid, Edits, RawJson, ToolErrorKind};

/// One piece of a message. Its JSON form carries a `type`; text is `{"type":"text","text":…}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Part {
    /// Visible text.
    Text(Text),
    /// The model's reasoning.
    Reasoning(Reasoning),
    /// A tool the model wants to be run.
    ToolCall(ToolCall),
    /// What came of a call.
    ToolResult(ToolResult),
    /// A tool the provider ran itself, or what came of it.
    ProviderTool(ProviderTool),
    /// A picture.
    Image(Image),
    /// Data for the client, not for the model.
    Data(Data),
    /// Leaves out earlier messages in what a model is sent.
    Summary(Summary),
    /// Something the user should know about how the answer came to be.
    Notice(Notice),
    /// A text that the user sends along.
    Context(Context),
    /// A document that the user sends along.
    File(File),
    /// Leaves out the contents of tool results in what a model is sent.
    Edits(Edits),
}

/// Visible text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Text {
    /// The text.
    pub text: String,
    /// What must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// The model's reasoning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Reasoning {
    /// What the provider shows of it.
    pub text: String,
    /// What must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// Something only its vendor understands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// Who made it.
    pub vendor: String,
    /// The bytes.
    pub data: RawJson,
}

/// A tool the model wants to be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ToolCall {
    /// Our identity of the call.
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The provider's id of it; may repeat within a session.
    pub provider_id: String,
    /// The tool's name.
    pub name: String,
    /// What the model passes.
    #[schemars(with = "String")]
    pub arguments: Arguments,
    /// What the vendor wants back with the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub extras: Option<Opaque>,
}

/// The arguments of a call, exactly as the model wrote them, valid JSON or not; `{}` for a whole call without any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arguments(pub String);

impl Arguments {
    /// The arguments as JSON; nothing at all and `null` count as `{}`.
    ///
    /// # Errors
    /// Says where the model's text stops being JSON, or that it is nested too deeply.
    pub fn json(&self) -> Result<RawJson, serde_json::Error> {
        RawJson::parse(if self.is_nothing() { "{}" } else { &self.0 })
    }

    /// Reports whether the call has no arguments: no text, or `null`.
    pub fn is_nothing(&self) -> bool {
        matches!(self.0.trim(), "" | "null")
    }
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ToolResult {
    /// Which call.
    #[schemars(with = "String")]
    pub uid: CallUid,
    /// The tool's name.
    pub name: String,
    /// Whether the tool did what it was asked to.
    pub ok: bool,
    /// What the model reads.
    pub content: String,
    /// What the client gets besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Data>,
    /// What kind of failure it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolErrorKind>,
    /// Whether `content` was shortened.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The file with the whole content, if `content` was shortened and the whole was kept. It is kept as long as the turn is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub kept: Option<BlobId>,
    /// Whether the content is from outside: it may tell a model to do what the user does not want. Whoever made the result says
    /// so once, whatever becomes of the tool. Results of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// A tool the provider ran itself while it answered, or what came of one. There is nothing to run and nothing to answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct ProviderTool {
    /// The provider's id of it; empty where it gave none.
    pub provider_id: String,
    /// What the provider calls it, such as `web_search`.
    pub name: String,
    /// What can be shown of it: a query, code, the beginning of a result.
    pub input: String,
    /// The provider's own record, which the same vendor wants back byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Image {
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// An `https:` or `data:` URL, or `blob:` and the id of an uploaded file.
    pub url: String,
    /// What must be sent back to the same vendor byte for byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub opaque: Option<Opaque>,
    /// Whether it is from outside: what it shows may tell a model to do what the user does not want.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl Image {
    /// A picture at `url`, whose media type is known.
    pub fn new(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self { media_type: media_type.into(), url: url.into(), opaque: None, outside: false }
    }

    /// A picture at `url`; a `data:` URL names its media type, for any other it stays empty.
    pub fn at(url: impl Into<String>) -> Self {
        let url = url.into();
        let media_type = url.strip_prefix("data:").and_then(|rest| rest.split([';', ',']).next());
        Self::new(media_type.unwrap_or_default().to_owned(), url)
    }
}

/// Data for the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Data {
    /// What the payload is.
    pub kind: String,
    /// The payload.
    #[schemars(with = "serde_json::Value")]
    pub payload: RawJson,
}

/// Leaves out the beginning of a branch in what a model is sent. A message with [`Mark::Summary`](crate::Mark) holds one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Summary {
    /// Text that is sent in place of the messages; empty if nothing is.
    pub text: String,
    /// How many messages are left out: those whose place in the branch, from 0, is lower.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub covers: u32,
    /// The place of the newest message of the user, if it is among them. It is sent nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keeps: Option<u32>,
    /// Whether the model that wrote the text was sent text from outside, which it may repeat.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// Whether it also takes the place of the contexts in the first message of the branch, which is sent without them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub contexts: bool,
}

impl Summary {
    /// Reports whether the message at this place of the branch is sent.
    pub fn leaves(&self, place: u32) -> bool {
        place >= self.covers || self.keeps == Some(place)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// Something the user should know about how the answer came to be. Models do not see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Notice {
    /// A word for programs, such as `failed_over`.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// Whether it reports an error of the turn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub error: bool,
}

/// A text that the user sends along. Models are told where it is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Context {
    /// Where it is from, such as the name of a file.
    pub source: String,
    /// The text.
    pub text: String,
    /// Whether it is from outside: it may tell a model to do what the user does not want.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

/// A document that the user sends along, such as a PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct File {
    /// Its media type, such as `application/pdf`.
    pub media_type: String,
    /// Its name.
    pub name: String,
    /// A `data:` URL, or `blob:` and the id of an uploaded file.
    pub url: String,
    /// Whether it is from outside: what it says may tell a model to do what the user does not want.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
}

impl Part {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), opaque: None })
    }

    /// The text, if this is visible text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(&text.text),
            _ => None,
        }
    }

    /// How many bytes of content it holds.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::ToolResult(result) => {
                result.content.len() + result.data.as_ref().map_or(0, |data| data.payload.get().len())
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

    /// The same part as one that is from outside, if it is a result or something that the user sends along.
    #[must_use]
    pub fn from_outside(mut self) -> Self {
        match &mut self {
            Self::ToolResult(ToolResult { outside, .. })
            | Self::Context(Context { outside, .. })
            | Self::Image(Image { outside, .. })
            | Self::File(File { outside, .. }) => *outside = true,
            _ => {}
        }
        self
    }

    /// What its vendor wants back with it.
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

    /// The uploaded file that a `blob:` URL names.
    pub fn blob(&self) -> Option<BlobId> {
        let url = match self {
            Self::Image(image) => &image.url,
            Self::File(file) => &file.url,
            _ => return None,
        };
        url.strip_prefix(BLOB_SCHEME)?.parse().ok()
    }

    /// The part as a client is shown it: what only its vendor understands stays with us.
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

    /// The text that was streamed to make this part: visible text, reasoning, the arguments of a call, the input of a
    /// provider's tool, or the URL of an image.
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

// serde buffers internally tagged enums, and carried JSON does not survive the buffer: read the tag, then the whole.
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
