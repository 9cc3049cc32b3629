//! The section `[files]`: files that users send with their messages.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_files::Roots;

use super::value::{folders, positive};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FilesConfig {
    /// The largest file that a user may upload, in bytes.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) upload_bytes: usize,
    /// Folders whose files every user may name in a turn, and tools may read and write. Relative paths start at the
    /// folder of this file. Without any folder, no file is read. This file, `credentials` of providers, the data,
    /// `.git` and names that begin with `.env` are neither read nor written.
    #[serde(deserialize_with = "folders")]
    pub(crate) roots: Vec<PathBuf>,
    /// Whether other people write the files in `roots`. If so, the contents that tools read from them, and that turns
    /// name, are untrusted text.
    pub(crate) untrusted: bool,
    /// The resolved folders.
    #[serde(skip)]
    pub(crate) found_roots: Roots,
}

impl Default for FilesConfig {
    fn default() -> Self {
        Self { upload_bytes: 50_000_000, roots: Vec::new(), untrusted: false, found_roots: Roots::default() }
    }
}
