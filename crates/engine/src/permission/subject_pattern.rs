//! Patterns of the subjects of calls.

use turnkit_core::Subject;

use super::wildcard::matches_name;
use super::{ArgvPattern, HostPattern, PathPattern};

/// A pattern of the subjects that a rule covers. A pattern of one kind matches no subject of another kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectPattern {
    /// Files and folders.
    Path(PathPattern),
    /// Hosts of other systems.
    Host(HostPattern),
    /// Command lines of programs.
    Argv(ArgvPattern),
    /// Names that only the tool interprets. A `*` at the end matches any rest.
    Text(String),
}

impl SubjectPattern {
    /// Reports whether the pattern matches `subject`. A `strict` rule matches more spellings of the same subject.
    pub fn matches(&self, subject: &Subject, strict: bool) -> bool {
        match (self, subject) {
            (Self::Path(pattern), Subject::Path(path)) => pattern.matches(path, strict),
            (Self::Host(pattern), Subject::Url(url)) => pattern.matches(url),
            (Self::Argv(pattern), Subject::Argv(argv)) => pattern.matches(argv, strict),
            (Self::Text(pattern), Subject::Text(text)) if strict => {
                matches_name(&pattern.to_lowercase(), &text.to_lowercase())
            }
            (Self::Text(pattern), Subject::Text(text)) => matches_name(pattern, text),
            _ => false,
        }
    }

    /// Returns the rank of the pattern: greater than 0, and greater for a longer pattern.
    pub(super) fn specificity(&self) -> usize {
        1 + match self {
            Self::Path(pattern) => pattern.len(),
            Self::Host(pattern) => pattern.len(),
            Self::Argv(pattern) => pattern.len(),
            Self::Text(pattern) => pattern.strip_suffix('*').map_or(usize::MAX - 1, str::len),
        }
    }
}
