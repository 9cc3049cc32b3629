//! Whether a tool call may run. Nothing runs without an [`Allowed`] call, and only this module makes one.

mod argv;
mod decide;
mod grants;
mod host;
mod invalid_pattern;
mod judgement;
mod mode;
mod path;
mod rule;
mod subject_pattern;
#[cfg(test)]
mod tests;
mod wildcard;

use turnkit_core::{Grant, Subject, ToolCall, ToolDefinition, ToolErrorKind};

pub use argv::ArgvPattern;
pub use host::HostPattern;
pub use invalid_pattern::InvalidPattern;
pub use judgement::{Judgement, Reason};
pub use mode::{PermissionMode, PermissionSettings, UntrustedText};
pub use path::PathPattern;
pub use rule::{Decision, Rule};
pub use subject_pattern::SubjectPattern;

pub(crate) use wildcard::matches_name;

use crate::machine::Verdict;

/// Why a tool of a client does not run where the client cannot be asked.
const NO_CLIENT: &str = "the client runs this tool, and cannot be asked in this conversation";

/// Something that was allowed. It *contains* what was allowed, so what was judged is what runs.
#[derive(Debug)]
pub struct Allowed<T>(T);

impl<T> Allowed<T> {
    /// A look at what was allowed.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// A call that a model proposes, as it is judged.
#[derive(Clone, Copy)]
pub struct Proposal<'a> {
    /// The tool.
    pub tool: &'a ToolDefinition,
    /// What the call touches.
    pub subject: &'a Subject,
    /// What a grant for always of the call would be about; `None` if it cannot be told. Only grants need to know.
    pub grant_subject: &'a dyn Fn() -> Option<Subject>,
    /// Whether the tool is the host's own.
    pub own: bool,
    /// Reports whether the model was sent text from outside. Only calls that may do harm need to know.
    pub untrusted: &'a dyn Fn() -> bool,
}

/// The rules for one turn.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    rules: Vec<Rule>,
    settings: PermissionSettings,
    /// The permission mode that the turn's own mode sets. The more careful of both counts.
    overlay: Option<PermissionMode>,
    /// Those of the turns above the turn of a sub-agent. The more careful of all counts.
    within: Vec<Permissions>,
    /// Whether a person can be asked.
    interact: bool,
    /// What was granted about the calls that are judged.
    grants: Vec<Grant>,
}

impl Permissions {
    /// These rules; `interact` says whether a person can be asked.
    pub fn new(rules: Vec<Rule>, interact: bool) -> Self {
        Self { rules, interact, ..Self::default() }
    }

    /// The same rules in other modes: those of the agent, and that of the turn if it sets one.
    #[must_use]
    pub fn with_settings(self, settings: PermissionSettings, overlay: Option<PermissionMode>) -> Self {
        Self { settings, overlay, ..self }
    }

    /// The same rules for the turn of a sub-agent, within those of the turns above it.
    #[must_use]
    pub fn within(self, within: Vec<Permissions>) -> Self {
        Self { within, ..self }
    }

    /// Reports whether a person can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.interact && ![Some(self.settings.mode), self.overlay].contains(&Some(PermissionMode::Headless))
    }

    /// Whether a call runs.
    pub fn verdict(&self, proposal: &Proposal<'_>) -> Verdict {
        let Judgement { decision, reason } = self.judge(proposal);
        let why = match decision {
            Decision::Allow | Decision::Notify => return Verdict::Run,
            Decision::Ask if self.interact => return Verdict::Ask,
            Decision::Ask => return Verdict::Unapproved,
            Decision::Deny if reason == Reason::Headless => return Verdict::Unapproved,
            Decision::Deny => reason.refusal().to_owned(),
        };
        Verdict::Refuse(ToolErrorKind::Denied, why)
    }

    /// Whether the client runs a call of its own tool. It decides itself, so only what denies counts.
    pub(crate) fn client_verdict(&self, proposal: &Proposal<'_>) -> Verdict {
        let Judgement { decision, reason } = self.judge(proposal);
        match decision {
            Decision::Deny if reason != Reason::Headless => {
                Verdict::Refuse(ToolErrorKind::Denied, reason.refusal().to_owned())
            }
            _ if self.can_ask() => Verdict::Client,
            _ => Verdict::Refuse(ToolErrorKind::Denied, NO_CLIENT.to_owned()),
        }
    }

    /// A call the machine has started, which means that it was judged to run, granted or approved. What denies still wins.
    pub(crate) fn allow(&self, call: ToolCall, proposal: &Proposal<'_>) -> Option<Allowed<ToolCall>> {
        (!self.is_denied(proposal)).then_some(Allowed(call))
    }

    /// What the user is told when the call runs; `None` if nothing says so.
    pub(crate) fn notice(&self, proposal: &Proposal<'_>) -> Option<String> {
        let Judgement { decision, reason } = self.judge(proposal);
        let name = &proposal.tool.name;
        (decision == Decision::Notify).then(|| format!("{name} runs without asking, as {}", reason.authority()))
    }

    /// Reports whether any rule or grant is about what a call touches.
    pub(crate) fn looks_at_subjects(&self) -> bool {
        let own = !self.grants.is_empty() || self.rules.iter().any(|rule| rule.subject.is_some());
        own || self.within.iter().any(Self::looks_at_subjects)
    }

    /// Reports whether any call leads to a notice. Most turns need not look for one.
    pub(crate) fn may_notify(&self) -> bool {
        let notifies = self.rules.iter().any(|rule| rule.decision == Decision::Notify);
        let bypasses = [Some(self.settings.mode), self.overlay].contains(&Some(PermissionMode::Bypass));
        bypasses || notifies || self.within.iter().any(Self::may_notify)
    }
}
