//! What tools may do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_engine::permission::{PermissionMode, Rule, UntrustedText};

use super::value::positive;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PermissionsConfig {
    /// What was decided in advance. `deny` always wins; else the rule that names most exactly what a call touches, else the
    /// one that names the tool most exactly.
    pub(crate) rules: Vec<RuleConfig>,
    /// What text from outside means: results of tools that reach other systems, and what a provider's web search found.
    pub(crate) untrusted: UntrustedConfig,
    /// Whether agents may have the permission mode `bypass`.
    pub(crate) allow_bypass: bool,
    /// How many seconds a person has to decide about a call. After that it counts as denied.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) approval_ttl_s: u64,
    /// The rules as they were read, in the same order.
    #[serde(skip)]
    pub(crate) found: Vec<Rule>,
}

impl Default for PermissionsConfig {
    fn default() -> Self {
        let untrusted = UntrustedConfig::default();
        let approval_ttl_s = 7 * 24 * 60 * 60;
        Self { rules: Vec::new(), untrusted, allow_bypass: false, approval_ttl_s, found: Vec::new() }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleConfig {
    /// The tool; a `*` at the end stands for any rest. `tool(subject)`, such as `run_command(git status:*)`, `read_file(src/:*)`
    /// or `fetch_url(docs.rs)`, is a short spelling of a rule with `argv`, `path` or `host`.
    pub(crate) tool: String,
    /// What happens to its calls.
    pub(crate) decision: Decision,
    /// The agent whose calls it is about. Absent: all agents.
    pub(crate) agent: Option<String>,
    /// Only calls that touch this file, or this folder with all that is in it. `*` stands for any part of a name, `**` for
    /// any folders.
    pub(crate) path: Option<String>,
    /// Only calls that reach this host; `*.` before a name stands for all hosts below it.
    pub(crate) host: Option<String>,
    /// Only calls that run this program, with arguments that begin with the further words. A rule that lets calls run
    /// matches no program that runs another, such as `env` or `sh`.
    pub(crate) argv: Option<Vec<String>>,
    /// Only calls that touch something of this name, which its tool understands, such as a skill; a `*` at the end stands for
    /// any rest.
    pub(crate) text: Option<String>,
    /// Examples of what the rule is about: paths, addresses, lists of words or names, as the rule has them; names of tools
    /// where it has none. They are checked when the configuration is read.
    #[serde(default, rename = "match")]
    pub(crate) matching: Vec<ExampleConfig>,
    /// Examples of what the rule is not about.
    #[serde(default)]
    pub(crate) not_match: Vec<ExampleConfig>,
}

/// What a call may touch.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "a text, or a list of words where the rule has `argv`")]
pub(crate) enum ExampleConfig {
    /// A path, an address or a name.
    Text(String),
    /// A program with its arguments.
    Words(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decision {
    /// They run.
    Allow,
    /// They run, and the user is told.
    Notify,
    /// A person is asked.
    Ask,
    /// They never run.
    Deny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UntrustedConfig {
    /// Once the model was sent such text, a person is asked before a tool changes something or reaches other systems, also
    /// where a rule allows it.
    #[default]
    Ask,
    /// Nothing.
    Ignore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PermissionModeConfig {
    /// A person is asked.
    #[default]
    Default,
    /// Only tools that read may run.
    Plan,
    /// Changes of files need no approval.
    AcceptEdits,
    /// They run, and the user is told. Needs `permissions.allow_bypass`.
    Bypass,
    /// They are denied.
    Headless,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TrustConfig {
    /// None.
    #[default]
    None,
    /// Those that its `tools` list by name. A rule that asks or denies still counts.
    BuiltIn,
}

/// A mode of an agent: its text, or a table.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a text, or a table with a `text` and perhaps a `permission_mode`")]
pub(crate) enum ModeConfig {
    /// The text.
    Text(String),
    /// The text and what the mode sets.
    Table(ModeTable),
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ModeTable {
    /// The text.
    #[serde(default)]
    pub(crate) text: String,
    /// The permission mode of turns in this mode.
    pub(crate) permission_mode: Option<PermissionModeConfig>,
}

impl ModeConfig {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Table(ModeTable { text, .. }) => text,
        }
    }

    pub(crate) fn permission_mode(&self) -> Option<PermissionModeConfig> {
        match self {
            Self::Text(_) => None,
            Self::Table(table) => table.permission_mode,
        }
    }
}

impl From<PermissionModeConfig> for PermissionMode {
    fn from(mode: PermissionModeConfig) -> Self {
        match mode {
            PermissionModeConfig::Default => Self::Default,
            PermissionModeConfig::Plan => Self::Plan,
            PermissionModeConfig::AcceptEdits => Self::AcceptEdits,
            PermissionModeConfig::Bypass => Self::Bypass,
            PermissionModeConfig::Headless => Self::Headless,
        }
    }
}

impl From<UntrustedConfig> for UntrustedText {
    fn from(untrusted: UntrustedConfig) -> Self {
        match untrusted {
            UntrustedConfig::Ask => Self::Ask,
            UntrustedConfig::Ignore => Self::Ignore,
        }
    }
}

impl From<Decision> for turnkit_engine::permission::Decision {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Allow,
            Decision::Notify => Self::Notify,
            Decision::Ask => Self::Ask,
            Decision::Deny => Self::Deny,
        }
    }
}
