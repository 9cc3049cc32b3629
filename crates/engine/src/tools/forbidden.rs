//! Calls that were to run, but do not run.

use std::borrow::Cow;

use serde_json::Map;
use turnkit_core::{ToolCall, ToolErrorKind, ToolResult};

use crate::machine::FinishedCall;

/// The reason why a call that was to run does not run.
pub(crate) struct Forbidden {
    pub(super) kind: ToolErrorKind,
    pub(super) why: Cow<'static, str>,
}

impl Forbidden {
    pub(super) const GONE: Self = Self::denied("the tool no longer exists");
    pub(super) const CHANGED: Self = Self::denied("the tool is not the one that was approved");

    /// Creates the reason of a call that is denied.
    pub(super) const fn denied(why: &'static str) -> Self {
        Self { kind: ToolErrorKind::Denied, why: Cow::Borrowed(why) }
    }

    /// Returns the result of the call.
    pub(crate) fn result(&self, call: &ToolCall) -> FinishedCall {
        let result = ToolResult::failed(call.uid, &call.name, self.kind, &self.why);
        FinishedCall { result, ms: 0, metadata: Map::new(), request: None }
    }
}
