//! Rules: decisions about tool calls, made in advance.

use serde::{Deserialize, Serialize};
use turnkit_core::Subject;

use super::SubjectPattern;
use super::wildcard::matches_name;

/// The decision about a call, in ascending order of strictness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Run it.
    Allow,
    /// Run it and report it in a notice.
    Notify,
    /// Ask the user.
    Ask,
    /// Never run it.
    Deny,
}

impl Decision {
    /// Reports whether the decision keeps a call from running at once. Where a name has several spellings, a strict
    /// rule matches more of them than one that lets calls run.
    pub(super) fn is_strict(self) -> bool {
        self >= Self::Ask
    }
}

/// A decision about the calls of some tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The tool's name. A `*` at the end matches any rest.
    pub tool: String,
    /// The subjects of the calls. Absent: any subject.
    pub subject: Option<SubjectPattern>,
    /// The decision.
    pub decision: Decision,
    /// The index of the rule in the list in which it was written, from 0. Judgements name the rule by it. Absent: its
    /// index among the rules of its agent.
    pub index: Option<usize>,
}

impl Rule {
    /// Creates a rule for all calls of a tool. A `*` at the end of the name matches any rest.
    pub fn new(tool: impl Into<String>, decision: Decision) -> Self {
        Self { tool: tool.into(), subject: None, decision, index: None }
    }

    /// Restricts the rule to calls that touch `subject`.
    #[must_use]
    pub fn touching(self, subject: SubjectPattern) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// Sets the index of the rule in the list in which it was written, from 0.
    #[must_use]
    pub fn with_index(self, index: usize) -> Self {
        Self { index: Some(index), ..self }
    }

    /// Reports whether the rule applies to a call of the tool `name` that touches `subject`.
    pub fn matches(&self, name: &str, subject: &Subject) -> bool {
        let strict = self.decision.is_strict();
        matches_name(&self.tool, name) && self.subject.as_ref().is_none_or(|pattern| pattern.matches(subject, strict))
    }

    /// Returns the rank of the rule. A subject is more specific than any name, an exact name than any prefix, and a
    /// longer pattern than a shorter one.
    pub(super) fn specificity(&self) -> (usize, usize) {
        let name = self.tool.strip_suffix('*').map_or(usize::MAX, str::len);
        (self.subject.as_ref().map_or(0, SubjectPattern::specificity), name)
    }
}
