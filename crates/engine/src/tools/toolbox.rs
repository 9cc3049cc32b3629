//! Which tools a turn has, and who runs them.

use std::sync::Arc;

use turnkit_core::ports::{AgentFlow, BoxFuture, Tool, ToolContext};
use turnkit_core::{
    Arguments, Grantable, History, MOST_CHILD_DEPTH, RawJson, Subject, ToolCall, ToolDefinition, ToolError,
    ToolErrorKind, ToolFlags, ToolOutput, ToolUse,
};

use super::forbidden::Forbidden;
use super::{TaskTool, View};
use crate::machine::{Approval, Binding, CallKind, Plan, Verdict, hash_of_schema};
use crate::permission::{Allowed, Permissions, Proposal, Reason};
use crate::tool_schemas::ToolSchemas;

/// How many tools are named to a model that calls one that is not here.
const NEAREST: usize = 3;

/// What a person is asked about a call.
pub(crate) struct Asked {
    /// Why the call does not run without approval, as a sentence.
    pub(crate) reason: String,
    /// What the call would do.
    pub(crate) preview: Option<String>,
    /// What an approval is bound to.
    pub(crate) binding: Binding,
    /// What an approval can grant.
    pub(crate) grantable: Option<Grantable>,
}

impl Asked {
    /// What is asked about a call whose tool is not there any more: an approval of it is worth nothing.
    pub(crate) fn about_a_tool_that_is_gone() -> Self {
        Self { reason: "the tool is gone".to_owned(), preview: None, binding: Binding([0; 32]), grantable: None }
    }
}

/// The tools of one turn: the flow's own first, then those of the agent's list it does not hide. A turn with tools off has
/// none.
pub(crate) struct Toolbox<'a> {
    flow: &'a dyn AgentFlow,
    tools: &'a [Arc<dyn Tool>],
    definitions: Arc<[ToolDefinition]>,
    /// How many of `definitions` are the flow's.
    own: usize,
    /// The tools that the client runs itself. They are the last ones of `definitions`.
    of_client: Arc<[ToolDefinition]>,
    schemas: &'a ToolSchemas,
}

impl<'a> Toolbox<'a> {
    pub(crate) fn new(
        flow: &'a dyn AgentFlow,
        tools: &'a [Arc<dyn Tool>],
        tool_use: ToolUse,
        schemas: &'a ToolSchemas,
    ) -> Self {
        if tool_use == ToolUse::None {
            return Self { flow, tools: &[], definitions: Arc::default(), own: 0, of_client: Arc::default(), schemas };
        }
        let mut definitions = flow.tools();
        let own = definitions.len();
        for tool in tools {
            if definitions.iter().all(|known| known.name != tool.definition().name) {
                definitions.push(tool.definition().clone());
            }
        }
        Self { flow, tools, definitions: definitions.into(), own, of_client: Arc::default(), schemas }
    }

    /// The same toolbox with tools that the client runs itself. A tool of the agent hides one of the same name; a turn with
    /// tools off has none.
    #[must_use]
    pub(crate) fn with_client_tools(mut self, tools: &[ToolDefinition], tool_use: ToolUse) -> Self {
        if tools.is_empty() || tool_use == ToolUse::None {
            return self;
        }
        let known = |tool: &&ToolDefinition| self.find(&tool.name).is_none();
        // The server starts nothing, and what a client reports is text from outside.
        let flags = ToolFlags { open_world: true, ..ToolFlags::read_only() };
        self.of_client = tools.iter().filter(known).map(|tool| tool.clone().with_flags(flags)).collect();
        self.definitions = self.definitions.iter().chain(&*self.of_client).cloned().collect();
        self
    }

    /// The same toolbox in a turn that `depth` turns are above: at the greatest depth, it does not start sub-agents.
    #[must_use]
    pub(crate) fn at_depth(mut self, depth: usize) -> Self {
        if depth >= MOST_CHILD_DEPTH {
            let kept = |(index, tool): &(usize, &ToolDefinition)| *index < self.own || tool.name != TaskTool::NAME;
            let kept = self.definitions.iter().enumerate().filter(kept).map(|(_, tool)| tool.clone());
            self.definitions = kept.collect();
        }
        self
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

    /// What is to become of a call of a model that was sent `view`.
    pub(crate) fn plan(&self, call: &ToolCall, permissions: &Permissions, view: View<'_>) -> Plan {
        let uid = call.uid;
        let Some((tool, own)) = self.find(&call.name) else {
            let verdict = Verdict::Refuse(ToolErrorKind::UnknownTool, self.unknown(&call.name));
            return Plan { uid, kind: CallKind::ReadOnly, verdict };
        };
        let untrusted = || view.has_untrusted_text(&self.definitions);
        let is_of_client = self.of_client.iter().any(|tool| tool.name == call.name);
        let checked = match is_of_client {
            // The schema is the client's, and so is the check.
            true => {
                object(&call.arguments).map(|_| Subject::None).map_err(|why| (ToolErrorKind::InvalidArguments, why))
            }
            false => self.checked(tool, &call.arguments).map(|(_, subject)| subject),
        };
        let verdict = match &checked {
            Ok(subject) => {
                let proposal = Proposal { tool, subject, own, untrusted: &untrusted };
                if is_of_client { permissions.client_verdict(&proposal) } else { permissions.verdict(&proposal) }
            }
            Err((kind, why)) => Verdict::Refuse(*kind, why.clone()),
        };
        Plan { uid, kind: CallKind::of(tool.flags), verdict }
    }

    /// The call, if it may run, with its definition and what the user is told about that. What was approved runs only while it
    /// is what would run now; arguments that a person changed are judged like the model's.
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
        let subject = match permissions.looks_at_subjects() {
            true => {
                let arguments = object(&call.arguments).map_err(|_| Forbidden::GONE)?;
                self.subject(&call.name, &arguments).map_err(|_| Forbidden::GONE)?
            }
            false => Subject::None,
        };
        let untrusted = || view.has_untrusted_text(&self.definitions);
        let proposal = Proposal { tool, subject: &subject, own, untrusted: &untrusted };
        let allowed = permissions.allow(call, &proposal).ok_or(Forbidden::GONE)?;
        let notice = permissions.may_notify().then(|| permissions.notice(&proposal)).flatten();
        Ok((allowed, tool, notice))
    }

    /// What a person is asked about a call that needs approval: why, what the call would do, and what an approval is bound to.
    pub(crate) fn asks(&self, call: &ToolCall, permissions: &Permissions, view: View<'_>) -> Option<Asked> {
        let (tool, own) = self.find(&call.name)?;
        let arguments = object(&call.arguments).ok()?;
        let subject = self.subject(&call.name, &arguments).ok()?;
        let untrusted = || view.has_untrusted_text(&self.definitions);
        let proposal = Proposal { tool, subject: &subject, own, untrusted: &untrusted };
        let reason = permissions.judge(&proposal).reason;
        let preview = self.listed(&call.name).and_then(|tool| tool.preview(&arguments));
        let untrusted = reason == Reason::UntrustedText;
        let grantable = Some(Grantable { schema: hash_of_schema(tool), subject, untrusted });
        let (reason, binding) = (reason.to_string(), Binding::of(tool, &call.arguments));
        Some(Asked { reason, preview, binding, grantable })
    }

    /// What a call touches, if its arguments are what its tool takes.
    pub(crate) fn touched(&self, call: &ToolCall) -> Option<Subject> {
        let (tool, _) = self.find(&call.name)?;
        self.checked(tool, &call.arguments).ok().map(|(_, subject)| subject)
    }

    /// What an approval of the call is bound to.
    pub(crate) fn binding(&self, call: &ToolCall) -> Option<Binding> {
        self.find(&call.name).map(|(tool, _)| Binding::of(tool, &call.arguments))
    }

    /// What a call touches, if its arguments are what its tool takes; else why it does not run.
    pub(super) fn checked(
        &self,
        tool: &ToolDefinition,
        arguments: &Arguments,
    ) -> Result<(RawJson, Subject), (ToolErrorKind, String)> {
        let invalid = |why| (ToolErrorKind::InvalidArguments, why);
        let arguments = object(arguments).map_err(invalid)?;
        self.schemas.check(tool, &arguments).map_err(|why| invalid(format!("invalid arguments: {why}")))?;
        let subject = self.subject(&tool.name, &arguments).map_err(|error| (error.kind(), error.to_string()))?;
        Ok((arguments, subject))
    }

    /// What a call touches. The flow does not say it of its own tools.
    fn subject(&self, name: &str, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.listed(name).map_or(Ok(Subject::None), |tool| tool.subject(arguments))
    }

    /// Runs an allowed call.
    pub(crate) fn run<'b>(
        &'b self,
        call: &'b Allowed<ToolCall>,
        arguments: &'b RawJson,
        context: ToolContext<'b>,
    ) -> BoxFuture<'b, Result<ToolOutput, ToolError>> {
        let call = call.get();
        if self.is_own(&call.name) {
            return self.flow.execute_tool(&call.name, arguments, context.session);
        }
        match self.listed(&call.name) {
            Some(tool) => tool.call(arguments, context),
            None => Box::pin(std::future::ready(Err(ToolError::UnknownTool))),
        }
    }

    fn is_own(&self, name: &str) -> bool {
        self.definitions[..self.own].iter().any(|own| own.name == name)
    }

    /// A tool of the agent's list that the flow does not hide.
    pub(super) fn listed(&self, name: &str) -> Option<&'a dyn Tool> {
        let listed = self.tools.iter().filter(|_| !self.is_own(name)).find(|tool| tool.definition().name == name);
        listed.map(|tool| &**tool)
    }

    /// The definition of a tool, and whether it is the flow's own.
    pub(super) fn find(&self, name: &str) -> Option<(&ToolDefinition, bool)> {
        let index = self.definitions.iter().position(|tool| tool.name == name)?;
        Some((&self.definitions[index], index < self.own))
    }

    /// Why a call of a tool that is not here does not run. Names the most similar ones, as many as a model needs to choose.
    pub(super) fn unknown(&self, name: &str) -> String {
        let likeness = |known: &&str| strsim::jaro_winkler(name, known);
        let mut names: Vec<&str> = self.definitions.iter().map(|tool| tool.name.as_str()).collect();
        let all = names.len();
        if all > NEAREST {
            names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
            names.truncate(NEAREST);
        }
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let which = if all > NEAREST { "the most similar tools are" } else { "the tools are" };
        format!("there is no tool of this name; {which}: {names}")
    }
}

/// The arguments as a JSON object.
pub(super) fn object(arguments: &Arguments) -> Result<RawJson, String> {
    let json = arguments.json().map_err(|error| format!("the arguments are not valid JSON: {error}"))?;
    if json.get().starts_with('{') { Ok(json) } else { Err("the arguments must be a JSON object".to_owned()) }
}
