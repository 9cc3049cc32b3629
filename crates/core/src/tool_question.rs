//! What a tool asks before its call can be over, and what it gets back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{ChildReport, RawJson};

/// A question of a tool that cannot finish without an answer. The call waits, and then runs again with a [`ToolAnswer`] in its
/// context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolQuestion {
    /// The question, as a sentence.
    pub text: String,
    /// Answers that the person may choose from. Other answers are allowed too; empty: there is nothing to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// JSON Schema of the answer; absent: the answer is a text. It has at most 16 KiB, and neither `$ref` nor `unevaluated…`: the
    /// question is not asked otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// What the tool gets back with the answer. Clients are not shown it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub state: Option<RawJson>,
}

impl ToolQuestion {
    /// The most bytes of JSON that a question may have.
    pub const MAX_BYTES: usize = 64 * 1024;
    /// The most bytes of JSON that an answer may have.
    pub const MAX_ANSWER_BYTES: usize = 64 * 1024;

    /// A question that is answered with a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), choices: Vec::new(), schema: None, state: None }
    }

    /// How many bytes of text it holds.
    pub(crate) fn text_bytes(&self) -> usize {
        let schema = self.schema.as_ref().map_or(0, |schema| schema.to_string().len());
        self.text.len() + self.choices.iter().map(String::len).sum::<usize>() + schema
    }

    /// Returns the question as clients see it.
    #[must_use]
    pub fn without_state(&self) -> Self {
        Self { state: None, ..self.clone() }
    }
}

/// What a tool gets when its call runs again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolAnswer {
    /// What the person did with the question, or what came of the sub-agent.
    pub reply: Reply,
    /// What the question, or the turn that the tool asked for, had as its state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<RawJson>,
}

/// What a person did with a question, or what came of a sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The answer: of the question's schema or, without one, a text.
    Answered(Value),
    /// The person does not answer.
    Declined {
        /// What the person says to the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// The question expired.
    TimedOut,
    /// The turn of the sub-agent is over.
    Ended(Box<ChildReport>),
}
