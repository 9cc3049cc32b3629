//! A tool that lists a folder.

use std::sync::Arc;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_files::Roots;

use super::{failed, granted_folder, named, no_folder, reading, subject};
use crate::arguments;

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path of the folder; all of the user's folders if absent"}},"additionalProperties":false}"#;

/// The tool `list_files {path?}`. Returns the tree of a folder: a line for each name, indented under its folder.
pub struct ListFiles {
    definition: ToolDefinition,
    roots: Arc<Roots>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    #[serde(default)]
    path: Option<String>,
}

impl ListFiles {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "list_files";

    /// Creates a tool that lists folders of `roots`.
    pub fn new(roots: Arc<Roots>) -> Self {
        let description = "Lists the files and folders in a folder of the user, and in the folders in it.";
        Self { definition: reading(Self::NAME, description, SCHEMA, &roots), roots }
    }

    /// Lists every folder of the roots. If there are several, each is listed under its path.
    async fn list_all(&self) -> Result<String, ToolError> {
        let is_only = self.roots.folders().count() == 1;
        let mut text = String::new();
        for folder in self.roots.folders() {
            let shown = folder.path().to_string_lossy();
            let tree = self.roots.tree_of(folder).await.map_err(|why| failed(&shown, &why))?;
            if is_only {
                return Ok(tree);
            }
            text.push_str(&format!("{shown}/\n"));
            tree.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
        }
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }
}

impl Tool for ListFiles {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let ListArguments { path } = arguments::read(arguments)?;
        subject(&self.roots, named(path.as_deref()).unwrap_or("."))
    }

    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        let ListArguments { path } = arguments::read(arguments)?;
        granted_folder(&self.roots, path.as_deref())
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let ListArguments { path } = arguments::read(arguments)?;
            let tree = match named(path.as_deref()) {
                None => self.list_all().await?,
                Some(path) => match self.roots.tree(path).await {
                    Ok(tree) => tree,
                    Err(why) => return Err(no_folder(&self.roots, path, &why).await),
                },
            };
            Ok(tree.into())
        })
    }
}
