//! How tools run, and the tools that the operator adds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use turnkit_core::ToolDefinition;
use turnkit_tools::CommandLine;

use super::value::{positive, some_positive};
use super::{HttpToolConfig, JsonConfig, RunCommandConfig, Secret};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ToolsConfig {
    /// How many calls of one answer run at once.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) concurrency: usize,
    /// How many seconds one call may take.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: u64,
    /// How many characters of a result the model is given; of a longer one its head and its tail.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) result_max_chars: usize,
    /// Programs that agents may use as tools. They run in no sandbox: list programs that you trust.
    pub(crate) command: Vec<CommandToolConfig>,
    /// Requests that agents may use as tools.
    pub(crate) http: Vec<HttpToolConfig>,
    /// Turns on the tool `run_command`, with which a model runs programs in a sandbox. Needs Linux 6.2 with Landlock; an agent
    /// has it if its `tools` name it.
    pub(crate) run_command: Option<RunCommandConfig>,
}

impl Default for ToolsConfig {
    fn default() -> Self {
        Self {
            concurrency: 4,
            timeout_s: 30,
            result_max_chars: 20_000,
            command: Vec::new(),
            http: Vec::new(),
            run_command: None,
        }
    }
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CommandToolConfig {
    /// What models call it: letters, digits, `_` and `-`.
    pub(crate) name: String,
    /// What it does, for the model.
    pub(crate) description: String,
    /// Its arguments: a JSON Schema of an object, as a table or as a text of JSON. Calls with others are refused. Absent: it has
    /// none.
    pub(crate) parameters: Option<JsonConfig>,
    /// The program and its arguments, word by word; no shell reads them. A word `{name}` stands for an argument of the call,
    /// and is left out if that is absent; `{{name}}` stands for the text `{name}`. A program with a relative path starts at the
    /// folder of this file, where it also works; others are looked for in PATH.
    pub(crate) run: Vec<String>,
    /// What the program reads, with `{name}` for arguments. Absent: nothing.
    pub(crate) stdin: Option<String>,
    /// The environment of the program. Besides, it has PATH and TURNKIT_CALL, the id of the call.
    pub(crate) env: BTreeMap<String, Secret>,
    /// Whether it changes nothing: then calls run without approval, and again after a crash.
    pub(crate) read_only: bool,
    /// Whether a call that runs twice with the same TURNKIT_CALL changes nothing more: then it runs again after a crash.
    pub(crate) idempotent: bool,
    /// Whether it may run beside other calls.
    pub(crate) parallel_safe: bool,
    /// Whether it reaches other systems: then what it returns is text from outside, and calls need approval.
    pub(crate) open_world: bool,
    /// Whether what it returns may repeat text from outside though it reaches no other system, such as lines of a log: then what it
    /// returns is text from outside.
    pub(crate) repeats: bool,
    /// How many seconds a call may take. Absent: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The tool as it was read.
    #[serde(skip)]
    pub(crate) found: Option<(ToolDefinition, CommandLine)>,
}

impl ToolsConfig {
    /// The names of the tools that the operator adds, each with the key that says it.
    pub(crate) fn names(&self) -> impl Iterator<Item = (String, &str)> {
        let key = |list: &str, index: usize| format!("tools.{list}.{index}.name");
        let commands = self.command.iter().enumerate();
        let commands = commands.map(move |(index, tool)| (key("command", index), tool.name.as_str()));
        let requests = self.http.iter().enumerate();
        commands.chain(requests.map(move |(index, tool)| (key("http", index), tool.name.as_str())))
    }
}
