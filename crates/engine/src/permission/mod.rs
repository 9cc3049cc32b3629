//! Whether a tool call may run. Nothing runs without an [`Allowed`] call, and only this module makes one.

mod rule;

use turnkit_core::{ToolCall, ToolDefinition, ToolErrorKind};

pub use rule::{Decision, Rule};

use crate::machine::Verdict;

/// Why a call that needs approval is denied in a session without a person to approve it.
pub(crate) const NO_APPROVER: &str = "it needs approval and nobody can be asked in this conversation";

/// Something that was allowed. It *contains* what was allowed, so what was judged is what runs.
#[derive(Debug)]
pub struct Allowed<T>(T);

impl<T> Allowed<T> {
    /// A look at what was allowed.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// The rules for one turn.
#[derive(Debug, Clone, Default)]
pub struct Permissions {
    rules: Vec<Rule>,
    /// Whether there is somebody to ask.
    interact: bool,
}

impl Permissions {
    /// These rules; `interact` says whether there is somebody to ask.
    pub fn new(rules: Vec<Rule>, interact: bool) -> Self {
        Self { rules, interact }
    }

    /// Whether a call runs. A tool is `trusted` if the host itself declared it.
    pub fn judge(&self, tool: &ToolDefinition, trusted: bool) -> Verdict {
        match self.decide(tool, trusted) {
            Decision::Allow | Decision::Notify => Verdict::Run,
            Decision::Ask if self.interact => Verdict::Ask,
            Decision::Ask => Verdict::Refuse(ToolErrorKind::Denied, NO_APPROVER.to_owned()),
            Decision::Deny => Verdict::Refuse(ToolErrorKind::Denied, "a rule forbids this tool".to_owned()),
        }
    }

    /// A call the machine has started, which means that it was judged to run or approved. A rule that denies still wins.
    pub(crate) fn allow(&self, call: ToolCall, tool: &ToolDefinition, trusted: bool) -> Option<Allowed<ToolCall>> {
        (self.decide(tool, trusted) != Decision::Deny).then_some(Allowed(call))
    }

    /// Whether a rule says that the user is to be told when the tool runs.
    pub(crate) fn notifies(&self, tool: &ToolDefinition) -> bool {
        self.decide(tool, true) == Decision::Notify
    }

    /// Deny wins over everything; otherwise the most specific rule, and of equals the more careful one. Without a rule,
    /// what the host declared and what only reads inside runs, and the rest asks.
    fn decide(&self, tool: &ToolDefinition, trusted: bool) -> Decision {
        let matching = || self.rules.iter().filter(|rule| rule.matches(&tool.name));
        if matching().any(|rule| rule.decision == Decision::Deny) {
            return Decision::Deny;
        }
        let strongest = matching().max_by_key(|rule| (rule.specificity(), rule.decision));
        let harmless = tool.flags.read_only && !tool.flags.open_world;
        let default = if trusted || harmless { Decision::Allow } else { Decision::Ask };
        strongest.map_or(default, |rule| rule.decision)
    }
}
