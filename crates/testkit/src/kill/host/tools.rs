//! The host's tools, with a point before and after each effect.

use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolOutput};
use turnkit_engine::TaskTool;

use super::AGENT_FOR_PERSON;
use super::trap::Trap;
use crate::{Ledger, tools};

/// Returns the tools for turns without a person.
pub(super) fn tools(ledger: &Ledger, trap: &Arc<Trap>) -> Vec<Arc<dyn Tool>> {
    let (pay, upsert) = (tools::pay(ledger.clone()), tools::upsert(ledger.clone()));
    vec![watched(pay, trap), watched(upsert, trap), Arc::new(tools::lookup())]
}

/// Returns the tools for turns with a person: those without, and those that wait. There is one tool for each
/// [`HostTool`](crate::kill::HostTool).
pub(super) fn tools_for_person(ledger: &Ledger, trap: &Arc<Trap>) -> Vec<Arc<dyn Tool>> {
    let (transfer, replace) = (tools::transfer(ledger.clone()), tools::replace(ledger.clone()));
    let mut all = tools(ledger, trap);
    all.extend([watched(transfer, trap), watched(replace, trap)]);
    all.push(Arc::new(tools::ask()));
    all.push(Arc::new(TaskTool::new([(AGENT_FOR_PERSON, "")])));
    all
}

fn watched(tool: tools::TestTool, trap: &Arc<Trap>) -> Arc<dyn Tool> {
    Arc::new(Watched { tool, trap: Arc::clone(trap) })
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
