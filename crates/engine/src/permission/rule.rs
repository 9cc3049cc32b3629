//! What is said about tools in advance.

use serde::{Deserialize, Serialize};

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

/// What to do with the calls of some tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The tool's name; a `*` at the end stands for any rest.
    pub tool: String,
    /// What to do.
    pub decision: Decision,
}

impl Rule {
    pub(super) fn matches(&self, name: &str) -> bool {
        match self.tool.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => name == self.tool,
        }
    }

    /// An exact name is more specific than any prefix, a longer prefix than a shorter one.
    pub(super) fn specificity(&self) -> usize {
        self.tool.strip_suffix('*').map_or(usize::MAX, str::len)
    }
}
