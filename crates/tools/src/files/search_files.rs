//! Searching files.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::{Roots, SearchResult};

use super::{failed, named, reading, subject};
use crate::arguments;

const SCHEMA: &str = r#"{"type":"object","properties":{"pattern":{"type":"string","minLength":1,"description":"A regular expression that is matched against each line; (?i) at its start ignores case"},"path":{"type":"string","description":"The path of the folder to search; all of the user's folders if absent"},"suffix":{"type":"string","description":"Searches only files whose names end with this, such as .md"}},"required":["pattern"],"additionalProperties":false}"#;

/// The tool `search_files {pattern, path?, suffix?}`. Returns `path:line: text` for each matching line.
pub struct SearchFiles {
    definition: ToolDefinition,
    roots: Arc<Roots>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    suffix: Option<String>,
}

impl SearchFiles {
    /// What models call it.
    pub const NAME: &str = "search_files";

    /// A tool that searches files of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Searches the user's text files for lines that match a regular expression. \
                           Answers with path:line: text for each.";
        Self { definition: reading(Self::NAME, description, SCHEMA, &roots), roots }
    }

    /// Searches every folder of the roots.
    async fn search_all(&self, pattern: &str, suffix: &str) -> Result<String, ToolError> {
        let is_only = self.roots.folders().count() == 1;
        let mut text = String::new();
        for folder in self.roots.folders() {
            let shown = folder.path().to_string_lossy();
            let found = self.roots.search_of(folder, pattern, suffix).await.map_err(|why| failed(&shown, &why))?;
            // Paths of the only folder are relative: they are what other calls pass.
            write_lines(&mut text, if is_only { "." } else { &shown }, &found);
        }
        Ok(text)
    }

    /// Searches the folder at `path`.
    async fn search_in(&self, path: &str, pattern: &str, suffix: &str) -> Result<String, ToolError> {
        let found = self.roots.search(path, pattern, suffix).await.map_err(|why| failed(path, &why))?;
        let mut text = String::new();
        write_lines(&mut text, path, &found);
        Ok(text)
    }
}

impl Tool for SearchFiles {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let SearchArguments { path, .. } = arguments::read(arguments)?;
        subject(&self.roots, named(path.as_deref()).unwrap_or("."))
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let SearchArguments { pattern, path, suffix } = arguments::read(arguments)?;
            if pattern.is_empty() {
                return Err(ToolError::InvalidArguments("`pattern` is empty".to_owned()));
            }
            let suffix = suffix.unwrap_or_default();
            let text = match named(path.as_deref()) {
                None => self.search_all(&pattern, &suffix).await?,
                Some(path) => self.search_in(path, &pattern, &suffix).await?,
            };
            Ok(if text.is_empty() { "no line matches".into() } else { text.trim_end().into() })
        })
    }
}

fn write_lines(text: &mut String, folder: &str, found: &SearchResult) {
    let prefix = match folder.trim_end_matches('/') {
        "." => String::new(),
        folder => format!("{folder}/"),
    };
    for line in &found.lines {
        _ = writeln!(text, "{prefix}{}:{}: {}", line.path, line.number, line.text);
    }
    if found.is_cut {
        _ = writeln!(text, "[not all files were searched, or more lines match: narrow `pattern`, `path` or `suffix`]");
    }
}
