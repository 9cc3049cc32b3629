//! The tools that the server offers: one for each agent.

use std::collections::HashSet;

use serde_json::{Value, json};
use turnkit_core::AccessScopes;

use crate::settings::Settings;

/// The longest name of a tool. Many clients accept no longer ones.
const NAME_BYTES: usize = 64;

/// An agent as a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AgentTool<'a> {
    /// The name of the tool: that of the agent, with other characters than letters, digits, `_` and `-` replaced.
    pub(super) name: String,
    /// The agent.
    pub(super) agent: &'a str,
    /// What the agent is good for; may be empty.
    purpose: &'a str,
}

impl<'a> AgentTool<'a> {
    /// Returns the tools of all agents. An agent has the same tool for every caller.
    fn all(settings: &'a Settings) -> Vec<Self> {
        let mut taken = HashSet::new();
        let tool = |agent: &'a String| {
            let name = free_name(agent, &taken);
            taken.insert(name.clone());
            let purpose = settings.agent_purposes.get(agent).map_or("", String::as_str);
            Self { name, agent, purpose }
        };
        settings.agents.iter().map(tool).collect()
    }

    /// Returns the tools of the agents that a caller with this access may use.
    pub(super) fn permitted(settings: &'a Settings, access: &AccessScopes) -> impl Iterator<Item = Self> {
        Self::all(settings).into_iter().filter(|tool| access.permits_agent(tool.agent))
    }

    /// Returns the permitted tool with this name.
    pub(super) fn named(settings: &'a Settings, access: &AccessScopes, name: &str) -> Option<Self> {
        Self::permitted(settings, access).find(|tool| tool.name == name)
    }

    /// Returns the definition of the tool.
    pub(super) fn definition(&self) -> Value {
        let Self { name, agent, purpose } = self;
        let description = match purpose.trim() {
            "" => format!("Sends a message to the agent {agent}, and returns its answer."),
            purpose => purpose.to_owned(),
        };
        json!({
            "name": name,
            "title": agent,
            "description": description,
            "inputSchema": {
                "type": "object",
                "properties": {
                    "message": {
                        "type": "string",
                        "minLength": 1,
                        "description": "The message to the agent, complete in itself unless it continues a session",
                    },
                    "session": {
                        "type": "string",
                        "minLength": 1,
                        "maxLength": 128,
                        "description": "The conversation to continue: the `session` of an earlier result, or a name of \
                                        your choice, which begins one at its first use. Without it, a new one begins",
                    },
                },
                "required": ["message"],
                "additionalProperties": false,
            },
            "outputSchema": {
                "type": "object",
                "properties": {
                    "session": { "type": "string", "description": "The conversation, to continue it" },
                    "turn": { "type": "string", "description": "The id of the turn in the server" },
                    "status": {
                        "type": "string",
                        "enum": ["completed", "failed", "cancelled", "limit", "interrupted", "expired"],
                    },
                    "text": { "type": "string", "description": "The answer" },
                },
                "required": ["session", "turn", "status", "text"],
            },
            // An agent may use tools of every kind, and a second turn is not the first one.
            "annotations": {
                "title": agent,
                "readOnlyHint": false,
                "destructiveHint": true,
                "idempotentHint": false,
                "openWorldHint": true,
            },
        })
    }
}

/// Returns the name of the tool of an agent. If another agent's tool has the name, a number is appended.
fn free_name(agent: &str, taken: &HashSet<String>) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' };
    let name: String = agent.chars().map(allowed).take(NAME_BYTES).collect();
    if !name.is_empty() && !taken.contains(&name) {
        return name;
    }
    // There are fewer agents than numbers, so a free one is found.
    let mut numbered = (2_u64..).map(|number| {
        let number = format!("_{number}");
        let kept = NAME_BYTES.saturating_sub(number.len());
        let kept: String = if name.is_empty() { "agent".to_owned() } else { name.chars().take(kept).collect() };
        format!("{kept}{number}")
    });
    numbered.find(|name| !taken.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_tools_are_valid_and_differ() {
        let long = "x".repeat(70);
        let agents = ["assistant", "a b", "a.b", "a_b", "übersetzer", "", long.as_str(), &long[..69]];
        let settings = Settings { agents: agents.map(str::to_owned).to_vec(), ..Settings::default() };
        let tools = AgentTool::all(&settings);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let (cut, numbered) = ("x".repeat(64), format!("{}_2", "x".repeat(62)));
        assert_eq!(
            names,
            ["assistant", "a_b", "a_b_2", "a_b_3", "_bersetzer", "agent_2", cut.as_str(), numbered.as_str()]
        );
        for tool in &tools {
            assert_eq!(AgentTool::named(&settings, &AccessScopes::default(), &tool.name).as_ref(), Some(tool));
        }
        assert_eq!(AgentTool::named(&settings, &AccessScopes::default(), "a b"), None);
    }

    #[test]
    fn a_caller_finds_the_tools_of_its_agents_under_the_same_names() {
        let settings = Settings { agents: ["a b", "a.b"].map(str::to_owned).to_vec(), ..Settings::default() };
        let access = AccessScopes::parse(["chat", "agent:a.b"]).unwrap();
        let names: Vec<String> = AgentTool::permitted(&settings, &access).map(|tool| tool.name).collect();
        assert_eq!(names, ["a_b_2"]);
        assert_eq!(AgentTool::named(&settings, &access, "a_b"), None);
    }

    #[test]
    fn a_tool_is_described_by_the_purpose_of_its_agent() {
        let mut settings = Settings { agents: vec!["clerk".to_owned()], ..Settings::default() };
        let described = |settings: &Settings| AgentTool::all(settings)[0].definition()["description"].clone();
        assert_eq!(described(&settings), "Sends a message to the agent clerk, and returns its answer.");
        settings.agent_purposes.insert("clerk".to_owned(), "Files documents".to_owned());
        assert_eq!(described(&settings), "Files documents");
    }
}
