//! The section `[permissions]`, and the permission settings of agents.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use turnkit_engine::permission::{PermissionMode, Rule, UntrustedText};

use super::value::{positive, some_words};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PermissionsConfig {
    /// Decisions made in advance. `deny` always wins. Otherwise the rule applies that names the resource of a call most
    /// exactly, then the rule that names the tool most exactly.
    pub(crate) rules: Vec<RuleConfig>,
    /// The effect of untrusted text: results of tools that reach other systems, and results of a provider's web
    /// search.
    pub(crate) untrusted: UntrustedConfig,
    /// Whether agents may have the permission mode `bypass`.
    pub(crate) allow_bypass: bool,
    /// The time that a person has to decide a call, in seconds. After that, the call counts as denied.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1))]
    pub(crate) approval_ttl_s: u64,
    /// The parsed rules, in the same order.
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
    /// The tool. A `*` at the end matches any suffix. `tool(subject)`, such as `run_command(git status:*)`,
    /// `read_file(src/:*)` or `fetch_url(docs.rs)`, is short for a rule with `argv`, `path` or `host`.
    pub(crate) tool: String,
    /// The decision about calls of the tool.
    pub(crate) decision: Decision,
    /// The agent whose calls the rule applies to. Default: all agents.
    pub(crate) agent: Option<String>,
    /// Only calls that touch this file, or this folder with everything in it. `*` matches any part of a name, `**`
    /// matches any folders.
    pub(crate) path: Option<String>,
    /// Only calls that reach this host. `*.` before a name matches all hosts below it.
    pub(crate) host: Option<String>,
    /// Only calls that run this program, with arguments that begin with the further words. A rule that lets calls run
    /// does not match a program that runs another one, such as `env` or `sh`.
    #[serde(default, deserialize_with = "some_words")]
    pub(crate) argv: Option<Vec<String>>,
    /// Only calls that touch an item of this name, such as a skill. The tool defines which names it uses. A `*` at the
    /// end matches any suffix.
    pub(crate) text: Option<String>,
    /// Examples of calls that the rule must match: paths, addresses, lists of words or names, according to the rule, or
    /// names of tools if the rule has none of these. They are checked when the configuration is read.
    #[serde(default, rename = "match")]
    pub(crate) matching: Vec<ExampleConfig>,
    /// Examples of calls that the rule must not match.
    #[serde(default)]
    pub(crate) not_match: Vec<ExampleConfig>,
}

/// An example of what a call touches.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(untagged, expecting = "a string, or a list of words where the rule has `argv`")]
pub(crate) enum ExampleConfig {
    /// A path, an address or a name.
    Text(String),
    /// A program with its arguments.
    Words(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decision {
    /// The calls run.
    Allow,
    /// The calls run, and the user is notified.
    Notify,
    /// A person is asked about each call.
    Ask,
    /// The calls never run.
    Deny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UntrustedConfig {
    /// Once the model was sent such text, a person is asked before a tool changes something or reaches other systems,
    /// even if a rule allows the call.
    #[default]
    Ask,
    /// No effect.
    Ignore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PermissionModeConfig {
    /// A person is asked.
    #[default]
    Default,
    /// Only read-only tools may run.
    Plan,
    /// Changes of files need no approval.
    AcceptEdits,
    /// The calls run, and the user is notified. Needs `permissions.allow_bypass`.
    Bypass,
    /// The calls are denied.
    Headless,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TrustConfig {
    /// No tools.
    #[default]
    None,
    /// The tools that its `tools` list by name. A rule that asks or denies still applies.
    BuiltIn,
}

/// A mode of an agent: its text, or a table.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub(crate) enum ModeConfig {
    /// The text.
    Text(String),
    /// The text, and the settings of the mode.
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

/// Errors in a table name the wrong key or value, which an untagged enum would not.
impl<'de> Deserialize<'de> for ModeConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct TextOrTable;

        impl<'de> Visitor<'de> for TextOrTable {
            type Value = ModeConfig;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or a table with a `text` and optionally a `permission_mode`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ModeConfig, E> {
                Ok(ModeConfig::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<ModeConfig, A::Error> {
                ModeTable::deserialize(MapAccessDeserializer::new(table)).map(ModeConfig::Table)
            }
        }

        from.deserialize_any(TextOrTable)
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
