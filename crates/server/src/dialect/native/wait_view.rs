//! An interaction of a turn in the form that a page displays, as JSON.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{InteractionRequest, InteractionResolution, WaitView};

/// An interaction that a call waits for, or waited for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "WaitView")]
pub struct WaitBody<'a> {
    /// The decision that is needed.
    #[serde(flatten)]
    pub request: Cow<'a, InteractionRequest>,
    /// The resolution, once the turn has continued with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided: Option<Cow<'a, InteractionResolution>>,
    /// Whether arguments, the preview or a result of a client's tool are truncated, as may happen in pages of turns.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The sequence number of the event that began the wait.
    pub since: u32,
}

impl<'a> WaitBody<'a> {
    pub(super) fn new(wait: &'a WaitView) -> Self {
        Self {
            request: Cow::Borrowed(&*wait.request),
            decided: wait.decided.as_deref().map(Cow::Borrowed),
            more: false,
            since: wait.since,
        }
    }
}
