//! The section `[page]`: the web page of `turnkit serve`.

use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PageConfig {
    /// Whether the server offers the page at `/`. If not, its addresses are unknown (404).
    pub(crate) enabled: bool,
}

impl Default for PageConfig {
    fn default() -> Self {
        Self { enabled: true }
    }
}
