//! What a tool call touches.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a tool call touches, as its tool reads it from the arguments. Rules are about this, not about the text that the
/// model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Nothing that a rule could name.
    #[default]
    None,
    /// A file or folder. A relative path starts at the root of the tool's files.
    Path(String),
    /// An address of another system.
    Url(String),
    /// A program with its arguments.
    Argv(Vec<String>),
    /// A name that only the tool understands.
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
