//! The subjects of tool calls.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a tool call touches, as the tool derives it from the arguments. Rules match the subject, not the text that the
/// model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The call touches nothing that a rule could match.
    #[default]
    None,
    /// A file or folder. A relative path starts at the root of the tool's files.
    Path(String),
    /// A URL of another system.
    Url(String),
    /// A program with its arguments.
    Argv(Vec<String>),
    /// A name whose meaning only the tool knows.
    Text(String),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("nothing that a rule could name"),
            Self::Path(path) => write!(f, "the path {path}"),
            Self::Url(url) => write!(f, "the address {url}"),
            Self::Argv(words) => write!(f, "the program {words:?}"),
            Self::Text(text) => write!(f, "{text}"),
        }
    }
}
