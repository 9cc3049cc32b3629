//! The section `[tools]`: settings of tool calls, and tools that the operator adds.

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
    /// The number of calls of one answer that run at once.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) concurrency: usize,
    /// The longest time of one call, in seconds.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: u64,
    /// The number of characters of a result that are sent to the model. A longer result is cut to its head and its
    /// tail.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) result_max_chars: usize,
    /// Programs that agents may use as tools. They run in no sandbox: list programs that you trust.
    pub(crate) command: Vec<CommandToolConfig>,
    /// HTTP requests that agents may use as tools.
    pub(crate) http: Vec<HttpToolConfig>,
    /// Enables the tool `run_command`, with which a model runs programs in a sandbox. Needs Linux 6.2 with Landlock. An
    /// agent has the tool if its `tools` name it.
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
    /// The name of the tool: letters, digits, `_` and `-`.
    pub(crate) name: String,
    /// The description of the tool, for the model.
    pub(crate) description: String,
    /// The arguments: a JSON Schema of an object, as a table or as a JSON string. Calls that do not match it are
    /// rejected. Default: no arguments.
    pub(crate) parameters: Option<JsonConfig>,
    /// The program and its arguments, word by word, without a shell. A word `{name}` is replaced by an argument of the
    /// call, and left out if the argument is absent. `{{name}}` is replaced by the text `{name}`. The program runs in
    /// the folder of this file. A relative path of a program starts there; other programs are looked up in PATH.
    pub(crate) run: Vec<String>,
    /// The standard input of the program, with `{name}` for arguments. Default: empty.
    pub(crate) stdin: Option<String>,
    /// The environment of the program. It also gets PATH and TURNKIT_CALL, the id of the call.
    pub(crate) env: BTreeMap<String, Secret>,
    /// Whether the program changes nothing. If so, calls run without approval, and run again after a crash.
    pub(crate) read_only: bool,
    /// Whether a second run with the same TURNKIT_CALL has no further effect. If so, the call runs again after a crash.
    pub(crate) idempotent: bool,
    /// Whether a call may run in parallel with other calls.
    pub(crate) parallel_safe: bool,
    /// Whether the tool reaches other systems. If so, its results are untrusted text, and its calls need approval.
    pub(crate) open_world: bool,
    /// Whether results may repeat untrusted text although the tool reaches no other system, such as lines of a log.
    /// If so, its results are untrusted text.
    pub(crate) repeats: bool,
    /// The longest time of a call, in seconds. Default: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The parsed tool.
    #[serde(skip)]
    pub(crate) found: Option<(ToolDefinition, CommandLine)>,
}

impl ToolsConfig {
    /// Returns the names of the tools that the operator adds, each with the configuration key that sets it.
    pub(crate) fn names(&self) -> impl Iterator<Item = (String, &str)> {
        let key = |list: &str, index: usize| format!("tools.{list}.{index}.name");
        let commands = self.command.iter().enumerate();
        let commands = commands.map(move |(index, tool)| (key("command", index), tool.name.as_str()));
        let requests = self.http.iter().enumerate();
        commands.chain(requests.map(move |(index, tool)| (key("http", index), tool.name.as_str())))
    }
}
