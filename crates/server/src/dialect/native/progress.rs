//! How far a call that runs has come, as JSON: the data of a `tool.progress` frame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{CallUid, Str, ToolProgress, TurnId};

/// What a tool reported last about a call that runs: the data of a `tool.progress` frame, which is no event of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ToolProgressEvent")]
pub struct ProgressJson {
    /// The turn.
    pub turn_id: TurnId,
    /// The call.
    #[schemars(with = "String")]
    pub call_id: CallUid,
    /// What the tool says, of at most 2048 bytes. It takes the place of what it said about the call before.
    #[schemars(with = "String")]
    pub text: Str,
}

impl ProgressJson {
    /// The JSON of a report about a call of `turn`.
    pub fn of(turn: TurnId, progress: &ToolProgress) -> Self {
        Self { turn_id: turn, call_id: progress.uid, text: progress.text.clone() }
    }
}

impl From<ProgressJson> for ToolProgress {
    fn from(json: ProgressJson) -> Self {
        Self { uid: json.call_id, text: json.text }
    }
}
