//! Which tools a turn has, and who runs them.

use std::sync::Arc;

use turnkit_core::ports::{AgentFlow, BoxFuture, Tool, ToolContext};
use turnkit_core::{
    Arguments, History, RawJson, ToolCall, ToolDefinition, ToolError, ToolErrorKind, ToolOutput, ToolUse,
};

use crate::machine::{CallKind, Plan, Verdict};
use crate::permission::{Allowed, Permissions};

/// The tools of one turn: the flow's own first, then those of the agent's list it does not hide. A turn with tools off has
/// none.
pub(crate) struct Toolbox<'a> {
    flow: &'a dyn AgentFlow,
    tools: &'a [Arc<dyn Tool>],
    definitions: Arc<[ToolDefinition]>,
    /// How many of `definitions` are the flow's.
    own: usize,
}

impl<'a> Toolbox<'a> {
    pub(crate) fn new(flow: &'a dyn AgentFlow, tools: &'a [Arc<dyn Tool>], tool_use: ToolUse) -> Self {
        if tool_use == ToolUse::None {
            return Self { flow, tools: &[], definitions: Arc::default(), own: 0 };
        }
        let mut definitions = flow.tools();
        let own = definitions.len();
        for tool in tools {
            if definitions.iter().all(|known| known.name != tool.definition().name) {
                definitions.push(tool.definition().clone());
            }
        }
        Self { flow, tools, definitions: definitions.into(), own }
    }

    /// What the model is told.
    pub(crate) fn definitions(&self) -> &Arc<[ToolDefinition]> {
        &self.definitions
    }

    /// Returns the messages that a request with these tools sends: without tools, no calls and no results.
    pub(crate) fn sent(&self, history: &History) -> History {
        match self.definitions.is_empty() && history.has_calls() {
            true => history.without_calls(),
            false => history.clone(),
        }
    }

    /// What is to become of a call.
    pub(crate) fn plan(&self, call: &ToolCall, permissions: &Permissions) -> Plan {
        let uid = call.uid;
        let Some((tool, trusted)) = self.find(&call.name) else {
            let why = format!("there is no tool of this name; the tools are: {}", self.names());
            return Plan { uid, kind: CallKind::ReadOnly, verdict: Verdict::Refuse(ToolErrorKind::UnknownTool, why) };
        };
        let verdict = match object(&call.arguments) {
            Ok(_) => permissions.judge(tool, trusted),
            Err(why) => Verdict::Refuse(ToolErrorKind::InvalidArguments, why),
        };
        Plan { uid, kind: CallKind::of(tool.flags), verdict }
    }

    /// The call, if it may run, with its definition.
    pub(crate) fn allow(
        &self,
        call: ToolCall,
        permissions: &Permissions,
    ) -> Option<(Allowed<ToolCall>, &ToolDefinition)> {
        let (tool, trusted) = self.find(&call.name)?;
        Some((permissions.allow(call, tool, trusted)?, tool))
    }

    /// Runs an allowed call.
    pub(crate) fn run<'b>(
        &'b self,
        call: &'b Allowed<ToolCall>,
        arguments: &'b RawJson,
        context: ToolContext<'b>,
    ) -> BoxFuture<'b, Result<ToolOutput, ToolError>> {
        let call = call.get();
        if self.definitions[..self.own].iter().any(|own| own.name == call.name) {
            return self.flow.execute_tool(&call.name, arguments, context.session);
        }
        match self.tools.iter().find(|tool| tool.definition().name == call.name) {
            Some(tool) => tool.call(arguments, context),
            None => Box::pin(std::future::ready(Err(ToolError::UnknownTool))),
        }
    }

    fn find(&self, name: &str) -> Option<(&ToolDefinition, bool)> {
        let index = self.definitions.iter().position(|tool| tool.name == name)?;
        Some((&self.definitions[index], index < self.own))
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.definitions.iter().map(|tool| tool.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

/// The arguments as a JSON object.
pub(super) fn object(arguments: &Arguments) -> Result<RawJson, String> {
    let json = arguments.json().map_err(|error| format!("the arguments are not valid JSON: {error}"))?;
    if json.get().starts_with('{') { Ok(json) } else { Err("the arguments must be a JSON object".to_owned()) }
}
