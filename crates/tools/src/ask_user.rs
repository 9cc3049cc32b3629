//! A tool that asks the user a question.

use serde::Deserialize;
use serde_json::{Value, json};
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Reply, ToolAnswer, ToolDefinition, ToolError, ToolOutput, ToolQuestion};

use crate::arguments;

/// The tool `ask_user {question, choices?, schema?}`. The call waits until the person answers. Its result is the
/// answer: a text unchanged, any other value as JSON. If the person declines or does not answer in time, the result is
/// `{"status":"declined"}` or `{"status":"timeout"}`.
pub struct AskUser {
    definition: ToolDefinition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    question: String,
    #[serde(default)]
    choices: Vec<String>,
    schema: Option<Value>,
}

impl AskUser {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "ask_user";
    /// The largest number of choices of a question.
    const MAX_CHOICES: usize = 20;

    /// Creates the tool.
    pub fn new() -> Self {
        let description =
            "Asks the user a question and waits for the answer. Use it only if you cannot go on without it.";
        let schema = r#"{"type":"object","properties":{"question":{"type":"string","description":"The question, complete in itself"},"choices":{"type":"array","items":{"type":"string"},"maxItems":20,"description":"Answers to choose from; the user may give another one"},"schema":{"type":"object","description":"JSON Schema of the answer, if it is not a text"}},"required":["question"],"additionalProperties":false}"#;
        Self { definition: arguments::read_only(Self::NAME, description, schema) }
    }
}

impl Default for AskUser {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for AskUser {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        let outcome = context.answer.map_or_else(|| Err(question_of(arguments)), |answer| Ok(output_of(answer)));
        Box::pin(std::future::ready(outcome))
    }
}

/// Returns the call's question as a [`ToolError`], or the error of invalid arguments.
fn question_of(arguments: &RawJson) -> ToolError {
    let Question { question, choices, schema } = match arguments::read(arguments) {
        Ok(question) => question,
        Err(error) => return error,
    };
    if question.trim().is_empty() {
        return ToolError::InvalidArguments("the question is empty".to_owned());
    }
    if choices.len() > AskUser::MAX_CHOICES {
        return ToolError::InvalidArguments(format!("there are more than {} choices", AskUser::MAX_CHOICES));
    }
    ToolError::NeedsAnswer(Box::new(ToolQuestion { choices, schema, ..ToolQuestion::new(question) }))
}

fn output_of(answer: &ToolAnswer) -> ToolOutput {
    match &answer.reply {
        Reply::Answered(Value::String(text)) => text.clone(),
        Reply::Answered(answer) => answer.to_string(),
        Reply::Declined { note: None } => json!({ "status": "declined" }).to_string(),
        Reply::Declined { note: Some(note) } => json!({ "status": "declined", "note": note }).to_string(),
        // `Ended` does not occur, because this tool starts no sub-agent.
        Reply::TimedOut | Reply::Ended(_) => json!({ "status": "timeout" }).to_string(),
    }
    .into()
}
