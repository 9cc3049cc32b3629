//! Decides whether a tool call may run. Only an [`Allowed`] call runs, and only this module creates one.

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

/// The error text for a client tool when the client cannot be reached.
const NO_CLIENT: &str = "the client runs this tool, and cannot be asked in this conversation";

/// The error text for a client tool when the permission mode keeps the client from being asked.
const HEADLESS_CLIENT: &str = "the client runs this tool, and in the permission mode `headless` it is not asked";

/// A value that was allowed. Because it *contains* the value, only what was judged can run.
#[derive(Debug)]
pub struct Allowed<T>(T);

impl<T> Allowed<T> {
    /// Returns the allowed value.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// A call proposed by a model, with the facts by which it is judged.
#[derive(Clone, Copy)]
pub struct Proposal<'a> {
    /// The tool.
    pub tool: &'a ToolDefinition,
    /// The subject: what the call touches.
    pub subject: &'a Subject,
    /// Returns the subject that a permanent grant of the call would cover; `None` if it is unknown. Evaluated only for
    /// grants.
    pub grant_subject: &'a dyn Fn() -> Option<Subject>,
    /// Whether the tool is one of the flow's own.
    pub own: bool,
    /// Reports whether the model was sent untrusted text. Evaluated only for calls that may do harm.
    pub untrusted: &'a dyn Fn() -> bool,
}

/// The permissions of one turn.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    rules: Vec<Rule>,
    settings: PermissionSettings,
    /// The permission mode set by the turn's own mode. The stricter of both modes applies.
    overlay: Option<PermissionMode>,
    /// The permissions of the ancestor turns, if this is the turn of a sub-agent. The strictest of all applies.
    within: Vec<Permissions>,
    /// Whether the user can be asked.
    interact: bool,
    /// The grants that may cover the judged calls.
    grants: Vec<Grant>,
    /// The names of offered tools whose definitions have changed since they were accepted.
    changed: Vec<String>,
}

impl Permissions {
    /// Creates permissions with these rules. `interact`: the user can be asked.
    pub fn new(rules: Vec<Rule>, interact: bool) -> Self {
        Self { rules, interact, ..Self::default() }
    }

    /// Sets the agent's permission settings, and the permission mode of the turn if it sets one.
    #[must_use]
    pub fn with_settings(self, settings: PermissionSettings, overlay: Option<PermissionMode>) -> Self {
        Self { settings, overlay, ..self }
    }

    /// Restricts the permissions of a sub-agent's turn by those of its ancestor turns.
    #[must_use]
    pub fn within(self, within: Vec<Permissions>) -> Self {
        Self { within, ..self }
    }

    /// Replaces the names of the offered tools whose definitions have changed since they were accepted. Their calls
    /// need approval, whatever rules and trust say: these are about the tool that was accepted. Calls of other tools
    /// are judged as after untrusted text, because the model was sent a text that nobody has accepted.
    pub fn set_changed(&mut self, tools: Vec<String>) {
        self.within.iter_mut().for_each(|above| above.set_changed(tools.clone()));
        self.changed = tools;
    }

    /// Reports whether the definition of an offered tool has changed since it was accepted.
    pub(crate) fn has_changed_tools(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Reports whether the user can be asked.
    pub(crate) fn can_ask(&self) -> bool {
        self.interact && ![Some(self.settings.mode), self.overlay].contains(&Some(PermissionMode::Headless))
    }

    /// Decides whether a call runs.
    pub fn verdict(&self, proposal: &Proposal<'_>) -> Verdict {
        let Judgement { decision, reason } = self.judge(proposal);
        let why = match decision {
            Decision::Allow | Decision::Notify => return Verdict::Run,
            Decision::Ask if self.interact => return Verdict::Ask,
            Decision::Ask => return Verdict::Unapproved,
            Decision::Deny if reason == Reason::Headless => return Verdict::Headless,
            Decision::Deny => reason.refusal().to_owned(),
        };
        Verdict::Refuse(ToolErrorKind::Denied, why)
    }

    /// Decides whether the client may run a call of its own tool. The client approves its calls itself, so only denials
    /// apply.
    pub(crate) fn client_verdict(&self, proposal: &Proposal<'_>) -> Verdict {
        let Judgement { decision, reason } = self.judge(proposal);
        match decision {
            Decision::Deny if reason != Reason::Headless => {
                Verdict::Refuse(ToolErrorKind::Denied, reason.refusal().to_owned())
            }
            _ if self.can_ask() => Verdict::Client,
            _ if self.interact => Verdict::Refuse(ToolErrorKind::Denied, HEADLESS_CLIENT.to_owned()),
            _ => Verdict::Refuse(ToolErrorKind::Denied, NO_CLIENT.to_owned()),
        }
    }

    /// Returns the call as allowed. The machine starts only calls that were judged to run, granted or approved; a
    /// denial still overrides that. Its reason is the error.
    pub(crate) fn allow(&self, call: ToolCall, proposal: &Proposal<'_>) -> Result<Allowed<ToolCall>, &'static str> {
        match self.denial(proposal) {
            Some(reason) => Err(reason.refusal()),
            None => Ok(Allowed(call)),
        }
    }

    /// Returns the text of the notice that reports the call to the user, or `None` if the call needs no notice.
    pub(crate) fn notice(&self, proposal: &Proposal<'_>) -> Option<String> {
        let Judgement { decision, reason } = self.judge(proposal);
        let name = &proposal.tool.name;
        (decision == Decision::Notify).then(|| format!("{name} runs without asking, as {}", reason.authority()))
    }

    /// Reports whether any rule or grant depends on a call's subject.
    pub(crate) fn looks_at_subjects(&self) -> bool {
        let own = !self.grants.is_empty() || self.rules.iter().any(|rule| rule.subject.is_some());
        own || self.within.iter().any(Self::looks_at_subjects)
    }

    /// Reports whether any call may lead to a notice. Most turns can then skip the check.
    pub(crate) fn may_notify(&self) -> bool {
        let notifies = self.rules.iter().any(|rule| rule.decision == Decision::Notify);
        let bypasses = [Some(self.settings.mode), self.overlay].contains(&Some(PermissionMode::Bypass));
        bypasses || notifies || self.within.iter().any(Self::may_notify)
    }
}
