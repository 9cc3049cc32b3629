//! Why a model call ended.

use std::fmt;

use serde::de::{EnumAccess, Error, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Str;

/// Why a model call ended.
///
/// The text form is one word. The JSON form, which the log stores, is that word for the reasons a provider reports, and
/// `{"other": word}` for [`Interrupted`](Self::Interrupted) and [`Other`](Self::Other).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishReason {
    /// The model completed its answer.
    Stop,
    /// The model reached its output limit. The last part may be cut off.
    Length,
    /// The model waits for the results of its tool calls.
    ToolCalls,
    /// The provider's content filter stopped the answer.
    ContentFilter,
    /// The model refused to answer.
    Refusal,
    /// The provider paused a long answer.
    Pause,
    /// The call ended before the answer was complete: the turn or the process stopped, or the stream failed. The turn's
    /// owner records this reason; no provider reports it.
    Interrupted,
    /// A provider's reason that this version does not know.
    Other(Str),
}

impl FinishReason {
    /// The reasons that providers report.
    const REPORTED: &'static [Self] =
        &[Self::Stop, Self::Length, Self::ToolCalls, Self::ContentFilter, Self::Refusal, Self::Pause];
    /// The key of the JSON form of all other reasons.
    const OTHER: &'static str = "other";

    /// Returns the text form.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
            Self::Refusal => "refusal",
            Self::Pause => "pause",
            Self::Interrupted => "interrupted",
            Self::Other(word) => word,
        }
    }

    fn reported(word: &str) -> Option<Self> {
        Self::REPORTED.iter().find(|reason| reason.as_str() == word).cloned()
    }

    /// Creates the reason for a provider's word that this version does not know. If the word equals that of
    /// [`Interrupted`](Self::Interrupted), returns `Interrupted`, because the log cannot distinguish the two.
    pub fn other(word: Str) -> Self {
        if word == Self::Interrupted.as_str() { Self::Interrupted } else { Self::Other(word) }
    }
}

/// Parses the text form.
impl From<&str> for FinishReason {
    fn from(word: &str) -> Self {
        Self::reported(word).unwrap_or_else(|| Self::other(word.into()))
    }
}

impl Serialize for FinishReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Interrupted | Self::Other(_) => {
                serializer.serialize_newtype_variant("FinishReason", 6, Self::OTHER, self.as_str())
            }
            reported => serializer.serialize_str(reported.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for FinishReason {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("FinishReason", &[], JsonForm)
    }
}

struct JsonForm;

impl<'de> Visitor<'de> for JsonForm {
    type Value = FinishReason;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finish reason")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<FinishReason, A::Error> {
        let (key, value): (Str, _) = data.variant()?;
        if key == FinishReason::OTHER {
            return value.newtype_variant().map(FinishReason::other);
        }
        value.unit_variant()?;
        FinishReason::reported(&key).ok_or_else(|| A::Error::custom(format_args!("unknown finish reason {key:?}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_is_stored_like_a_word_no_version_knows() {
        for (reason, text, json) in [
            (FinishReason::ToolCalls, "tool_calls", r#""tool_calls""#),
            (FinishReason::Interrupted, "interrupted", r#"{"other":"interrupted"}"#),
            (FinishReason::Other("eos".into()), "eos", r#"{"other":"eos"}"#),
        ] {
            assert_eq!((reason.as_str(), &*serde_json::to_string(&reason).unwrap()), (text, json));
            assert_eq!((serde_json::from_str::<FinishReason>(json).unwrap(), text.into()), (reason.clone(), reason));
        }
        for json in [r#""eos""#, r#""interrupted""#, r#"{"stop":"x"}"#, r#"{"other":1}"#, "{}", "1"] {
            assert!(serde_json::from_str::<FinishReason>(json).is_err(), "{json}");
        }
    }
}
