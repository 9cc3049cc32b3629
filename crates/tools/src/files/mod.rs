//! Tools that read, list, search, write and edit files in the folders that the operator configures.

mod edit_file;
mod list_files;
mod preview;
mod read_file;
mod search_files;
mod write_file;

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::Tool;
use turnkit_core::{Subject, ToolDefinition, ToolError, ToolFlags};
use turnkit_files::Roots;

use crate::fingerprint::fingerprint;

pub use edit_file::EditFile;
pub use list_files::ListFiles;
pub use read_file::ReadFile;
pub use search_files::SearchFiles;
pub use write_file::WriteFile;

/// The largest file that can be read or written, in bytes.
const FILE_BYTES: u64 = 10 * 1024 * 1024;

/// The names of the file tools.
pub const FILE_TOOLS: &[&str] = &[ReadFile::NAME, ListFiles::NAME, SearchFiles::NAME, WriteFile::NAME, EditFile::NAME];

/// Returns the file tools. They read and write only files in `roots`.
pub fn file_tools(roots: &Arc<Roots>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(ReadFile::new(roots.clone())),
        Arc::new(ListFiles::new(roots.clone())),
        Arc::new(SearchFiles::new(roots.clone())),
        Arc::new(WriteFile::new(roots.clone())),
        Arc::new(EditFile::new(roots.clone())),
    ]
}

/// Returns the definition of a tool that reads files of `roots`. If these are untrusted text, so are its results.
fn reading(name: &str, description: &str, schema: &'static str, roots: &Roots) -> ToolDefinition {
    let flags = ToolFlags { repeats: roots.are_untrusted(), ..ToolFlags::read_only() };
    with_fingerprint(roots, crate::arguments::read_only(name, description, schema).with_flags(flags))
}

/// Returns the definition of a tool that changes files of `roots`.
fn writing(name: &str, description: &str, schema: &'static str, idempotent: bool, roots: &Roots) -> ToolDefinition {
    let flags = ToolFlags { idempotent, destructive: true, ..ToolFlags::default() };
    with_fingerprint(roots, crate::arguments::read_only(name, description, schema).with_flags(flags))
}

/// Adds a fingerprint of the folders to a definition. With other folders, an earlier approval would cover different
/// files.
fn with_fingerprint(roots: &Roots, definition: ToolDefinition) -> ToolDefinition {
    let shown: Vec<_> = roots.folders().map(|root| root.real_path().to_string_lossy()).collect();
    ToolDefinition { fingerprint: Some(fingerprint(&json!({ "roots": shown }))), ..definition }
}

/// Returns the subject of a call for the file or folder at `path`.
fn subject(roots: &Roots, path: &str) -> Result<Subject, ToolError> {
    let path = roots.path_beneath(path).map_err(|why| ToolError::Denied(format!("`{path}`: {why}")))?;
    Ok(Subject::Path(path))
}

/// Returns the subject of a grant: the file that `path` names now. Later, the same path may name a file in another
/// folder.
fn granted_file(roots: &Roots, path: &str) -> Result<Subject, ToolError> {
    granted(path, roots.resolve_file(path))
}

/// Returns the subject of a grant: the folder that the call names, or all folders.
fn granted_folder(roots: &Roots, path: Option<&str>) -> Result<Subject, ToolError> {
    match named(path) {
        None => subject(roots, "."),
        Some(path) => granted(path, roots.resolve_folder(path)),
    }
}

fn granted(path: &str, place: Result<PathBuf, String>) -> Result<Subject, ToolError> {
    let place = place.map_err(|why| ToolError::Denied(format!("`{path}`: {why}")))?;
    Ok(Subject::Path(place.to_string_lossy().into_owned()))
}

/// Checks that the file at `path` may be created or replaced.
fn check_writable(roots: &Roots, path: &str) -> Result<(), ToolError> {
    roots.check_writable_blocking(path).map_err(|why| ToolError::Denied(format!("`{path}`: {why}")))
}

/// Returns the folder that a call names, or `None` for all folders.
fn named(path: Option<&str>) -> Option<&str> {
    path.map(str::trim).filter(|path| !path.is_empty())
}

/// Returns the error of a call for the file or folder at `path`.
fn failed(path: &str, why: &str) -> ToolError {
    ToolError::Failed(format!("`{path}`: {why}"))
}

/// Returns the error of a call that needs the folder at `path`, which cannot be opened. If a file is there, names it as
/// the reason.
async fn no_folder(roots: &Arc<Roots>, path: &str, why: &str) -> ToolError {
    match roots.file(path).await {
        Ok(_) => invalid(path, "is a file: name a folder, or read it with read_file"),
        Err(_) => failed(path, why),
    }
}

/// Returns the error of a call whose arguments do not fit the file or folder at `path`.
fn invalid(path: &str, why: &str) -> ToolError {
    ToolError::InvalidArguments(format!("`{path}`: {why}"))
}
