//! The field `tools` of requests for turns and sessions.

use serde::Deserialize;
use turnkit_core::ToolUse;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ToolUseBody {
    Auto,
    None,
}

impl From<ToolUseBody> for ToolUse {
    fn from(body: ToolUseBody) -> Self {
        match body {
            ToolUseBody::Auto => Self::Auto,
            ToolUseBody::None => Self::None,
        }
    }
}
