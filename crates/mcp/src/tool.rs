//! A tool of a server.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool as RemoteTool};
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolOutput};

use crate::call::Call;
use crate::definition::pin;
use crate::link::Link;

/// A tool of a server.
pub(crate) struct McpTool {
    link: Arc<Link>,
    /// The name of the tool, as the server knows it.
    name: String,
    definition: ToolDefinition,
    pin: [u8; 32],
}

impl McpTool {
    pub(crate) fn new(link: Arc<Link>, remote: &RemoteTool, definition: ToolDefinition) -> Self {
        Self { link, name: (*remote.name).to_owned(), definition, pin: pin(remote) }
    }
}

impl Tool for McpTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn pin(&self) -> Option<[u8; 32]> {
        Some(self.pin)
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        let reads_only = self.definition.flags.read_only;
        let may_repeat = reads_only || self.definition.flags.idempotent;
        let call = Call { link: &self.link, tool: &self.name, may_repeat, reads_only, context };
        Box::pin(async move {
            let arguments = arguments.read::<JsonObject>();
            let arguments = arguments.map_err(|error| ToolError::InvalidArguments(error.to_string()))?;
            let secrets = self.link.secrets();
            match call.run(arguments).await {
                Ok(output) => Ok(secrets.removed_from_output(output)),
                Err(error) => Err(secrets.removed_from_error(error)),
            }
        })
    }
}
