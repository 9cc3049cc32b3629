//! Parts about tools: calls, their results, and tools of the provider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Data, Image, Opaque};
use crate::{BlobId, CallUid, RawJson, ToolErrorKind};

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
    #[serde(rename = "outside", default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
}

impl ToolResult {
    /// Creates the result of a call that succeeded, with text alone.
    pub fn new(uid: CallUid, name: impl Into<String>, content: impl Into<String>) -> Self {
        Self {
            uid,
            name: name.into(),
            ok: true,
            content: content.into(),
            data: None,
            error: None,
            truncated: false,
            kept: None,
            images: Vec::new(),
            untrusted: false,
        }
    }
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
