//! A tool that writes a whole file.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::Roots;

use super::preview::{difference, passage, shown_path};
use super::{FILE_BYTES, check_writable, failed, granted_file, subject, writing};
use crate::arguments;

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path of the file"},"content":{"type":"string","description":"The whole new text of the file"}},"required":["path","content"],"additionalProperties":false}"#;

/// The tool `write_file {path, content}`. Creates a file, along with any missing parent folders, or replaces its text.
pub struct WriteFile {
    definition: ToolDefinition,
    roots: Arc<Roots>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArguments {
    path: String,
    content: String,
}

impl WriteFile {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "write_file";

    /// Creates a tool that writes files of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Creates a text file in the user's folders, or replaces its whole text.";
        Self { definition: writing(Self::NAME, description, SCHEMA, true, &roots), roots }
    }
}

impl Tool for WriteFile {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let WriteArguments { path, .. } = arguments::read(arguments)?;
        subject(&self.roots, &path)
    }

    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let WriteArguments { path, .. } = arguments::read(arguments)?;
        granted_file(&self.roots, &path)
    }

    fn check(&self, arguments: &RawJson) -> Result<(), ToolError> {
        let WriteArguments { path, content } = arguments::read(arguments)?;
        check_length(&content)?;
        check_writable(&self.roots, &path)
    }

    fn preview(&self, arguments: &RawJson) -> Option<String> {
        let WriteArguments { path, content } = arguments::read(arguments).ok()?;
        let shown = shown_path(&self.roots, &path);
        Some(match self.roots.read_text_blocking(&path, FILE_BYTES) {
            Ok(None) => difference(&format!("creates {shown}"), "", &content),
            Ok(Some(before)) if before == content => format!("replaces {shown} with the same text"),
            Ok(Some(before)) => difference(&format!("replaces {shown}"), &before, &content),
            Err(why) => passage(&format!("writes {shown}, which cannot be read: {why}"), "", &content),
        })
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let WriteArguments { path, content } = arguments::read(arguments)?;
            check_length(&content)?;
            let bytes = content.len();
            let is_new = self.roots.write(&path, content.into_bytes()).await.map_err(|why| failed(&path, &why))?;
            let done = if is_new { "created" } else { "replaced" };
            Ok(format!("{done} `{path}`: {bytes} {}", if bytes == 1 { "byte" } else { "bytes" }).into())
        })
    }
}

fn check_length(content: &str) -> Result<(), ToolError> {
    match content.len() as u64 > FILE_BYTES {
        true => Err(ToolError::InvalidArguments(format!("`content` is longer than {FILE_BYTES} bytes"))),
        false => Ok(()),
    }
}
