//! The tools of a turn, and how they are run.

use std::collections::HashMap;
use std::sync::Arc;

use turnkit_core::ports::{AgentFlow, BoxFuture, Tool, ToolContext};
use turnkit_core::{
    Arguments, CallUid, Grantable, History, MAX_CHILD_DEPTH, Part, RawJson, Session, Shortening, Subject, ToolCall,
    ToolDefinition, ToolError, ToolErrorKind, ToolFlags, ToolOutput, ToolUse,
};

use super::forbidden::Forbidden;
use super::kept_results::{KeptResults, read_result};
use super::{TaskTool, View};
use crate::agent::{AgentSettings, ToolCallLimits};
use crate::catalog::{Catalog, CatalogTool, OfferedTools, READ_RESULT, Runner, SEARCH};
use crate::machine::{Approval, Binding, CallKind, Plan, Verdict, hash_of_schema};
use crate::permission::{Allowed, Permissions, Proposal, Reason};
use crate::shorten::cut;
use crate::tool_schemas::ToolSchemas;

/// How many similar tools are named to a model that calls an unknown one.
const NEAREST: usize = 3;

/// The question to a person about a call.
pub(crate) struct ApprovalQuestion {
    /// Why the call does not run without approval, as a sentence.
    pub(crate) reason: String,
    /// A description of what the call would do.
    pub(crate) preview: Option<String>,
    /// The binding of an approval.
    pub(crate) binding: Binding,
    /// The grant that an approval can include.
    pub(crate) grantable: Option<Grantable>,
}

impl ApprovalQuestion {
    /// Returns the question about a call whose tool no longer exists. An approval of it has no effect.
    pub(crate) fn for_missing_tool() -> Self {
        Self { reason: "the tool is gone".to_owned(), preview: None, binding: Binding([0; 32]), grantable: None }
    }
}

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

    /// Offers the tools that the model has found so far in these messages.
    pub(crate) fn activate(&mut self, history: &History) {
        self.activate_up_to(history, usize::MAX);
    }

    /// Restores the tools that the model had found when it made the calls of the round that is resumed. A tool found in
    /// this round may have displaced one that the model called.
    pub(crate) fn activate_for_round(&mut self, history: &History) {
        let after = history.turn().rev().take_while(|entry| entry.message().calls().next().is_none()).count();
        self.activate_up_to(history, history.len().saturating_sub(after));
    }

    fn activate_up_to(&mut self, history: &History, messages: usize) {
        let activated = self.catalog.activated(history, messages);
        if activated == self.activated {
            return;
        }
        self.activated = activated;
        self.list_definitions();
    }

    /// Returns the toolbox with tools that the client runs itself. A tool of the agent, or of one of its sources, hides
    /// a client tool of the same name, and the user gets a notice. A turn with tools off has none.
    #[must_use]
    pub(crate) fn with_client_tools(mut self, tools: &[ToolDefinition], tool_use: ToolUse) -> Self {
        if tools.is_empty() || tool_use == ToolUse::None {
            return self;
        }
        let is_free = |tool: &&ToolDefinition| self.catalog.find(&tool.name).is_none();
        let hidden = tools.iter().filter(|tool| !is_free(tool)).map(|tool| &tool.name);
        let hidden =
            hidden.map(|name| format!("the tool {name} of the client is missing: the agent has another {name}"));
        self.missing.extend(hidden);
        // The server runs nothing for these tools, and the results that a client reports are untrusted text.
        let flags = ToolFlags { open_world: true, ..ToolFlags::read_only() };
        self.of_client = tools.iter().filter(is_free).map(|tool| tool.clone().with_flags(flags)).collect();
        self.list_definitions();
        self
    }

    /// Returns the toolbox for a turn with `depth` ancestor turns. At the greatest depth, it does not start sub-agents.
    #[must_use]
    pub(crate) fn at_depth(mut self, depth: usize) -> Self {
        self.is_deepest = depth >= MAX_CHILD_DEPTH;
        if self.is_deepest {
            self.list_definitions();
        }
        self
    }

    fn list_definitions(&mut self) {
        let further = self.activated.iter().filter_map(|place| self.catalog.at(*place)).map(|tool| &tool.definition);
        let of_catalog = self.catalog.definitions().iter().chain(further);
        let is_offered = |tool: &&ToolDefinition| !self.is_deepest || !self.is_task(&tool.name);
        self.definitions = of_catalog.filter(is_offered).chain(self.of_client.iter()).cloned().collect();
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
        let says_so = |part: &Part| matches!(part, Part::ToolResult(result) if result.outside);
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

    /// Returns the plan for a call of a model that was sent `view`.
    pub(crate) fn plan(&self, call: &ToolCall, permissions: &Permissions, view: View<'_>) -> Plan {
        let uid = call.uid;
        if let Some((kind, why)) = self.refused.get(&uid) {
            let verdict = Verdict::Refuse(*kind, why.clone());
            return Plan { uid, kind: CallKind::ReadOnly, verdict };
        }
        let Some((tool, own)) = self.find(&call.name) else {
            let verdict = Verdict::Refuse(ToolErrorKind::UnknownTool, self.unknown(&call.name));
            return Plan { uid, kind: CallKind::ReadOnly, verdict };
        };
        let untrusted = || self.has_untrusted_text(view);
        let is_of_client = self.of_client(&call.name).is_some();
        let checked = match is_of_client {
            // The schema belongs to the client, which also checks it.
            true => object(&call.arguments)
                .map(|arguments| (arguments, Subject::None))
                .map_err(|why| (ToolErrorKind::InvalidArguments, why)),
            false => self.checked(tool, &call.arguments),
        };
        let verdict = match &checked {
            Ok((arguments, subject)) => {
                let grant_subject = || self.grant_subject(&call.name, arguments).ok();
                let proposal = Proposal { tool, subject, grant_subject: &grant_subject, own, untrusted: &untrusted };
                if is_of_client { permissions.client_verdict(&proposal) } else { permissions.verdict(&proposal) }
            }
            Err((kind, why)) => Verdict::Refuse(*kind, why.clone()),
        };
        Plan { uid, kind: CallKind::of(tool.flags), verdict }
    }

    /// Returns the call with its definition and the notice about it, if it may run. An approved call runs only while it
    /// is the call that was approved. Arguments that a person changed are judged like the model's.
    pub(crate) fn allow(
        &self,
        mut call: ToolCall,
        approval: Option<&Approval>,
        permissions: &Permissions,
        view: View<'_>,
    ) -> Result<(Allowed<ToolCall>, &ToolDefinition, Option<String>), Forbidden> {
        let Some((tool, own)) = self.find(&call.name) else { return Err(Forbidden::GONE) };
        let bound = approval.and_then(|approval| approval.binding);
        if bound.is_some_and(|bound| bound != Binding::of(tool, &call.arguments)) {
            return Err(Forbidden::CHANGED);
        }
        if let Some(arguments) = approval.and_then(|approval| approval.arguments.clone()) {
            call.arguments = arguments;
            if let Some((kind, why)) = self.plan(&call, permissions, view).verdict.refusal() {
                return Err(Forbidden { kind, why: format!("the user changed the arguments, and {why}").into() });
            }
        }
        let needs_subject = permissions.looks_at_subjects() || permissions.may_notify();
        let arguments = needs_subject.then(|| self.arguments(&call)).transpose();
        let refused = |kind, why: String| Forbidden { kind, why: why.into() };
        let arguments = arguments.map_err(|why| refused(ToolErrorKind::InvalidArguments, why))?;
        let subject = match &arguments {
            Some(arguments) => {
                self.subject(&call.name, arguments).map_err(|error| refused(error.kind(), error.to_string()))?
            }
            None => Subject::None,
        };
        let untrusted = || self.has_untrusted_text(view);
        let grant_subject = || self.grant_subject(&tool.name, arguments.as_ref()?).ok();
        let proposal = Proposal { tool, subject: &subject, grant_subject: &grant_subject, own, untrusted: &untrusted };
        let allowed = permissions.allow(call, &proposal).map_err(Forbidden::denied)?;
        let notice = permissions.may_notify().then(|| permissions.notice(&proposal)).flatten();
        Ok((allowed, tool, notice))
    }

    /// Returns the question to a person about a call that needs approval: the reason, what the call would do, and the
    /// binding of an approval.
    pub(crate) fn asks(&self, call: &ToolCall, permissions: &Permissions, view: View<'_>) -> Option<ApprovalQuestion> {
        let (tool, own) = self.find(&call.name)?;
        let arguments = self.arguments(call).ok()?;
        let subject = self.subject(&call.name, &arguments).ok()?;
        let untrusted = || self.has_untrusted_text(view);
        let granted = self.grant_subject(&call.name, &arguments).ok()?;
        let grant_subject = || Some(granted.clone());
        let proposal = Proposal { tool, subject: &subject, grant_subject: &grant_subject, own, untrusted: &untrusted };
        let reason = permissions.judge(&proposal).reason;
        let preview = self.tool(&call.name).and_then(|tool| tool.runner.tool()?.preview(&arguments));
        let untrusted = reason == Reason::UntrustedText;
        let grantable = Some(Grantable { schema: hash_of_schema(tool), subject: granted, untrusted });
        let (reason, binding) = (reason.of_question(), Binding::of(tool, &call.arguments));
        Some(ApprovalQuestion { reason, preview, binding, grantable })
    }

    /// Reports whether the arguments of a call are valid for its tool.
    pub(crate) fn accepts(&self, call: &ToolCall) -> bool {
        self.find(&call.name).is_some_and(|(tool, _)| self.checked(tool, &call.arguments).is_ok())
    }

    /// Returns why a call cannot succeed as things are now, if its tool knows. Every reason but wrong arguments is a
    /// denial.
    pub(crate) fn failed_check(&self, call: &ToolCall) -> Option<(ToolErrorKind, String)> {
        let tool = self.tool(&call.name)?.runner.tool()?;
        let error = tool.check(&self.arguments(call).ok()?).err()?;
        let kind = match error {
            ToolError::InvalidArguments(_) => ToolErrorKind::InvalidArguments,
            _ => ToolErrorKind::Denied,
        };
        Some((kind, error.to_string()))
    }

    /// Returns the subject of a permanent grant for a call, if its arguments are valid for its tool.
    pub(crate) fn grantable(&self, call: &ToolCall) -> Option<Subject> {
        let (tool, _) = self.find(&call.name)?;
        let (arguments, _) = self.checked(tool, &call.arguments).ok()?;
        self.grant_subject(&tool.name, &arguments).ok()
    }

    /// Returns the binding of an approval of the call.
    pub(crate) fn binding(&self, call: &ToolCall) -> Option<Binding> {
        let definition = self.catalog.find(&call.name).map(|tool| &tool.definition);
        let definition = definition.or_else(|| self.of_client(&call.name))?;
        Some(Binding::of(definition, &call.arguments))
    }

    /// Returns the arguments and the subject of a call, if the arguments are valid for its tool; else why the call does
    /// not run.
    pub(super) fn checked(
        &self,
        tool: &ToolDefinition,
        arguments: &Arguments,
    ) -> Result<(RawJson, Subject), (ToolErrorKind, String)> {
        let invalid = |why| (ToolErrorKind::InvalidArguments, why);
        let arguments = self.schemas.without_nulls(tool, object(arguments).map_err(invalid)?);
        self.schemas.check(tool, &arguments).map_err(|why| invalid(format!("invalid arguments: {why}")))?;
        let subject = self.subject(&tool.name, &arguments).map_err(|error| (error.kind(), error.to_string()))?;
        Ok((arguments, subject))
    }

    /// Returns the arguments that the tool of a call receives. A client receives those of its tools as they are.
    pub(super) fn arguments(&self, call: &ToolCall) -> Result<RawJson, String> {
        let arguments = object(&call.arguments)?;
        Ok(match self.catalog.find(&call.name) {
            Some(tool) => self.schemas.without_nulls(&tool.definition, arguments),
            None => arguments,
        })
    }

    /// Returns the subject of a call. The flow does not report the subjects of its own tools.
    fn subject(&self, name: &str, arguments: &RawJson) -> Result<Subject, ToolError> {
        let tool = self.catalog.find(name).and_then(|tool| tool.runner.tool());
        tool.map_or(Ok(Subject::None), |tool| tool.subject(arguments))
    }

    /// Returns the subject of a permanent grant for a call.
    pub(super) fn grant_subject(&self, name: &str, arguments: &RawJson) -> Result<Subject, ToolError> {
        let tool = self.catalog.find(name).and_then(|tool| tool.runner.tool());
        tool.map_or(Ok(Subject::None), |tool| tool.grant_subject(arguments))
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

    /// Returns why a call of an unknown tool does not run. Names the most similar tools, as many as a model needs to
    /// choose.
    pub(super) fn unknown(&self, name: &str) -> String {
        if self.catalog.is_deferring() && self.catalog.find(name).is_some() {
            return format!("this tool is not active: find it with {SEARCH} first, then call it in a later step");
        }
        let likeness = |known: &&str| strsim::jaro_winkler(name, known);
        let mut names: Vec<&str> = self.definitions.iter().map(|tool| tool.name.as_str()).collect();
        let all = names.len();
        if all > NEAREST {
            names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
            names.truncate(NEAREST);
        }
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let which = if all > NEAREST { "the most similar tools are" } else { "the tools are" };
        let more = if self.catalog.is_deferring() { format!("; {SEARCH} finds more") } else { String::new() };
        format!("there is no tool of this name; {which}: {names}{more}")
    }
}

/// Parses the arguments as a JSON object.
fn object(arguments: &Arguments) -> Result<RawJson, String> {
    let json = arguments.json().map_err(|error| format!("the arguments are not valid JSON: {error}"))?;
    if json.get().starts_with('{') { Ok(json) } else { Err("the arguments must be a JSON object".to_owned()) }
}
