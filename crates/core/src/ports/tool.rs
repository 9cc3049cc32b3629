//! What a model may do.

use super::BoxFuture;
use crate::{CallUid, RawJson, Session, ToolDefinition, ToolError, ToolOutput};

/// Around a call.
#[derive(Debug, Clone, Copy)]
pub struct ToolContext<'a> {
    /// The session, with the metadata that earlier calls of the turn have set.
    pub session: &'a Session,
    /// The call. Its text form is the idempotency key: the same on every attempt.
    pub uid: CallUid,
}

/// Something a model may call. Dropping the future of a call aborts it.
///
/// ```
/// use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
/// use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags, ToolOutput};
///
/// struct Dice(ToolDefinition);
///
/// impl Tool for Dice {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///     fn call<'a>(&'a self, _: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
///         Box::pin(async { Ok("4".into()) })
///     }
/// }
///
/// let definition = ToolDefinition::new("dice", "Rolls a die.", r#"{"type":"object","properties":{}}"#).unwrap();
/// let dice = Dice(definition.with_flags(ToolFlags::read_only()));
/// assert_eq!(dice.definition().name, "dice");
/// ```
pub trait Tool: Send + Sync {
    /// What it is.
    fn definition(&self) -> &ToolDefinition;

    /// Runs it.
    ///
    /// # Errors
    /// What went wrong, for the model to read.
    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}
