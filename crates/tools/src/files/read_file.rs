//! A tool that reads a text file.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::Roots;

use super::{FILE_BYTES, failed, granted_file, invalid, reading, subject};
use crate::arguments;

/// The number of lines that are read if the call sets no limit.
const USUAL_LINES: usize = 2_000;

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path of the file"},"offset":{"type":"integer","minimum":1,"description":"The first line to read, from 1"},"limit":{"type":"integer","minimum":1,"description":"The most lines to read; 2000 if absent"}},"required":["path"],"additionalProperties":false}"#;

/// The tool `read_file {path, offset?, limit?}`. Returns lines of a text file unchanged, then a note if there are more.
pub struct ReadFile {
    definition: ToolDefinition,
    roots: Arc<Roots>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    path: String,
    #[serde(default)]
    offset: Option<usize>,
    #[serde(default)]
    limit: Option<usize>,
}

impl ReadFile {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "read_file";

    /// Creates a tool that reads files of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Reads a text file of the user's folders.";
        Self { definition: reading(Self::NAME, description, SCHEMA, &roots), roots }
    }
}

impl Tool for ReadFile {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let ReadArguments { path, .. } = arguments::read(arguments)?;
        subject(&self.roots, &path)
    }

    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let ReadArguments { path, .. } = arguments::read(arguments)?;
        granted_file(&self.roots, &path)
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let ReadArguments { path, offset, limit } = arguments::read(arguments)?;
            let file = self.roots.file(&path).await.map_err(|why| failed(&path, &why))?;
            let content = file.read(FILE_BYTES).await.map_err(|error| failed(&path, &error.to_string()))?;
            let content = content.ok_or_else(|| failed(&path, &format!("larger than {FILE_BYTES} bytes")))?;
            let text = String::from_utf8(content).map_err(|_| failed(&path, "not UTF-8 text"))?;
            let lines = lines(&text, offset.unwrap_or(1), limit.unwrap_or(USUAL_LINES));
            lines.map(ToolOutput::from).map_err(|why| invalid(&path, &why))
        })
    }
}

/// Returns `limit` lines, starting at line `offset`, and a note about the rest.
fn lines(text: &str, offset: usize, limit: usize) -> Result<String, String> {
    let all = text.lines().count();
    let first = offset.max(1);
    if first > all.max(1) {
        return Err(format!(
            "there is no line {first}; the file has {all} {}",
            if all == 1 { "line" } else { "lines" }
        ));
    }
    let chosen: String = text.split_inclusive('\n').skip(first - 1).take(limit).collect();
    let last = (first - 1).saturating_add(limit);
    if last >= all {
        return Ok(chosen);
    }
    Ok(format!("{chosen}[lines {first} to {last} of {all}; read on with offset {}]", last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_asked_for_are_returned_as_they_are_with_a_note_about_the_rest() {
        let text = "one\r\ntwo\n\nfour";
        for (offset, limit, expected) in [
            (1, 2_000, Ok(text)),
            (1, 4, Ok(text)),
            (0, 4, Ok(text)),
            (4, 1, Ok("four")),
            (2, 2, Ok("two\n\n[lines 2 to 3 of 4; read on with offset 4]")),
            (1, 1, Ok("one\r\n[lines 1 to 1 of 4; read on with offset 2]")),
            (5, 1, Err("there is no line 5; the file has 4 lines")),
            (4, usize::MAX, Ok("four")),
        ] {
            assert_eq!(lines(text, offset, limit).as_deref().map_err(String::as_str), expected, "{offset} {limit}");
        }
        assert_eq!(lines("", 1, 10).as_deref(), Ok(""));
    }
}
