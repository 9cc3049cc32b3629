//! The summary that takes the place of earlier messages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    #[serde(rename = "outside", default, skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
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
