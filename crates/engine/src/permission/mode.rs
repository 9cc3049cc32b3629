//! How careful an agent's permissions are where no rule decides.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// What becomes of calls that would be asked about. No mode undoes a denial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// A person is asked.
    #[default]
    Default,
    /// Only tools that read may run; of the rest, a person is asked.
    Plan,
    /// Changes of files need no approval.
    AcceptEdits,
    /// They run, and the user is told.
    Bypass,
    /// They are denied.
    Headless,
}

/// How an agent's calls are judged where no rule decides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PermissionSettings {
    /// What becomes of calls that would be asked about.
    pub mode: PermissionMode,
    /// The tools that need no approval because the agent is trusted with them.
    pub trusted: Arc<[String]>,
    /// What text from outside means for calls that may do harm.
    pub untrusted: UntrustedText,
}

/// What text from outside means for calls that may do harm: of tools that change something, or reach other systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum UntrustedText {
    /// A person is asked before they run.
    #[default]
    Ask,
    /// Nothing.
    Ignore,
}
