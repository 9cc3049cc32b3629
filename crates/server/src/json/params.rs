//! Sampling settings in requests about turns and sessions.

use serde::Deserialize;
use turnkit_core::{SamplingParams, Thinking};
use utoipa::ToSchema;

use crate::error::ApiError;

/// Settings of model calls. The provider decides any setting left open here, in the session and in the agent. A setting
/// that a model does not support is not sent to it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParamsBody {
    /// Sampling temperature: the lower, the more similar are responses to the same input. Each model has its own
    /// largest value.
    #[schema(minimum = 0)]
    temperature: Option<f32>,
    /// The longest response of one model call, in tokens, including reasoning.
    #[schema(minimum = 1)]
    max_tokens: Option<u32>,
    /// How much the model should reason.
    #[schema(inline)]
    thinking: Option<ThinkingBody>,
    /// At most 4 texts that end the response when the model would write one of them. An empty list removes those of the
    /// session or the agent.
    #[schema(max_items = 4, min_length = 1, max_length = 255)]
    stop: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ThinkingBody {
    Off,
    Low,
    Medium,
    High,
    Max,
}

impl ParamsBody {
    /// Returns the settings, after checking their bounds.
    pub(crate) fn into_params(self) -> Result<SamplingParams, ApiError> {
        let Self { temperature, max_tokens, thinking, stop } = self;
        let thinking = thinking.map(|thinking| match thinking {
            ThinkingBody::Off => Thinking::Off,
            ThinkingBody::Low => Thinking::Low,
            ThinkingBody::Medium => Thinking::Medium,
            ThinkingBody::High => Thinking::High,
            ThinkingBody::Max => Thinking::Max,
        });
        let stop = stop.map(|texts| texts.into_iter().map(Into::into).collect());
        let params = SamplingParams { temperature, max_tokens, thinking, stop };
        params.check().map_err(|invalid| ApiError::field(invalid.field, invalid.reason))?;
        Ok(params)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::PartialSchema;

    use super::*;

    #[test]
    fn the_bounds_in_the_schema_are_those_that_are_checked() {
        let schema = json!(ParamsBody::schema());
        for (bound, checked) in [
            ("/properties/stop/maxItems", SamplingParams::MAX_STOPS),
            ("/properties/stop/items/maxLength", SamplingParams::STOP_BYTES),
        ] {
            assert_eq!(schema.pointer(bound), Some(&json!(checked)), "{bound}: {schema}");
        }
    }
}
