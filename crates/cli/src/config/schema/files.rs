//! Files that users send with their messages.

use schemars::JsonSchema;
use serde::Deserialize;

use super::value::positive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct FilesConfig {
    /// The largest file that a user may upload, in bytes.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) upload_bytes: usize,
}

impl Default for FilesConfig {
    fn default() -> Self {
        Self { upload_bytes: 50_000_000 }
    }
}
