//! What is said about tools in advance.

use serde::{Deserialize, Serialize};
use turnkit_core::Subject;

use super::SubjectPattern;
use super::wildcard::matches_name;

/// What to do with a call. The later, the more careful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Run it.
    Allow,
    /// Run it and say so.
    Notify,
    /// Ask a person.
    Ask,
    /// Never run it.
    Deny,
}

impl Decision {
    /// Reports whether it keeps a call from running at once. Where a name can be written in several ways, such a rule
    /// matches more of them than one that lets calls run.
    pub(super) fn is_careful(self) -> bool {
        self >= Self::Ask
    }
}

/// What to do with some calls of some tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The tool's name; a `*` at the end stands for any rest.
    pub tool: String,
    /// What the calls touch; absent: anything.
    pub subject: Option<SubjectPattern>,
    /// What to do.
    pub decision: Decision,
}

impl Rule {
    /// A rule about all calls of a tool. A `*` at the end of the name stands for any rest.
    pub fn new(tool: impl Into<String>, decision: Decision) -> Self {
        Self { tool: tool.into(), subject: None, decision }
    }

    /// The same rule, about calls that touch `subject`.
    #[must_use]
    pub fn touching(self, subject: SubjectPattern) -> Self {
        Self { subject: Some(subject), ..self }
    }

    /// Reports whether the rule is about a call of the tool `name` that touches `subject`.
    pub fn matches(&self, name: &str, subject: &Subject) -> bool {
        let careful = self.decision.is_careful();
        matches_name(&self.tool, name) && self.subject.as_ref().is_none_or(|pattern| pattern.matches(subject, careful))
    }

    /// What a call touches is more specific than any name, an exact name than any prefix, a longer pattern than a shorter
    /// one.
    pub(super) fn specificity(&self) -> (usize, usize) {
        let name = self.tool.strip_suffix('*').map_or(usize::MAX, str::len);
        (self.subject.as_ref().map_or(0, SubjectPattern::specificity), name)
    }
}
