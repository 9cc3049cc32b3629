//! What differs between those who speak one wire.

use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::Str;

use super::Wire;

/// Who answers, as far as a wire must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vendor {
    /// Its name: what must go back to its maker byte for byte goes to a vendor of this name only.
    pub name: Str,
    /// What it calls the limit of output.
    pub output_limit: OutputLimit,
    /// Whether it takes the request for usage that Chat Completions has.
    pub stream_options: bool,
    /// How a request states the shape of an answer, where vendors of its wire differ.
    pub structured_output: StructuredOutput,
    /// Whether its models reason by default and return encrypted reasoning, over Responses.
    pub encrypted_reasoning: bool,
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

/// How a request states the shape of an answer, over Chat Completions or Anthropic's wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructuredOutput {
    /// By its JSON Schema.
    #[default]
    JsonSchema,
    /// It only knows JSON of any shape; the schema is part of the instructions.
    JsonObject,
    /// It knows no shapes; the schema is part of the instructions.
    Instructions,
}

impl Vendor {
    /// Reports whether [`more_fields`](Self::more_fields) set this field, which then is not written twice.
    pub(super) fn says(&self, field: &str) -> bool {
        let fields = serde_json::from_str::<Map<String, Value>>(&format!("{{{}}}", self.more_fields));
        fields.is_ok_and(|fields| fields.contains_key(field))
    }

    /// Returns a vendor that is not in `vendors.toml`, named after its host.
    pub(crate) fn unknown(wire: Wire, host: &str) -> Self {
        Self {
            name: host.into(),
            output_limit: OutputLimit::default(),
            stream_options: true,
            structured_output: match wire {
                Wire::Anthropic => StructuredOutput::Instructions,
                Wire::OpenaiChat | Wire::OpenaiResponses | Wire::Gemini => StructuredOutput::JsonSchema,
            },
            encrypted_reasoning: false,
            runs_custom_calls: false,
            version_in_body: None,
            more_fields: Box::default(),
        }
    }
}
