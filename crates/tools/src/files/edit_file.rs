//! A tool that replaces a passage of a file.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::Roots;

use super::preview::{difference, passage, shown_path};
use super::{FILE_BYTES, check_writable, failed, granted_file, invalid, subject, writing};
use crate::arguments;

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path of the file"},"old":{"type":"string","minLength":1,"description":"The passage to replace, exactly as it is in the file; it must be there once"},"new":{"type":"string","description":"The text in its place"},"all":{"type":"boolean","description":"Replaces the passage everywhere"}},"required":["path","old","new"],"additionalProperties":false}"#;

/// The tool `edit_file {path, old, new, all?}`. Replaces a passage that occurs once in a file, or all its occurrences.
pub struct EditFile {
    definition: ToolDefinition,
    roots: Arc<Roots>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditArguments {
    path: String,
    old: String,
    new: String,
    #[serde(default)]
    all: bool,
}

impl EditFile {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "edit_file";

    /// Creates a tool that edits files of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Replaces a passage of a text file in the user's folders.";
        Self { definition: writing(Self::NAME, description, SCHEMA, false, &roots), roots }
    }

    /// Returns the current text of a file, and the text after the edit. Blocks.
    fn edited(&self, path: &str, old: &str, new: &str, all: bool) -> Result<(String, String), String> {
        let before = self.roots.read_text_blocking(path, FILE_BYTES)?.ok_or("not found")?;
        let after = replaced(&before, old, new, all)?;
        Ok((before, after))
    }
}

impl Tool for EditFile {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let EditArguments { path, .. } = arguments::read(arguments)?;
        subject(&self.roots, &path)
    }

    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let EditArguments { path, .. } = arguments::read(arguments)?;
        granted_file(&self.roots, &path)
    }

    fn check(&self, arguments: &RawJson) -> Result<(), ToolError> {
        let EditArguments { path, old, new, all } = arguments::read(arguments)?;
        check_writable(&self.roots, &path)?;
        self.edited(&path, &old, &new, all).map(drop).map_err(|why| invalid(&path, &why))
    }

    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let EditArguments { path, old, new, all } = arguments::read(arguments).ok()?;
        let shown = shown_path(&self.roots, &path);
        Some(match self.edited(&path, &old, &new, all) {
            Ok((before, after)) => difference(&format!("edits {shown} in {}", places(&before, &old)), &before, &after),
            Err(why) => passage(&format!("cannot edit {shown}: {why}"), &old, &new),
        })
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let EditArguments { path, old, new, all } = arguments::read(arguments)?;
            let passage = old.clone();
            let edit = move |text: &str| replaced(text, &old, &new, all);
            let (before, after) = self.roots.edit(&path, FILE_BYTES, edit).await.map_err(|why| failed(&path, &why))?;
            let changed = before.lines().zip(after.lines()).take_while(|(before, after)| before == after).count();
            let places = if all { format!(" in {},", places(&before, &passage)) } else { String::new() };
            Ok(format!("edited `{path}`{places} from line {} on", changed + 1).into())
        })
    }
}

/// Returns the number of places of a passage in a text, in words.
fn places(text: &str, passage: &str) -> String {
    match text.matches(passage).count() {
        1 => "1 place".to_owned(),
        places => format!("{places} places"),
    }
}

/// Replaces the only occurrence of `old` in the text, or all occurrences.
fn replaced(text: &str, old: &str, new: &str, all: bool) -> Result<String, String> {
    match text.matches(old).count() {
        _ if old.is_empty() => Err("`old` is empty: use write_file for a new file".to_owned()),
        _ if old == new => Err("`old` and `new` are the same".to_owned()),
        0 => Err("`old` is not in the file; read the file and copy the passage exactly".to_owned()),
        1 => Ok(text.replacen(old, new, 1)),
        _ if all => Ok(text.replace(old, new)),
        places => Err(format!("`old` is in the file {places} times: make it longer, or pass `all`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_replaced_if_it_is_there_once_or_everywhere() {
        let text = "one two\none";
        for (old, new, all, expected) in [
            ("two", "2", false, Ok("one 2\none")),
            ("two\none", "", false, Ok("one ")),
            ("one", "1", true, Ok("1 two\n1")),
            ("one", "1", false, Err("`old` is in the file 2 times: make it longer, or pass `all`")),
            ("three", "3", true, Err("`old` is not in the file; read the file and copy the passage exactly")),
            ("two", "two", false, Err("`old` and `new` are the same")),
            ("", "x", true, Err("`old` is empty: use write_file for a new file")),
        ] {
            assert_eq!(replaced(text, old, new, all).as_deref().map_err(String::as_str), expected, "{old}");
        }
    }
}
