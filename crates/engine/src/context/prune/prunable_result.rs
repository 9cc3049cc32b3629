//! The tool results of a history, each with its call.

use turnkit_core::{History, Message, Part, Role, ToolCall, ToolErrorKind, ToolResult};

use super::patterns;
use crate::context::tokens;

/// The maximum distance in messages between a result and its repetition.
const REPEATED_WITHIN: usize = 3;

/// A tool result that is sent to the model.
pub(super) struct PrunableResult<'a> {
    /// The place of its message in the branch.
    pub(super) message: u32,
    /// Its place in the message.
    part: u32,
    /// The index of its message among those that are sent.
    number: usize,
    pub(super) result: &'a ToolResult,
    /// The call, unless it is missing from the history.
    pub(super) call: Option<&'a ToolCall>,
    /// The tokens of its content and its images.
    pub(super) tokens: u64,
}

/// Returns the results of a history, in order.
pub(super) fn prunable_results(history: &History) -> Vec<PrunableResult<'_>> {
    let (mut outcomes, mut asked) = (Vec::new(), None);
    for (number, shown) in history.shown().enumerate() {
        let message = shown.entry.message();
        match message.role {
            Role::Assistant => asked = Some(message),
            Role::Tool => {
                let results = (0..).zip(&message.parts).filter_map(|(part, content)| match content {
                    Part::ToolResult(result) => Some((part, result)),
                    _ => None,
                });
                outcomes.extend(results.map(|(part, result)| PrunableResult {
                    message: shown.place,
                    part,
                    number,
                    result,
                    call: asked.and_then(|asked: &Message| asked.calls().find(|call| call.uid == result.uid)),
                    tokens: tokens::of_result(result),
                }));
            }
            Role::User | Role::System => {}
        }
    }
    outcomes
}

impl PrunableResult<'_> {
    /// Returns the place of its message, and its place within that message.
    pub(super) fn place(&self) -> (u32, u32) {
        (self.message, self.part)
    }

    /// Reports whether the call failed without side effects and was not stopped.
    pub(super) fn has_failed(&self) -> bool {
        match self.result.error {
            Some(
                ToolErrorKind::UnknownTool
                | ToolErrorKind::InvalidArguments
                | ToolErrorKind::Incomplete
                | ToolErrorKind::Failed
                | ToolErrorKind::Repeated,
            ) => true,
            Some(_) => false,
            None => !self.result.ok || patterns::reports_failure(&self.result.content),
        }
    }

    /// Reports whether the model must keep seeing this result: the call was denied or stopped, or its outcome is
    /// unknown.
    pub(super) fn must_be_known(&self) -> bool {
        self.result.error.is_some() && !self.has_failed()
    }

    /// Reports whether this is the same call as `earlier`, made shortly after it, with nearly the same result. Stored
    /// images are never the same.
    pub(super) fn repeats(&self, earlier: &PrunableResult<'_>) -> bool {
        let is_same = |one: &ToolCall, other: &ToolCall| one.name == other.name && one.arguments == other.arguments;
        self.number - earlier.number <= REPEATED_WITHIN
            && self.call.zip(earlier.call).is_some_and(|(one, other)| is_same(one, other))
            && patterns::is_similar(&earlier.result.content, &self.result.content)
            && earlier.result.images == self.result.images
    }
}
