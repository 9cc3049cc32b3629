//! Agents that a Rust host implements.

use super::BoxFuture;
use crate::{RawJson, Session, ToolDefinition, ToolError, ToolOutput};

/// An agent: its instructions and its tools. Its tools are trusted unless a rule says otherwise.
///
/// ```
/// use turnkit_core::ports::{AgentFlow, BoxFuture};
/// use turnkit_core::{RawJson, Session, ToolError, ToolOutput};
///
/// struct Pirate;
///
/// impl AgentFlow for Pirate {
///     fn instructions(&self, _: &Session) -> Option<String> {
///         Some("Answer like a pirate.".to_owned())
///     }
/// }
/// ```
pub trait AgentFlow: Send + Sync {
    /// Returns the instructions, which the model is sent before anything else.
    fn instructions(&self, session: &Session) -> Option<String>;

    /// Returns the tools that the model may call.
    fn tools(&self) -> Vec<ToolDefinition> {
        Vec::new()
    }

    /// Runs one of [`tools`](Self::tools). `session` includes the metadata that earlier calls of the same turn have
    /// set.
    ///
    /// # Errors
    /// The failure, for the model to read.
    fn execute_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: &'a RawJson,
        session: &'a Session,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        let _ = (name, arguments, session);
        Box::pin(std::future::ready(Err(ToolError::UnknownTool)))
    }
}
