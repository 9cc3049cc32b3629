//! The judgement of a call.

use std::fmt;

use super::Decision;

/// A decision about a call, with its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// The decision.
    pub decision: Decision,
    /// The reason for the decision.
    pub reason: Reason,
}

/// Formats the reason for the user. A rule is named with its decision.
impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reason::Rule(index) = self.reason else { return fmt::Display::fmt(&self.reason, f) };
        let decides = match self.decision {
            Decision::Allow => "allows it",
            Decision::Notify => "allows it with a notice",
            Decision::Ask => "asks for approval",
            Decision::Deny => "denies it",
        };
        write!(f, "rule {} of the configuration {decides}", index.saturating_add(1))
    }
}

/// The reason for a judgement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A rule matches; contains its index in the list in which it was written, from 0.
    Rule(usize),
    /// In the mode `plan`, only tools that read may run.
    Plan,
    /// In the mode `accept_edits`, changes of files need no approval.
    AcceptEdits,
    /// The tool is one of the flow's own.
    Own,
    /// The configuration trusts the tool.
    Trusted,
    /// The tool only reads, and only inside this installation.
    Harmless,
    /// No rule, mode or trust allows the call.
    Unknown,
    /// The model was sent untrusted text, which may have induced it to make the call.
    UntrustedText,
    /// The user granted the call by approving an earlier one.
    Granted,
    /// The user granted the call, but the definition of the tool has changed since.
    DefinitionChanged,
    /// The definition of the tool has changed since it was accepted.
    ToolChanged,
    /// The model was sent the definition of another tool that has changed since it was accepted, which may have induced
    /// it to make the call.
    OtherToolChanged,
    /// The mode is `bypass`: the call runs with a notice.
    Bypass,
    /// The mode is `headless`: the call is denied.
    Headless,
}

impl Reason {
    /// Returns the reason why a person is asked, as a sentence for that person.
    pub(crate) fn of_question(self) -> String {
        Judgement { decision: Decision::Ask, reason: self }.to_string()
    }

    /// Reports whether a text that nobody vouches for may have induced the model to make the call.
    pub(crate) fn is_about_text(self) -> bool {
        matches!(self, Self::UntrustedText | Self::OtherToolChanged)
    }

    /// Returns the reason for a refusal, as reported to the model.
    pub(super) fn refusal(self) -> &'static str {
        match self {
            Self::Plan => "this conversation is in plan mode, in which only tools that read may run",
            _ => "a rule forbids this tool",
        }
    }

    /// Returns the authority by which the call runs without approval, for a notice.
    pub(super) fn authority(self) -> &'static str {
        match self {
            Self::Bypass => "the permission mode `bypass` says",
            _ => "a rule says",
        }
    }
}

/// Formats the reason for the user.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule(index) => return write!(f, "rule {} of the configuration decides it", index.saturating_add(1)),
            Self::Plan => "in the permission mode `plan`, only tools that read may run",
            Self::AcceptEdits => "in the permission mode `accept_edits`, changes of files need no approval",
            Self::Own => "the tool is the host's own",
            Self::Trusted => "the configuration trusts the tool",
            Self::Harmless => "the tool only reads, and only inside this installation",
            Self::Unknown => "no rule matches it, and the tool changes something or reaches other systems",
            Self::UntrustedText => "the model was sent untrusted text, which may have told it to make the call",
            Self::Granted => "a person granted it by approving an earlier call",
            Self::DefinitionChanged => "the definition of the tool has changed since a person granted its calls",
            Self::ToolChanged => "the definition of the tool has changed since it was accepted",
            Self::OtherToolChanged => {
                "the definition of another tool has changed since it was accepted, and may have told the model to make \
                 the call"
            }
            Self::Bypass => "in the permission mode `bypass`, calls that need approval run with a notice",
            Self::Headless => "in the permission mode `headless`, calls that need approval are denied",
        })
    }
}
