//! The tools of a turn, and how they are run.

mod arguments;
mod judging;
mod offered;

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{AgentFlow, BoxFuture, Tool, ToolContext};
use turnkit_core::{
    CallUid, History, Part, RawJson, Session, Shortening, ToolCall, ToolDefinition, ToolError, ToolErrorKind,
    ToolOutput, ToolUse,
};

use super::kept_results::{KeptResults, read_result};
use super::{TaskTool, View};
use crate::agent::{AgentSettings, ToolCallLimits};
use crate::catalog::{Catalog, CatalogTool, OfferedTools, READ_RESULT, Runner};
use crate::permission::Allowed;
use crate::shorten::cut;
use crate::tool_schemas::ToolSchemas;

pub(crate) use judging::ApprovalQuestion;

/// The tools of one turn, as its agent and its sources provided them at the start of the run. A turn with tools off has
/// none.
pub(crate) struct Toolbox<'a> {
    flow: &'a dyn AgentFlow,
    catalog: Arc<Catalog>,
    /// The places of the tools that are offered to the model in addition to the initial ones.
    activated: Vec<usize>,
    definitions: Arc<[ToolDefinition]>,
    /// The tools that the client runs itself.
    of_client: Arc<[ToolDefinition]>,
    /// Whether the turn is too deep to start sub-agents.
    is_deepest: bool,
    schemas: &'a ToolSchemas,
    /// Notices for the user about sources that returned nothing, and about client tools that are hidden by other tools.
    missing: Vec<String>,
    /// Calls that are refused because they were refused in the turn that is replayed.
    refused: HashMap<CallUid, (ToolErrorKind, String)>,
    kept: Option<KeptResults<'a>>,
}

impl<'a> Toolbox<'a> {
    pub(crate) fn new(
        flow: &'a dyn AgentFlow,
        tools: &[Arc<dyn Tool>],
        tool_use: ToolUse,
        settings: &'a AgentSettings,
        offered: OfferedTools,
    ) -> Self {
        let OfferedTools { sets, missing, refused } = offered;
        let catalog = match tool_use {
            ToolUse::None => Arc::default(),
            _ => settings.sources.catalog(flow.tools(), tools, &sets),
        };
        let (definitions, schemas) = (Arc::clone(catalog.definitions()), &*settings.schemas);
        Self {
            flow,
            catalog,
            activated: Vec::new(),
            definitions,
            schemas,
            missing,
            refused,
            kept: None,
            of_client: Arc::default(),
            is_deepest: false,
        }
    }

    /// Returns the toolbox with a store for images of results, and for whole results that are too long for the model.
    #[must_use]
    pub(crate) fn keeping(self, kept: KeptResults<'a>) -> Self {
        Self { kept: Some(kept), ..self }
    }

    /// Returns the store of whole results, if the model can read them.
    pub(super) fn kept(&self) -> Option<KeptResults<'a>> {
        let reads = || self.catalog.find(READ_RESULT).is_some_and(|tool| matches!(tool.runner, Runner::ReadResult));
        self.kept.filter(|_| reads())
    }

    /// Returns the store of images, if there is one.
    pub(super) fn images(&self) -> Option<KeptResults<'a>> {
        self.kept
    }

    /// Shortens a text to `max_chars` characters if it is longer. Stores the whole text if the model can read it.
    pub(crate) async fn shorten(&self, text: &mut String, max_chars: usize) -> Option<Shortening> {
        let short = cut(text, max_chars)?;
        let kept = match self.kept() {
            Some(kept) => kept.shorten(text, max_chars).await,
            None => None,
        };
        let (short, kept) = kept.map_or((short, None), |(short, id)| (short, Some(id)));
        *text = short;
        Some(Shortening { kept })
    }

    /// Reports whether a name belongs to the tool that starts sub-agents, and not to a tool of the flow.
    pub(crate) fn is_task(&self, name: &str) -> bool {
        name == TaskTool::NAME && self.catalog.find(name).is_some_and(|tool| !tool.is_own())
    }

    /// Returns a tool that the client runs itself.
    fn of_client(&self, name: &str) -> Option<&ToolDefinition> {
        self.of_client.iter().find(|tool| tool.name == name)
    }

    /// Reports whether the model was sent untrusted text.
    pub(crate) fn has_untrusted_text(&self, view: View<'_>) -> bool {
        view.has_untrusted_text(&self.catalog, !self.of_client.is_empty())
    }

    /// Reports whether the output of a tool is untrusted text. A page of a shortened result may come from any of the
    /// current tools, or from a former tool of the session.
    pub(super) fn may_return_untrusted_text(&self, name: &str, session: &Session) -> bool {
        let says_so = |part: &Part| matches!(part, Part::ToolResult(result) if result.untrusted);
        let has_some = || session.history.iter().any(|entry| entry.message().parts.iter().any(says_so));
        match self.catalog.find(name) {
            Some(tool) if matches!(tool.runner, Runner::ReadResult) => self.catalog.is_open() || has_some(),
            tool => tool.is_none_or(|tool| tool.definition.flags.may_return_untrusted_text()),
        }
    }

    /// Takes the notices about missing tools, so that the user gets them once.
    pub(crate) fn take_missing(&mut self) -> Vec<String> {
        std::mem::take(&mut self.missing)
    }

    /// Returns the definitions that are sent to the model.
    pub(crate) fn definitions(&self) -> &Arc<[ToolDefinition]> {
        &self.definitions
    }

    /// Returns all tools, whether they are offered to the model or not.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// Returns the messages to send in a request with these tools. Without tools, calls and results are left out.
    pub(crate) fn sent(&self, history: &History) -> History {
        match self.definitions.is_empty() && history.has_calls() {
            true => history.without_calls(),
            false => history.clone(),
        }
    }

    /// Runs an allowed call.
    pub(crate) fn run<'b>(
        &'b self,
        call: &'b Allowed<ToolCall>,
        how: ToolCallLimits,
        arguments: &'b RawJson,
        context: ToolContext<'b>,
    ) -> BoxFuture<'b, Result<ToolOutput, ToolError>> {
        let call = call.get();
        match self.tool(&call.name).map(|tool| &tool.runner) {
            Some(Runner::Flow) => self.flow.execute_tool(&call.name, arguments, context.session),
            Some(Runner::Tool(tool)) => tool.call(arguments, context),
            Some(Runner::Search) => Box::pin(std::future::ready(self.catalog.search(arguments))),
            Some(Runner::ReadResult) => Box::pin(read_result(self.kept(), arguments, context.session, how)),
            None => Box::pin(std::future::ready(Err(ToolError::UnknownTool))),
        }
    }

    /// Returns the definition of a tool, and whether the tool belongs to the flow.
    pub(super) fn find(&self, name: &str) -> Option<(&ToolDefinition, bool)> {
        let found = self.tool(name).map(|tool| (&tool.definition, tool.is_own()));
        found.or_else(|| self.of_client(name).map(|tool| (tool, false)))
    }

    /// Returns a tool that is offered to the model.
    fn tool(&self, name: &str) -> Option<&CatalogTool> {
        let place = self.catalog.place(name)?;
        let tool = self.catalog.at(place).filter(|tool| !tool.is_deferred || self.activated.contains(&place));
        tool.filter(|_| !self.is_deepest || !self.is_task(name))
    }
}
