//! The tools of the host, with a point on either side of their effect.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolOutput};

use super::trap::Trap;
use crate::{Ledger, tools};

/// One tool for each [`Chore`](crate::kill::Chore).
pub(super) fn tools(ledger: &Ledger, trap: &Arc<Trap>) -> Vec<Arc<dyn Tool>> {
    let watched = |tool| Arc::new(Watched { tool, trap: Arc::clone(trap) });
    vec![watched(tools::pay(ledger.clone())), watched(tools::upsert(ledger.clone())), Arc::new(tools::lookup())]
}

struct Watched {
    tool: tools::TestTool,
    trap: Arc<Trap>,
}

impl Tool for Watched {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            self.trap.pass("tool.running");
            let output = self.tool.call(arguments, context).await;
            self.trap.pass("tool.done");
            output
        })
    }
}
