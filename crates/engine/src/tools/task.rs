//! The tool that delegates work to a sub-agent.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{
    ChildContext, ChildError, ChildReport, ChildTurn, RawJson, Reply, ToolAnswer, ToolDefinition, ToolError, ToolFlags,
    ToolOutput, TurnStatus,
};

use crate::answer_schema::{self, strip_code_fence};
use crate::shorten::shorten;

/// The most characters that a model reads of an answer that does not match its schema.
const MAX_ANSWER_CHARS: usize = 2_000;

/// The tool `task {prompt, agent?, context?, result_schema?}`. It starts a turn of another agent, or of the same one,
/// in a separate session. Its result is the final answer of that turn. `context` names a [`ChildContext`], the part of
/// the conversation that the sub-agent reads. With `result_schema`, the result is JSON of that schema: a sub-agent
/// whose answer does not match is asked once to correct it.
pub struct TaskTool {
    definition: ToolDefinition,
    agents: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    prompt: String,
    agent: Option<String>,
    #[serde(default)]
    context: ChildContext,
    result_schema: Option<Value>,
}

/// The state of the tool that it needs when the sub-agent is done.
#[derive(Default, Serialize, Deserialize)]
struct TaskState {
    /// The agent that the model named, if there is no agent of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
    /// Whether the sub-agent was asked to correct its answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    corrected: bool,
}

impl TaskTool {
    /// The name of the tool.
    pub const NAME: &str = "task";

    /// Creates the tool for these agents, each with a description of what it is good for.
    pub fn new<'a>(agents: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let agents: Vec<(&str, &str)> = agents.into_iter().collect();
        let listed = agents.iter().map(|(name, description)| match *description {
            "" => format!("\n- {name}"),
            description => format!("\n- {name}: {description}"),
        });
        let description = format!(
            "Gives a piece of work to a sub-agent, which works on it alone and returns its answer. Unless `context` says \
             otherwise, it reads nothing of this conversation, so the prompt must say everything. At most 3 run at the same \
             time; call the tool several times in one step for work that can be done side by side. The agents are:{}",
            listed.collect::<String>()
        );
        let schema = json!({
            "type": "object",
            "properties": {
                "prompt": { "type": "string", "description": "The work, complete in itself" },
                "agent": { "type": "string", "description": "The agent that does it; if absent, one like you" },
                "context": {
                    "type": "string",
                    "enum": ["none", "summary", "filtered", "full"],
                    "description": "What it reads of this conversation before the prompt: nothing (none, the default), a \
                                    summary of it (summary), what the user and you said without tool calls and their \
                                    results (filtered), or all of it (full)"
                },
                "result_schema": { "type": "object", "description": "JSON Schema of the result, if it is not a text" }
            },
            "required": ["prompt"],
            "additionalProperties": false
        });
        // The sub-agent's own calls are judged one by one, and it may have read anything.
        let flags = ToolFlags { repeats: true, ..ToolFlags::read_only() };
        let parameters = RawJson::of(&schema).unwrap_or_else(|_| RawJson::empty_object());
        let definition =
            ToolDefinition { name: Self::NAME.to_owned(), description, parameters, flags, fingerprint: None };
        Self { definition, agents: agents.iter().map(|(name, _)| (*name).to_owned()).collect() }
    }

    fn run(&self, arguments: &RawJson, answer: Option<&ToolAnswer>) -> Result<ToolOutput, ToolError> {
        let task: Task = arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))?;
        match answer {
            None => Err(self.begin(task)),
            Some(ToolAnswer { reply: Reply::Ended(report), state }) => {
                let begun = state.as_ref().and_then(|state| state.read().ok()).unwrap_or_default();
                finish(&task, report, begun)
            }
            Some(_) => Err(ToolError::Cancelled),
        }
    }

    /// Returns the turn that the call needs, or why the call cannot start one.
    fn begin(&self, task: Task) -> ToolError {
        if task.prompt.trim().is_empty() {
            return ToolError::InvalidArguments("the prompt is empty".to_owned());
        }
        let mut turn = ChildTurn { context: task.context, ..ChildTurn::new(task.prompt) };
        if let Some(schema) = &task.result_schema {
            if let Err(why) = answer_schema::check_schema(schema) {
                return ToolError::InvalidArguments(why);
            }
            turn.prompt.push_str(&format!("\n\nAnswer with JSON of this schema, and with nothing else:\n{schema}"));
        }
        let (known, unknown) = task.agent.into_iter().partition(|agent| self.agents.contains(agent));
        let (known, unknown): (Vec<String>, Vec<String>) = (known, unknown);
        turn.agent = known.into_iter().next();
        turn.state = RawJson::of(&TaskState { unknown: unknown.into_iter().next(), corrected: false }).ok();
        ToolError::NeedsTurn(Box::new(turn))
    }
}

impl Tool for TaskTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(std::future::ready(self.run(arguments, context.answer)))
    }
}

/// Returns the result that the model reads once a sub-agent is done, or the turn in which the sub-agent must answer
/// again.
fn finish(task: &Task, report: &ChildReport, begun: TaskState) -> Result<ToolOutput, ToolError> {
    let ChildReport { agent, status, text, .. } = report;
    if *status != TurnStatus::Completed {
        return Err(ToolError::Failed(unfinished(report)));
    }
    if let Some(schema) = &task.result_schema
        && let Err(why) = check(schema, text)
    {
        if begun.corrected {
            let (answer, _) = shorten(text.clone(), MAX_ANSWER_CHARS);
            return Err(ToolError::Failed(format!(
                "the answer of the sub-agent {agent} is not the JSON that `result_schema` asks for: {why}; it answered: \
                 {answer}"
            )));
        }
        let prompt = format!("Your answer is not JSON of the schema: {why}. Answer with the JSON alone.");
        let state = RawJson::of(&TaskState { corrected: true, ..begun }).ok();
        let session = Some(report.session);
        let turn = ChildTurn { agent: Some(agent.clone()), session, state, ..ChildTurn::new(prompt) };
        return Err(ToolError::NeedsTurn(Box::new(turn)));
    }
    let text = if task.result_schema.is_some() { strip_code_fence(text) } else { text };
    Ok(match begun.unknown {
        Some(unknown) => format!("There is no agent {unknown}; {agent} did the work instead.\n{text}").into(),
        None => text.into(),
    })
}

/// Describes how a sub-agent stopped, with its text so far.
fn unfinished(report: &ChildReport) -> String {
    let ChildReport { agent, status, error, text, .. } = report;
    let reason = error.as_ref().map(|ChildError { code, message }| format!(": {code}: {message}"));
    let said = if text.is_empty() { String::new() } else { format!("; its text so far: {text}") };
    format!("the sub-agent {agent} did not finish ({}){}{said}", status.as_str(), reason.unwrap_or_default())
}

fn check(schema: &Value, text: &str) -> Result<(), String> {
    let value: Value =
        serde_json::from_str(strip_code_fence(text)).map_err(|error| format!("it is not JSON: {error}"))?;
    answer_schema::check(schema, &value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_may_stand_in_a_fence() {
        for (text, json) in [
            (" {\"a\":1}\n", "{\"a\":1}"),
            ("```json\n{\"a\":1}\n```", "{\"a\":1}"),
            ("```\n[1]\n```\n", "[1]"),
            ("```json\n[1]", "```json\n[1]"),
            ("It is ```json\n[1]\n```", "It is ```json\n[1]\n```"),
        ] {
            assert_eq!(strip_code_fence(text), json);
        }
    }

    #[test]
    fn its_description_lists_the_agents() {
        let tool = TaskTool::new([("coder", "writes programs"), ("clerk", "")]);
        assert!(tool.definition().description.ends_with("The agents are:\n- coder: writes programs\n- clerk"));
    }
}
