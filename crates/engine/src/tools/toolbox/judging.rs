//! Judging the calls of a model.

use turnkit_core::{Grantable, Subject, ToolCall, ToolDefinition, ToolErrorKind, ToolPin};

use super::Toolbox;
use super::arguments::object;
use crate::machine::{Approval, Binding, CallKind, Plan, Verdict, hash_of_schema};
use crate::permission::{Allowed, Permissions, Proposal, Reason};
use crate::tools::View;
use crate::tools::forbidden::Forbidden;

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

impl Toolbox<'_> {
    /// Returns the definitions of offered tools that were not the accepted ones when the tools were first offered.
    pub(crate) fn changed(&self) -> Vec<ToolPin> {
        if !self.catalog.has_changed() {
            return Vec::new();
        }
        self.definitions.iter().filter_map(|tool| self.catalog.changed(&tool.name)).collect()
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
        Plan { uid, kind: CallKind::from_flags(tool.flags), verdict }
    }

    /// Returns the call with its definition and the notice about it, if it may run. An approved call runs only while it
    /// is the call that was approved. Arguments that a person changed are judged like the model's.
    pub(crate) fn allow(
        &self,
        call: &ToolCall,
        approval: Option<&Approval>,
        permissions: &Permissions,
        view: View<'_>,
    ) -> Result<(Allowed<ToolCall>, &ToolDefinition, Option<String>), Forbidden> {
        let Some((tool, own)) = self.find(&call.name) else { return Err(Forbidden::GONE) };
        let mut call = call.clone();
        let bound = approval.and_then(|approval| approval.binding);
        if bound.is_some_and(|bound| bound != Binding::new(tool, &call.arguments)) {
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
        let untrusted = reason.is_about_text();
        let changed = (reason == Reason::ToolChanged).then(|| self.catalog.changed(&call.name)).flatten().map(Box::new);
        let grantable = Some(Grantable { schema: hash_of_schema(tool), subject: granted, untrusted, changed });
        let (reason, binding) = (reason.of_question(), Binding::new(tool, &call.arguments));
        Some(ApprovalQuestion { reason, preview, binding, grantable })
    }
}
