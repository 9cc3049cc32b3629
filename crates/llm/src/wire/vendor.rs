//! What differs between those who speak one wire.

use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::Str;

use super::Wire;
use crate::vendors::{self, VendorProfile};

/// Who answers, as far as a wire must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vendor {
    /// Its name: what must go back to its maker byte for byte goes to a vendor of this name only.
    pub name: Str,
    /// What it calls the limit of output.
    pub output_limit: OutputLimit,
    /// Whether it takes the request for usage that Chat Completions has.
    pub stream_options: bool,
    /// How it is told the shape of an answer, where its wire has more than one way.
    pub structured_output: StructuredOutput,
    /// Whether it runs the custom tool calls of Responses itself.
    pub runs_custom_calls: bool,
    /// The version that a body of Anthropic's wire names in place of the model.
    pub version_in_body: Option<Str>,
    /// More fields for the body of every request, as JSON: `"a":1,"b":[]`. None is one the wire writes.
    pub more_fields: Box<str>,
}

/// What a server calls the most tokens an answer may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    /// `max_tokens`, which every compatible server knows.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's reasoning models refuse the other.
    MaxCompletionTokens,
}

/// How a server of Chat Completions is told the shape of an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructuredOutput {
    /// By its JSON Schema.
    #[default]
    JsonSchema,
    /// It only knows JSON of any shape; the schema is part of the instructions.
    JsonObject,
}

impl Vendor {
    /// Whether [`more_fields`](Self::more_fields) say this: who configured it means it.
    pub(super) fn says(&self, field: &str) -> bool {
        let fields = serde_json::from_str::<Map<String, Value>>(&format!("{{{}}}", self.more_fields));
        fields.is_ok_and(|fields| fields.contains_key(field))
    }

    /// Who answers at `host`, given in lower case. A host nobody knows is a vendor of its own.
    pub fn of(wire: Wire, host: &str) -> Self {
        Self::known(wire, vendors::at_host(wire, host), host)
    }

    /// The vendor that configurations call `name`, if it speaks `wire`.
    pub fn named(wire: Wire, name: &str) -> Option<Self> {
        let profile = vendors::find(name).filter(|profile| profile.endpoint(wire).is_some())?;
        Some(Self::known(wire, Some(profile), ""))
    }

    /// What is known of a vendor, or of one that nobody knows at `host`.
    pub(crate) fn known(wire: Wire, profile: Option<&VendorProfile>, host: &str) -> Self {
        let endpoint = profile.and_then(|profile| profile.endpoint(wire));
        let name = profile.map(|profile| endpoint.map_or(profile.name.as_str(), |endpoint| profile.signs_as(endpoint)));
        Self {
            name: name.unwrap_or(host).into(),
            output_limit: profile.map(VendorProfile::output_limit).unwrap_or_default(),
            stream_options: profile.is_none_or(VendorProfile::stream_options),
            structured_output: profile.map(|profile| profile.structured_output).unwrap_or_default(),
            runs_custom_calls: profile.is_some_and(|profile| profile.runs_custom_calls),
            version_in_body: endpoint.and_then(|endpoint| endpoint.version_in_body.as_deref()).map(Str::from),
            more_fields: Box::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_follows_from_who_answers() {
        for (wire, host, name, output_limit, stream_options) in [
            (Wire::OpenaiChat, "eu.api.openai.com", "openai", OutputLimit::MaxCompletionTokens, true),
            (Wire::OpenaiChat, "api.mistral.ai", "mistral", OutputLimit::MaxTokens, false),
            (Wire::Anthropic, "api.anthropic.com", "anthropic", OutputLimit::MaxTokens, true),
            // What Claude signs is the same wherever it runs.
            (Wire::Anthropic, "us-east5-aiplatform.googleapis.com", "anthropic", OutputLimit::MaxTokens, true),
            (Wire::Gemini, "us-east5-aiplatform.googleapis.com", "google", OutputLimit::MaxTokens, true),
            (Wire::Gemini, "generativelanguage.googleapis.com", "google", OutputLimit::MaxTokens, true),
            (Wire::OpenaiChat, "127.0.0.1", "127.0.0.1", OutputLimit::MaxTokens, true),
        ] {
            let vendor = Vendor::of(wire, host);
            assert_eq!(
                (&*vendor.name, vendor.output_limit, vendor.stream_options),
                (name, output_limit, stream_options)
            );
        }
    }
}
