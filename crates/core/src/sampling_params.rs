//! Sampling settings of agents, sessions and turns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Params, Str, Thinking};

/// The settings of model calls that agents, sessions and turns may each set. A turn's value replaces its session's,
/// which replaces the agent's, field by field. The provider decides the settings that none of them sets.
///
/// ```
/// use turnkit_core::{Params, SamplingParams};
///
/// let of_session: SamplingParams = serde_json::from_str(r#"{"temperature":0.2,"stop":["END"]}"#).unwrap();
/// let of_turn = SamplingParams { temperature: Some(1.0), ..SamplingParams::default() };
/// let mut params = Params { max_tokens: Some(800), ..Params::default() };
/// of_session.apply_to(&mut params);
/// of_turn.apply_to(&mut params);
/// assert_eq!((params.temperature, params.max_tokens), (Some(1.0), Some(800)));
/// assert_eq!(params.stop, ["END"]);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SamplingParams {
    /// Sampling temperature, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub temperature: Option<f32>,
    /// The longest answer of one model call, in tokens, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_tokens: Option<u32>,
    /// The amount of reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
    /// Stop sequences: texts at which the answer ends. An empty list removes those of the level below.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<String>>")]
    pub stop: Option<Vec<Str>>,
}

/// The error for a setting that is out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {reason}")]
pub struct InvalidParam {
    /// The name of the field as in requests and in the configuration: `params.temperature`.
    pub field: &'static str,
    /// What is wrong with the field, without its value.
    pub reason: &'static str,
}

impl SamplingParams {
    /// The maximum number of stop sequences: no known provider supports fewer.
    pub const MAX_STOPS: usize = 4;
    /// The maximum length of a stop sequence, in bytes.
    pub const STOP_BYTES: usize = 255;

    /// Returns `true` if nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Overwrites the fields of `params` with those that are set.
    pub fn apply_to(&self, params: &mut Params) {
        params.temperature = self.temperature.or(params.temperature);
        params.max_tokens = self.max_tokens.or(params.max_tokens);
        params.thinking = self.thinking.or(params.thinking);
        if let Some(stop) = &self.stop {
            params.stop.clone_from(stop);
        }
    }

    /// Checks the bounds that hold for every provider.
    ///
    /// # Errors
    /// Names the first field that is out of bounds.
    pub fn check(&self) -> Result<(), InvalidParam> {
        let invalid = |field, reason| Err(InvalidParam { field, reason });
        if self.temperature.is_some_and(|temperature| !(temperature.is_finite() && temperature >= 0.0)) {
            return invalid("params.temperature", "must be a number of at least 0, such as 0.2");
        }
        if self.max_tokens == Some(0) {
            return invalid("params.max_tokens", "must be at least 1");
        }
        let stop = self.stop.as_deref().unwrap_or_default();
        if stop.len() > Self::MAX_STOPS {
            return invalid("params.stop", "must contain at most 4 stop sequences");
        }
        if stop.iter().any(|text| text.is_empty() || text.len() > Self::STOP_BYTES) {
            return invalid("params.stop", "each stop sequence must be 1 to 255 bytes long");
        }
        if stop.iter().any(|text| text.contains('\0')) {
            return invalid("params.stop", "a stop sequence contains a NUL character");
        }
        Ok(())
    }

    /// Returns the number of bytes of text in the settings.
    pub(crate) fn text_bytes(&self) -> usize {
        self.stop.iter().flatten().map(|text| text.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_out_of_its_bounds_is_named() {
        let long = format!(r#"{{"stop":["{}"]}}"#, "x".repeat(SamplingParams::STOP_BYTES + 1));
        for (params, field) in [
            ("{}", None),
            (r#"{"temperature":0,"max_tokens":1,"thinking":"off","stop":[]}"#, None),
            (r#"{"temperature":2.5,"stop":["\n","a","b","c"]}"#, None),
            (r#"{"temperature":-0.1}"#, Some("params.temperature")),
            (r#"{"max_tokens":0}"#, Some("params.max_tokens")),
            (r#"{"stop":["a","b","c","d","e"]}"#, Some("params.stop")),
            (r#"{"stop":["a",""]}"#, Some("params.stop")),
            (r#"{"stop":["a\u0000"]}"#, Some("params.stop")),
            (&long, Some("params.stop")),
        ] {
            let params_of: SamplingParams = serde_json::from_str(params).unwrap();
            assert_eq!(params_of.check().err().map(|invalid| invalid.field), field, "{params}");
        }
        // Depending on how numbers are parsed, this one is infinite or rejected.
        let huge = serde_json::from_str::<SamplingParams>(r#"{"temperature":1e300}"#);
        assert!(!huge.is_ok_and(|params| params.check().is_ok()));
    }

    #[test]
    fn a_field_that_is_set_replaces_the_one_below() {
        let all = r#"{"temperature":0.5,"max_tokens":9,"thinking":"low","stop":["a","b"]}"#;
        for (above, expected) in [
            ("{}", (Some(0.5), Some(9), Some(Thinking::Low), "a b")),
            (r#"{"temperature":0}"#, (Some(0.0), Some(9), Some(Thinking::Low), "a b")),
            (r#"{"max_tokens":1}"#, (Some(0.5), Some(1), Some(Thinking::Low), "a b")),
            (r#"{"thinking":"off"}"#, (Some(0.5), Some(9), Some(Thinking::Off), "a b")),
            (r#"{"stop":["c"]}"#, (Some(0.5), Some(9), Some(Thinking::Low), "c")),
            (r#"{"stop":[]}"#, (Some(0.5), Some(9), Some(Thinking::Low), "")),
        ] {
            let mut params = Params::default();
            for level in [all, above] {
                serde_json::from_str::<SamplingParams>(level).unwrap().apply_to(&mut params);
            }
            let Params { temperature, max_tokens, thinking, stop, .. } = params;
            assert_eq!((temperature, max_tokens, thinking, stop.join(" ").as_str()), expected, "{above}");
        }
    }
}
