//! The progress of a running tool call, as JSON: the data of a `tool.progress` frame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{CallUid, Str, ToolProgress, TurnId};

/// The latest progress report of a running tool call: the data of a `tool.progress` frame, which is not an event of the
/// log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ToolProgressEvent")]
pub struct ProgressBody {
    /// The turn.
    pub turn_id: TurnId,
    /// The call.
    #[schemars(with = "String")]
    pub call_id: CallUid,
    /// The report, at most 2048 bytes. It replaces the previous report about the call.
    #[schemars(with = "String")]
    pub text: Str,
}

impl ProgressBody {
    /// Returns the JSON of a progress report about a call of `turn`.
    pub fn new(turn: TurnId, progress: &ToolProgress) -> Self {
        Self { turn_id: turn, call_id: progress.uid, text: progress.text.clone() }
    }
}

impl From<ProgressBody> for ToolProgress {
    fn from(json: ProgressBody) -> Self {
        Self { uid: json.call_id, text: json.text }
    }
}
