//! Differences between vendors that use the same wire.

use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::Str;

use super::Wire;

/// The vendor-specific behaviour of a wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vendor {
    /// The vendor's name. Data that must be sent back unchanged is sent only to a vendor with this name.
    pub name: Str,
    /// The name of its field for the output limit.
    pub output_limit: OutputLimit,
    /// Whether it accepts the usage option of Chat Completions.
    pub stream_options: bool,
    /// How a request specifies the format of an answer, if vendors of the wire differ in this.
    pub structured_output: StructuredOutput,
    /// Whether its models reason by default over Responses and return encrypted reasoning.
    pub encrypted_reasoning: bool,
    /// Whether it runs the custom tool calls of Responses itself.
    pub runs_custom_calls: bool,
    /// The version that a body of Anthropic's wire contains in place of the model.
    pub version_in_body: Option<Str>,
    /// Additional fields for the body of every request, as JSON: `"a":1,"b":[]`. The wire writes none of these fields
    /// itself.
    pub more_fields: Box<str>,
}

/// The name of a server's field for the maximum number of output tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    /// `max_tokens`, which every compatible server supports.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`. OpenAI's reasoning models reject `max_tokens`.
    MaxCompletionTokens,
}

/// How a request specifies the format of an answer, over Chat Completions or Anthropic's wire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StructuredOutput {
    /// By a JSON Schema.
    #[default]
    JsonSchema,
    /// It supports only JSON of any format. The schema is part of the instructions.
    JsonObject,
    /// It supports no formats. The schema is part of the instructions.
    Instructions,
}

impl Vendor {
    /// Reports whether [`more_fields`](Self::more_fields) sets this field, which then must not be written twice.
    pub(super) fn overrides(&self, field: &str) -> bool {
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
