//! Failed tool calls as a model reads them.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::{CallUid, ToolErrorKind, ToolResult};

/// The maximum length of a tool name, in bytes.
const MAX_NAME_BYTES: usize = 128;

/// A failure as a model reads it, on every wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ToolFailure<'a> {
    /// The reason, as a sentence.
    pub error: &'a str,
    /// The failure code, for models that know these codes.
    pub code: &'static str,
    /// Whether another call with other arguments may succeed without duplicating an effect.
    pub retryable: bool,
}

impl ToolResult {
    /// Creates the result of a failed call. `why` completes a sentence that begins with the tool.
    pub fn failed(uid: CallUid, name: &str, kind: ToolErrorKind, why: impl fmt::Display) -> Self {
        let content = format!("Error executing {name}: {why}");
        Self { ok: false, error: Some(kind), ..Self::new(uid, name, content) }
    }

    /// Returns the result as a model reads it: the content of a success unchanged, or a failure as a JSON object with
    /// `error`, `code` and `retryable`.
    ///
    /// ```
    /// use turnkit_core::{CallUid, ToolErrorKind, ToolResult, TurnId};
    ///
    /// let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    /// let result = ToolResult::failed(uid, "pay", ToolErrorKind::Denied, "not today");
    /// let read = r#"{"error":"Error executing pay: not today","code":"USER_DENIED","retryable":false}"#;
    /// assert_eq!(result.to_model_text(), read);
    /// ```
    pub fn to_model_text(&self) -> Cow<'_, str> {
        let failure = self.failure().and_then(|failure| serde_json::to_string(&failure).ok());
        failure.map_or(Cow::Borrowed(&self.content), Cow::Owned)
    }

    /// Returns the failure; `None` for a success.
    pub fn failure(&self) -> Option<ToolFailure<'_>> {
        let retryable = self.error.is_some_and(ToolErrorKind::is_retryable);
        (!self.ok).then(|| ToolFailure { error: &self.content, code: self.code(), retryable })
    }

    fn code(&self) -> &'static str {
        match self.error {
            Some(ToolErrorKind::UnknownTool) if !is_tool_name(&self.name) => "INVALID_TOOL_NAME",
            Some(ToolErrorKind::UnknownTool) => "TOOL_NOT_FOUND",
            Some(ToolErrorKind::Denied) => "USER_DENIED",
            Some(ToolErrorKind::Cancelled) => "USER_CANCELED",
            Some(ToolErrorKind::TimedOut) => "TIMEOUT",
            Some(
                ToolErrorKind::InvalidArguments
                | ToolErrorKind::Incomplete
                | ToolErrorKind::Failed
                | ToolErrorKind::TooManyCalls
                | ToolErrorKind::OutcomeUnknown
                | ToolErrorKind::Repeated,
            )
            | None => "EXECUTION_ERROR",
        }
    }
}

/// Reports whether `name` is a valid tool name.
pub(crate) fn is_tool_name(name: &str) -> bool {
    let is_legal = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.:/".contains(&byte);
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_legal)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::TurnId;

    fn read(name: &str, error: Option<ToolErrorKind>) -> Value {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let content = "it \"failed\"\n".to_owned();
        let failed = ToolResult::failed(uid, name, ToolErrorKind::Failed, "");
        let result = ToolResult { content, error, ..failed };
        serde_json::from_str(&result.to_model_text()).unwrap()
    }

    #[test]
    fn a_model_reads_why_a_call_failed_with_a_code_and_whether_to_try_again() {
        use ToolErrorKind::*;
        for (name, error, code, retryable) in [
            ("pay", Some(UnknownTool), "TOOL_NOT_FOUND", false),
            ("mcp:a/b.c-d_1", Some(UnknownTool), "TOOL_NOT_FOUND", false),
            ("", Some(UnknownTool), "INVALID_TOOL_NAME", false),
            ("pay <now>", Some(UnknownTool), "INVALID_TOOL_NAME", false),
            ("(unnamed)", Some(UnknownTool), "INVALID_TOOL_NAME", false),
            ("pay", Some(InvalidArguments), "EXECUTION_ERROR", true),
            ("pay", Some(Incomplete), "EXECUTION_ERROR", true),
            ("pay", Some(Failed), "EXECUTION_ERROR", false),
            ("pay", Some(TimedOut), "TIMEOUT", false),
            ("pay", Some(Cancelled), "USER_CANCELED", false),
            ("pay", Some(Denied), "USER_DENIED", false),
            ("pay", Some(TooManyCalls), "EXECUTION_ERROR", false),
            ("pay", Some(OutcomeUnknown), "EXECUTION_ERROR", false),
            ("pay", Some(Repeated), "EXECUTION_ERROR", false),
            ("pay", None, "EXECUTION_ERROR", false),
        ] {
            let expected = json!({ "error": "it \"failed\"\n", "code": code, "retryable": retryable });
            assert_eq!(read(name, error), expected, "{name} {error:?}");
        }
    }
}
