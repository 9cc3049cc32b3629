//! Files that users send with their messages.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_files::Roots;

use super::value::positive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FilesConfig {
    /// The largest file that a user may upload, in bytes.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) upload_bytes: usize,
    /// Folders whose files every user may name in a turn, and tools may read and write; relative paths start at the folder of
    /// this file. Without any, no file is read. This file, `credentials` of providers, the data, `.git` and names that begin
    /// with `.env` are neither read nor written.
    pub(crate) roots: Vec<PathBuf>,
    /// Whether others write the files of `roots`: what tools read of them, and what turns name of them, is text from outside.
    pub(crate) untrusted: bool,
    /// The folders as they were found.
    #[serde(skip)]
    pub(crate) found_roots: Roots,
}

impl Default for FilesConfig {
    fn default() -> Self {
        Self { upload_bytes: 50_000_000, roots: Vec::new(), untrusted: false, found_roots: Roots::default() }
    }
}
