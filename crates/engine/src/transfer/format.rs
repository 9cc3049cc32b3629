//! The formats of an export.

use std::str::FromStr;

/// The format of an exported session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// All branches with their files, a line each, which can be imported.
    JsonLines,
    /// What was said on the branch of the head, for people.
    Markdown,
    /// The messages that a model is sent of the branch of the head, as one object, for systems whose protocol is `named`.
    Json,
}

impl ExportFormat {
    /// The text form: `jsonl`, `json` or `md`, which is the usual extension of a file's name too.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Markdown => "md",
            Self::Json => "json",
        }
    }
}

/// The text is not the text form of an [`ExportFormat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is jsonl, json or md")]
pub struct UnknownFormat;

impl FromStr for ExportFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let known = [Self::JsonLines, Self::Markdown, Self::Json].into_iter().find(|format| format.as_str() == text);
        known.ok_or(UnknownFormat)
    }
}
