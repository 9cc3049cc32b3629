//! Questions that tools ask during a call, and the answers to them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChildReport, RawJson};

/// A question of a tool that cannot finish without an answer. The call waits, and then runs again with a [`ToolAnswer`]
/// in its context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolQuestion {
    /// The question, as a sentence.
    pub text: String,
    /// Suggested answers. Other answers are allowed too; empty: there are no suggestions. With a schema, the question is
    /// only asked if each of them matches it, as a text or as the JSON that it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The JSON Schema of the answer; absent: the answer is a text. The question is only asked if the schema has at
    /// most 16 KiB and uses neither `$ref` nor `unevaluated…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Tool state that is returned to the tool with the answer. It is not sent to clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub state: Option<RawJson>,
}

impl ToolQuestion {
    /// The maximum size of a question, in bytes of JSON.
    pub const MAX_BYTES: usize = 64 * 1024;
    /// The maximum size of an answer, in bytes of JSON.
    pub const MAX_ANSWER_BYTES: usize = 64 * 1024;

    /// Creates a question that is answered with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), choices: Vec::new(), schema: None, state: None }
    }

    /// Returns the number of bytes of text in the question.
    pub(crate) fn text_bytes(&self) -> usize {
        let schema = self.schema.as_ref().map_or(0, |schema| schema.to_string().len());
        self.text.len() + self.choices.iter().map(String::len).sum::<usize>() + schema
    }

    /// Returns the question as clients receive it.
    #[must_use]
    pub fn without_state(&self) -> Self {
        Self { state: None, ..self.clone() }
    }
}

/// The answer that a tool gets when its call runs again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// The person's reply to the question, or the outcome of the sub-agent turn.
    pub reply: Reply,
    /// The state that the tool attached to the question or to the sub-agent turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RawJson>,
}

/// A person's reply to a question, or the outcome of a sub-agent turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The answer: JSON that matches the question's schema or, without a schema, a text.
    Answered(Value),
    /// The person declined to answer.
    Declined {
        /// A note from the person to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The question expired.
    TimedOut,
    /// The sub-agent turn ended.
    Ended(Box<ChildReport>),
}
