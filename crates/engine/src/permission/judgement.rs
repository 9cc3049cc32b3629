//! What was decided about a call, and why.

use std::fmt;

use super::Decision;

/// What was decided about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// The decision.
    pub decision: Decision,
    /// Why.
    pub reason: Reason,
}

/// Why a call is judged as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A rule says so: its place among the rules, from 0.
    Rule(usize),
    /// In the mode `plan`, only tools that read may run.
    Plan,
    /// In the mode `accept_edits`, changes of files need no approval.
    AcceptEdits,
    /// The tool is the host's own.
    Own,
    /// The agent is trusted with the tools it lists.
    Trusted,
    /// The tool only reads, and only inside this installation.
    Harmless,
    /// Nothing is known that would let it run.
    Unknown,
    /// The model was sent text from outside, which may have told it to make the call.
    UntrustedText,
    /// A person granted it by approving an earlier call.
    Granted,
    /// A person granted it, and the definition of the tool has changed since.
    DefinitionChanged,
    /// The mode is `bypass`: the call runs with a notice.
    Bypass,
    /// The mode is `headless`: the call is denied.
    Headless,
}

impl Reason {
    /// Why the call is refused, for the model.
    pub(super) fn refusal(self) -> &'static str {
        match self {
            Self::Plan => "this conversation is in plan mode, in which only tools that read may run",
            _ => "a rule forbids this tool",
        }
    }

    /// What lets the call run without approval, for a notice.
    pub(super) fn authority(self) -> &'static str {
        match self {
            Self::Bypass => "the permission mode `bypass` says",
            _ => "a rule says",
        }
    }
}

/// A sentence for people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule(index) => return write!(f, "rule {} says so", index.saturating_add(1)),
            Self::Plan => "in the permission mode `plan`, only tools that read may run",
            Self::AcceptEdits => "in the permission mode `accept_edits`, changes of files need no approval",
            Self::Own => "the tool is the host's own",
            Self::Trusted => "the agent is trusted with the tools it lists",
            Self::Harmless => "the tool only reads, and only inside this installation",
            Self::Unknown => "no rule is about it, and the tool changes something or reaches other systems",
            Self::UntrustedText => "the model was sent text from outside, which may have told it to make the call",
            Self::Granted => "a person granted it by approving an earlier call",
            Self::DefinitionChanged => "the definition of the tool has changed since a person granted its calls",
            Self::Bypass => "in the permission mode `bypass`, what would be asked about runs with a notice",
            Self::Headless => "in the permission mode `headless`, what would be asked about is denied",
        })
    }
}
