//! What a provider's stream says, piece by piece, after its wire has been decoded.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FinishReason, Opaque, Part, RawJson, Str, Usage};

/// What a streamed part will be.
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
    /// A tool the provider ran itself; its text is the input.
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

/// How a tool call begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallHead {
    /// The provider's id of the call; made up by the wire where the provider gave none.
    pub provider_id: Str,
    /// The name of the tool.
    pub name: Str,
}

/// One piece of a streamed answer. Parts are numbered by the wire in the order they start; their pieces may interleave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delta {
    /// A part begins. `call` is set for tool calls, the provider's own included, whose name must be known by then.
    Start {
        /// The part's number.
        part: u16,
        /// What it will be.
        kind: PartKind,
        /// Id and name, for a tool call.
        call: Option<CallHead>,
    },
    /// More text of an open part; for a tool call, more of its arguments.
    Text {
        /// The part's number.
        part: u16,
        /// What is added.
        text: Str,
    },
    /// What must go back to the vendor with an open part. The last one counts.
    Opaque {
        /// The part's number.
        part: u16,
        /// What goes back.
        opaque: Opaque,
    },
    /// The wire said that the part is whole.
    End {
        /// The part's number.
        part: u16,
    },
    /// The usage so far. The last one counts.
    Usage(Usage),
    /// The model stopped. Only usage may follow.
    Finish(FinishReason),
    /// An event of the provider that this version does not know.
    Raw(RawJson),
}

impl Delta {
    /// The beginning of a part that is not a tool call.
    pub fn start(part: u16, kind: PartKind) -> Self {
        Self::Start { part, kind, call: None }
    }

    /// The beginning of a tool call.
    pub fn call(part: u16, provider_id: impl Into<Str>, name: impl Into<Str>) -> Self {
        let call = CallHead { provider_id: provider_id.into(), name: name.into() };
        Self::Start { part, kind: PartKind::ToolCall, call: Some(call) }
    }

    /// The beginning of a tool that the provider runs itself.
    pub fn provider_tool(part: u16, provider_id: impl Into<Str>, name: impl Into<Str>) -> Self {
        let call = CallHead { provider_id: provider_id.into(), name: name.into() };
        Self::Start { part, kind: PartKind::ProviderTool, call: Some(call) }
    }

    /// More text of a part.
    pub fn text(part: u16, text: impl Into<Str>) -> Self {
        Self::Text { part, text: text.into() }
    }

    /// The end of a part.
    pub fn end(part: u16) -> Self {
        Self::End { part }
    }

    /// What must go back to the vendor with an open part.
    pub fn opaque(part: u16, opaque: Opaque) -> Self {
        Self::Opaque { part, opaque }
    }

    /// Whether a person could notice this piece: starts, text and ends.
    pub fn is_output(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Text { .. } | Self::End { .. })
    }
}
