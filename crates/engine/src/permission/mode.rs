//! Permission modes: the judgement of calls that no rule decides.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What happens to calls that need approval. A call that a rule denies is denied in every mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// The user is asked.
    #[default]
    Default,
    /// Calls of tools that do not only read are denied. The user is asked about the others.
    Plan,
    /// Calls that change files run without approval. The user is asked about the others.
    AcceptEdits,
    /// The calls run, with a notice to the user.
    Bypass,
    /// The calls are denied.
    Headless,
}

/// Settings for an agent's calls that no rule decides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PermissionSettings {
    /// What happens to calls that need approval.
    pub mode: PermissionMode,
    /// The names of tools whose calls need no approval. A `*` at the end of a name matches any rest.
    pub trusted: Arc<[String]>,
    /// What happens to calls that may do harm after the model was sent untrusted text.
    pub untrusted: UntrustedText,
}

/// What happens to calls that may do harm after the model was sent untrusted text. These are calls of tools that
/// change something or reach other systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum UntrustedText {
    /// The calls need approval.
    #[default]
    Ask,
    /// The calls are judged as usual.
    Ignore,
}
