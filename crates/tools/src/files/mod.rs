//! Files of the folders that the operator lists: read, listed, searched, written and edited.

mod edit_file;
mod list_files;
mod preview;
mod read_file;
mod search_files;
mod write_file;

use std::sync::Arc;

use turnkit_core::ports::Tool;
use turnkit_core::{Subject, ToolDefinition, ToolError, ToolFlags};
use turnkit_files::Roots;

pub use edit_file::EditFile;
pub use list_files::ListFiles;
pub use read_file::ReadFile;
pub use search_files::SearchFiles;
pub use write_file::WriteFile;

/// The largest file that is read or written, in bytes.
const FILE_BYTES: u64 = 10 * 1024 * 1024;

/// The names of the file tools.
pub const FILE_TOOLS: &[&str] = &[ReadFile::NAME, ListFiles::NAME, SearchFiles::NAME, WriteFile::NAME, EditFile::NAME];

/// The file tools. They read and write what is in `roots`, and nothing else.
pub fn file_tools(roots: &Arc<Roots>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(ReadFile::new(roots.clone())),
        Arc::new(ListFiles::new(roots.clone())),
        Arc::new(SearchFiles::new(roots.clone())),
        Arc::new(WriteFile::new(roots.clone())),
        Arc::new(EditFile::new(roots.clone())),
    ]
}

/// A definition of a tool that looks at files of `roots`. Where others write these, its results are text from outside.
fn reading(name: &str, description: &str, schema: &'static str, roots: &Roots) -> ToolDefinition {
    let flags = ToolFlags { repeats: roots.are_untrusted(), ..ToolFlags::read_only() };
    crate::arguments::read_only(name, description, schema).with_flags(flags)
}

/// A definition of a tool that changes files.
fn writing(name: &str, description: &str, schema: &'static str, idempotent: bool) -> ToolDefinition {
    let flags = ToolFlags { idempotent, destructive: true, ..ToolFlags::default() };
    crate::arguments::read_only(name, description, schema).with_flags(flags)
}

/// What a call about the file or folder at `path` touches.
fn subject(roots: &Roots, path: &str) -> Result<Subject, ToolError> {
    let path = roots.path_beneath(path).map_err(|why| ToolError::Denied(format!("`{path}`: {why}")))?;
    Ok(Subject::Path(path))
}

/// The folder that a call names; `None` for all folders.
fn named(path: Option<&str>) -> Option<&str> {
    path.map(str::trim).filter(|path| !path.is_empty())
}

/// The failure of a call about the file or folder at `path`.
fn failed(path: &str, why: &str) -> ToolError {
    ToolError::Failed(format!("`{path}`: {why}"))
}
