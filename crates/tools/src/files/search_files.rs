//! A tool that searches files.

use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::{Roots, SearchPattern, SearchResult};

use super::{failed, granted_folder, named, no_folder, reading, subject};
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
    /// The name of the tool, as models call it.
    pub const NAME: &str = "search_files";

    /// Creates a tool that searches files of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Searches the user's text files for lines that match a regular expression. \
                           Answers with path:line: text for each.";
        Self { definition: reading(Self::NAME, description, SCHEMA, &roots), roots }
    }

    /// Searches every folder of the roots.
    async fn search_all(&self, pattern: &SearchPattern, suffix: &str) -> Result<Answer, ToolError> {
        let is_only = self.roots.folders().count() == 1;
        let mut answer = Answer::default();
        for folder in self.roots.folders() {
            let shown = folder.path().to_string_lossy();
            let found = self.roots.search_of(folder, pattern, suffix).await.map_err(|why| failed(&shown, &why))?;
            // If there is only one folder, paths are relative to it, in the form that other calls accept.
            answer.add(if is_only { "." } else { &shown }, found);
        }
        Ok(answer)
    }

    /// Searches the folder at `path`.
    async fn search_in(&self, path: &str, pattern: &SearchPattern, suffix: &str) -> Result<Answer, ToolError> {
        let found = match self.roots.search(path, pattern, suffix).await {
            Ok(found) => found,
            Err(why) => return Err(no_folder(&self.roots, path, &why).await),
        };
        let mut answer = Answer::default();
        answer.add(path, found);
        Ok(answer)
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

    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let SearchArguments { path, .. } = arguments::read(arguments)?;
        granted_folder(&self.roots, path.as_deref())
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let SearchArguments { pattern, path, suffix } = arguments::read(arguments)?;
            if pattern.is_empty() {
                return Err(ToolError::InvalidArguments("`pattern` is empty".to_owned()));
            }
            let pattern = SearchPattern::parse(&pattern)
                .map_err(|why| ToolError::InvalidArguments(format!("`pattern` is not a regular expression: {why}")))?;
            let suffix = suffix.unwrap_or_default();
            let answer = match named(path.as_deref()) {
                None => self.search_all(&pattern, &suffix).await?,
                Some(path) => self.search_in(path, &pattern, &suffix).await?,
            };
            Ok(answer.into_text().into())
        })
    }
}

/// The result for the model.
#[derive(Default)]
struct Answer {
    lines: String,
    is_cut: bool,
    too_large: usize,
    not_text: usize,
}

impl Answer {
    /// Adds the matches in a folder.
    fn add(&mut self, folder: &str, found: SearchResult) {
        let prefix = match folder.trim_end_matches('/') {
            "." => String::new(),
            folder => format!("{folder}/"),
        };
        for line in &found.lines {
            _ = writeln!(self.lines, "{prefix}{}:{}: {}", line.path, line.number, line.text);
        }
        self.is_cut |= found.is_cut;
        self.too_large += found.too_large;
        self.not_text += found.not_text;
    }

    fn into_text(self) -> String {
        let Self { lines: mut text, is_cut, too_large, not_text } = self;
        if text.is_empty() {
            text.push_str("no line matches\n");
        }
        if is_cut {
            text.push_str("[not all files were searched, or more lines match: narrow `pattern`, `path` or `suffix`]\n");
        }
        let mebibytes = SearchResult::FILE_BYTES / (1024 * 1024);
        for (files, why) in [(too_large, format!("over {mebibytes} MiB")), (not_text, "not UTF-8 text".to_owned())] {
            match files {
                0 => {}
                1 => _ = writeln!(text, "[1 file was not searched: {why}]"),
                files => _ = writeln!(text, "[{files} files were not searched: {why}]"),
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}
