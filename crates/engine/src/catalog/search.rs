//! The search for deferred tools.

use serde::Deserialize;
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags, ToolOutput};

use super::{Catalog, READ_RESULT, SEARCH};

/// The maximum number of tools that a query finds.
const MAX_OF_QUERY: usize = 10;
/// The maximum number of tools that a search for a server finds.
const MAX_OF_SERVER: usize = 20;
/// The maximum characters of a description in the result. The tool's definition, which follows, has all of it.
const SHOWN_CHARS: usize = 200;
/// The maximum number of sources named in the definition.
const MAX_SOURCES: usize = 20;
/// The beginning of the line of a found tool; its name and [`AFTER_NAME`] follow.
const BEFORE_NAME: &str = "- `";
const AFTER_NAME: char = '`';

const SEARCH_ARGUMENTS: &str = r#"{
  "type": "object",
  "properties": {
    "tool": { "type": "string", "description": "The exact name of a tool." },
    "server": { "type": "string", "description": "The name of a server: all of its tools." },
    "query": { "type": "string", "description": "Words of names and descriptions." }
  },
  "additionalProperties": false
}"#;

const READ_ARGUMENTS: &str = r#"{
  "type": "object",
  "properties": {
    "id": { "type": "string", "description": "The id that stands in place of what was left out." },
    "offset": { "type": "integer", "minimum": 0, "description": "The first character, from 0. Absent: 0." },
    "limit": { "type": "integer", "minimum": 1, "description": "How many characters. Absent: as many as fit." }
  },
  "required": ["id"],
  "additionalProperties": false
}"#;

/// The arguments of a search. The first one that is present determines the search.
#[derive(Deserialize)]
struct SearchArguments {
    tool: Option<String>,
    server: Option<String>,
    query: Option<String>,
}

/// Returns the definition of the tool that searches.
pub(super) fn definition(sources: &[String]) -> ToolDefinition {
    let mut description = format!(
        "Finds further tools. Those it finds can be called from your next step on. Pass the exact name of a `tool`, the \
         name of a `server`, or words of a `query`. A query finds at most {MAX_OF_QUERY} tools."
    );
    if !sources.is_empty() {
        let named = sources.iter().take(MAX_SOURCES).map(String::as_str).collect::<Vec<_>>().join(", ");
        description = format!("{description} Servers: {named}.");
    }
    of_engine(SEARCH, description, SEARCH_ARGUMENTS)
}

/// Returns the definition of the tool that reads shortened results.
pub(super) fn read_result_definition() -> ToolDefinition {
    of_engine(READ_RESULT, "Reads a tool result that was shortened, from its whole text.".to_owned(), READ_ARGUMENTS)
}

#[expect(clippy::expect_used, reason = "the schemas are constants, and a test reads them")]
fn of_engine(name: &str, description: String, parameters: &str) -> ToolDefinition {
    let definition = ToolDefinition::new(name, description, parameters).expect("a schema is JSON");
    definition.with_flags(ToolFlags::read_only())
}

impl Catalog {
    /// Finds deferred tools.
    ///
    /// # Errors
    /// The arguments contain nothing to search for.
    pub(crate) fn search(&self, arguments: &RawJson) -> Result<ToolOutput, ToolError> {
        let invalid = |why: String| ToolError::InvalidArguments(why);
        let SearchArguments { tool, server, query } = arguments.read().map_err(|error| invalid(error.to_string()))?;
        let given = |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(tool) = given(tool) {
            return Ok(self.named(&tool).into());
        }
        if let Some(server) = given(server) {
            let is_of = |source: Option<&str>| source.is_some_and(|name| name.eq_ignore_ascii_case(&server));
            let found = self.deferred().filter(|(_, source)| is_of(*source)).map(|(tool, _)| tool).collect();
            return Ok(listed(found, MAX_OF_SERVER, &self.searched).into());
        }
        let query =
            given(query).ok_or_else(|| invalid("pass a query, the name of a tool or that of a server".into()))?;
        Ok(listed(self.matching(&query), MAX_OF_QUERY, &self.searched).into())
    }

    fn named(&self, name: &str) -> String {
        if self.find(name).is_some_and(|tool| !tool.is_deferred) {
            return format!("{name} is already available: call it");
        }
        let found = self.deferred().map(|(tool, _)| tool).filter(|tool| tool.name == name).collect();
        listed(found, 1, &self.searched)
    }

    /// Returns the tools that contain words of the query, best first.
    fn matching(&self, query: &str) -> Vec<&ToolDefinition> {
        let scored = self.index().scores(query).into_iter();
        let mut scored: Vec<_> =
            scored.filter_map(|(place, score)| Some((score, &self.at(place)?.definition))).collect();
        scored.sort_by(|(score, tool), (other, another)| other.cmp(score).then_with(|| tool.name.cmp(&another.name)));
        scored.into_iter().map(|(_, tool)| tool).collect()
    }
}

fn listed(found: Vec<&ToolDefinition>, most: usize, sources: &[String]) -> String {
    if found.is_empty() {
        let hint = if sources.is_empty() { String::new() } else { format!("; the servers are {}", sources.join(", ")) };
        return format!("no tool was found{hint}");
    }
    let mut text = "These tools can be called from your next step on:".to_owned();
    for tool in found.iter().take(most) {
        let shown: String = tool.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: String = shown.chars().take(SHOWN_CHARS).collect();
        text = format!("{text}\n{BEFORE_NAME}{}{AFTER_NAME}: {shown}", tool.name);
    }
    if found.len() > most {
        text = format!("{text}\n{} more were found: use other words", found.len() - most);
    }
    text
}

/// Returns the names of the tools that a search result lists.
pub(super) fn found(content: &str) -> impl Iterator<Item = &str> {
    let lines = content.lines().filter_map(|line| line.strip_prefix(BEFORE_NAME));
    lines.filter_map(|line| line.split_once(AFTER_NAME)).map(|(name, _)| name)
}
