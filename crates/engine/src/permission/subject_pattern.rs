//! Which calls a rule is about, by what they touch.

use turnkit_core::Subject;

use super::wildcard::matches_name;
use super::{ArgvPattern, HostPattern, PathPattern};

/// What the calls touch that a rule is about. A pattern of one kind matches no call that touches another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectPattern {
    /// Files and folders.
    Path(PathPattern),
    /// Other systems.
    Host(HostPattern),
    /// Programs.
    Argv(ArgvPattern),
    /// Names that only the tool understands; a `*` at the end stands for any rest.
    Text(String),
}

impl SubjectPattern {
    /// Reports whether the pattern matches `subject`. A `careful` rule matches more ways to write the same.
    pub fn matches(&self, subject: &Subject, careful: bool) -> bool {
        match (self, subject) {
            (Self::Path(pattern), Subject::Path(path)) => pattern.matches(path, careful),
            (Self::Host(pattern), Subject::Url(url)) => pattern.matches(url),
            (Self::Argv(pattern), Subject::Argv(argv)) => pattern.matches(argv, careful),
            (Self::Text(pattern), Subject::Text(text)) if careful => {
                matches_name(&pattern.to_lowercase(), &text.to_lowercase())
            }
            (Self::Text(pattern), Subject::Text(text)) => matches_name(pattern, text),
            _ => false,
        }
    }

    /// More than 0; more for a longer pattern.
    pub(super) fn specificity(&self) -> usize {
        1 + match self {
            Self::Path(pattern) => pattern.len(),
            Self::Host(pattern) => pattern.len(),
            Self::Argv(pattern) => pattern.len(),
            Self::Text(pattern) => pattern.strip_suffix('*').map_or(usize::MAX - 1, str::len),
        }
    }
}
