//! The content of a provider's stream as deltas, after the wire format has been decoded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FinishReason, Opaque, Part, RawJson, Str, Usage};

/// The type of a streamed part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Visible text.
    Text,
    /// The model's reasoning.
    Reasoning,
    /// A tool call; its text is the arguments.
    ToolCall,
    /// An image; its text is the URL.
    Image,
    /// A tool that the provider ran itself; its text is the input.
    ProviderTool,
}

impl PartKind {
    /// Returns the kind of the streamed part that became `part`, and the tool's name for a call. `None` for a part that
    /// models do not stream.
    pub fn of(part: &Part) -> Option<(Self, Option<&str>)> {
        match part {
            Part::Text(_) => Some((Self::Text, None)),
            Part::Reasoning(_) => Some((Self::Reasoning, None)),
            Part::ToolCall(call) => Some((Self::ToolCall, Some(&call.name))),
            Part::ProviderTool(tool) => Some((Self::ProviderTool, Some(&tool.name))),
            Part::Image(_) => Some((Self::Image, None)),
            Part::ToolResult(_)
            | Part::Data(_)
            | Part::Summary(_)
            | Part::Notice(_)
            | Part::Context(_)
            | Part::File(_)
            | Part::Edits(_) => None,
        }
    }
}

/// The id and name of a streamed tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallHead {
    /// The provider's id of the call. The wire generates one if the provider sends none.
    pub provider_id: Str,
    /// The name of the tool.
    pub name: Str,
}

/// One delta of a streamed answer. The wire numbers parts in the order in which they start; deltas of different parts
/// may interleave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// A part begins. `call` is set for tool calls, including those that the provider runs itself. The name must be
    /// known by then.
    Start {
        /// The part's number.
        part: u16,
        /// The type of the part.
        kind: PartKind,
        /// The id and name of a tool call.
        call: Option<CallHead>,
    },
    /// More text of an open part; for a tool call, more of its arguments.
    Text {
        /// The part's number.
        part: u16,
        /// The text to append.
        text: Str,
    },
    /// Opaque data of an open part, which must be sent back to the vendor. The last one replaces earlier ones.
    Opaque {
        /// The part's number.
        part: u16,
        /// The data.
        opaque: Opaque,
    },
    /// The wire reported that the part is complete.
    End {
        /// The part's number.
        part: u16,
    },
    /// The usage so far. The last one replaces earlier ones.
    Usage(Usage),
    /// The model stopped. Only usage may follow.
    Finish(FinishReason),
    /// A provider event that this version does not know.
    Raw(RawJson),
}

impl Delta {
    /// Creates the start of a part that is not a tool call.
    pub fn start(part: u16, kind: PartKind) -> Self {
        Self::Start { part, kind, call: None }
    }

    /// Creates the start of a tool call.
    pub fn call(part: u16, provider_id: impl Into<Str>, name: impl Into<Str>) -> Self {
        let call = CallHead { provider_id: provider_id.into(), name: name.into() };
        Self::Start { part, kind: PartKind::ToolCall, call: Some(call) }
    }

    /// Creates the start of a tool that the provider runs itself.
    pub fn provider_tool(part: u16, provider_id: impl Into<Str>, name: impl Into<Str>) -> Self {
        let call = CallHead { provider_id: provider_id.into(), name: name.into() };
        Self::Start { part, kind: PartKind::ProviderTool, call: Some(call) }
    }

    /// Creates a delta with more text of a part.
    pub fn text(part: u16, text: impl Into<Str>) -> Self {
        Self::Text { part, text: text.into() }
    }

    /// Creates the end of a part.
    pub fn end(part: u16) -> Self {
        Self::End { part }
    }

    /// Creates a delta with opaque data of an open part.
    pub fn opaque(part: u16, opaque: Opaque) -> Self {
        Self::Opaque { part, opaque }
    }

    /// Returns `true` if the delta is visible to a user: a start, text or an end.
    pub fn is_output(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Text { .. } | Self::End { .. })
    }
}
