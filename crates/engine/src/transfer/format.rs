//! The formats of an export.

use std::str::FromStr;

/// The format of an exported session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// All branches with their files, one JSON value per line. This format can be imported.
    JsonLines,
    /// The conversation on the head's branch, for people.
    Markdown,
    /// The messages that a model is sent for the head's branch, as one object, for systems whose protocol is `named`.
    Json,
}

impl ExportFormat {
    /// Returns the text form: `jsonl`, `json` or `md`, which is also the usual file extension.
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
#[error("expected `jsonl`, `json` or `md`")]
pub struct UnknownFormat;

impl FromStr for ExportFormat {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let known = [Self::JsonLines, Self::Markdown, Self::Json].into_iter().find(|format| format.as_str() == text);
        known.ok_or(UnknownFormat)
    }
}
