//! Detects the file that a call read or changed.

use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::ToolDefinition;

use super::prunable_result::PrunableResult;

/// Words in the names of tools that change a file. A tool that only runs a file does not change it.
const CHANGES: [&str; 12] =
    ["write", "edit", "replace", "patch", "create", "append", "insert", "save", "update", "delete", "remove", "move"];

/// A call that read or changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileAccess {
    /// The tool only reads.
    Read {
        /// The path without the line range.
        path: String,
        /// The line range and all other arguments. `None` for the whole file.
        lines: Option<String>,
    },
    /// The tool changes the file.
    Change {
        /// The path.
        path: String,
    },
}

/// The arguments of a tool that works on a file.
#[derive(Deserialize)]
struct FileArguments {
    #[serde(alias = "file_path", alias = "file", alias = "filename")]
    path: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl FileAccess {
    /// Returns the file access of a call, or `None` if its tool is not among `tools` or works on no file.
    pub(super) fn from_result(outcome: &PrunableResult<'_>, tools: &[ToolDefinition]) -> Option<Self> {
        let call = outcome.call?;
        let tool = tools.iter().find(|tool| tool.name == call.name)?;
        let changes = || CHANGES.iter().any(|word| tool.name.to_ascii_lowercase().contains(word));
        if !tool.flags.read_only && !changes() {
            return None;
        }
        let FileArguments { path, mut others } = call.arguments.json().ok()?.read().ok()?;
        let (path, range) = without_range(path.strip_prefix("./").unwrap_or(&path));
        let path = path.to_owned();
        if !tool.flags.read_only {
            return Some(Self::Change { path });
        }
        others.retain(|_, value| !value.is_null());
        let is_whole = range.is_empty() && others.is_empty();
        let lines = (!is_whole).then(|| format!("{range} {}", Value::Object(others)));
        Some(Self::Read { path, lines })
    }
}

/// Splits a path such as `main.rs:10-20` into the path and the line range.
fn without_range(path: &str) -> (&str, &str) {
    let is_range = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit())
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    path.rsplit_once(':').filter(|(_, range)| is_range(range)).unwrap_or((path, ""))
}
