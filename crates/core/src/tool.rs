//! What a tool is and what it gives back.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Data, RawJson};

/// What a model is told about a tool, and what the engine must know to run it safely. Its JSON form is what a model is
/// told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolDefinition {
    /// Its name, unique within an agent.
    pub name: String,
    /// What it does, for the model.
    #[serde(default)]
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: RawJson,
    /// What running it means.
    #[serde(skip)]
    pub flags: ToolFlags,
    /// SHA-256 of the settings that define what calls do: the program or the request of a tool that an operator adds. Approvals and
    /// grants count only while it stays the same. `None` for tools that the host program implements.
    #[serde(skip)]
    pub fingerprint: Option<[u8; 32]>,
}

/// What running a tool means. The default is the careful answer: it changes things, once, alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolFlags {
    /// It changes nothing; it may run again after a crash, and its start need not be recorded first.
    pub read_only: bool,
    /// Running it again with the same key changes nothing more.
    pub idempotent: bool,
    /// It may run beside other calls of the same step.
    pub parallel_safe: bool,
    /// It can destroy something.
    pub destructive: bool,
    /// It reaches systems outside this one.
    pub open_world: bool,
    /// Its results may repeat text from outside, although it reaches no other system itself.
    pub repeats: bool,
    /// How long it may run, if not the engine's default.
    pub timeout: Option<Duration>,
}

impl ToolFlags {
    /// Reports whether results of the tool may hold text from outside.
    pub const fn brings_text(self) -> bool {
        self.open_world || self.repeats
    }

    /// A tool that only looks things up, and may do so in parallel.
    pub const fn read_only() -> Self {
        Self {
            read_only: true,
            idempotent: true,
            parallel_safe: true,
            destructive: false,
            open_world: false,
            repeats: false,
            timeout: None,
        }
    }
}

impl ToolDefinition {
    /// A tool with careful flags and the JSON Schema of its arguments.
    ///
    /// # Errors
    /// `parameters` is not JSON.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: &str,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            name: name.into(),
            description: description.into(),
            parameters: RawJson::parse(parameters)?,
            flags: ToolFlags::default(),
            fingerprint: None,
        })
    }

    /// The same tool with other flags.
    #[must_use]
    pub fn with_flags(mut self, flags: ToolFlags) -> Self {
        self.flags = flags;
        self
    }

    /// How many bytes of text it holds.
    pub fn text_bytes(&self) -> usize {
        self.name.len() + self.description.len() + self.parameters.get().len()
    }
}

/// What a tool gives back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToolOutput {
    /// What the model reads.
    pub content: String,
    /// What the client gets besides, as a `data` event.
    #[serde(default)]
    pub data: Option<Data>,
    /// Keys to set in the session's metadata; nested objects are replaced, not merged.
    #[serde(default)]
    pub session_metadata: Option<Map<String, Value>>,
}

impl From<String> for ToolOutput {
    fn from(content: String) -> Self {
        Self { content, data: None, session_metadata: None }
    }
}

impl From<&str> for ToolOutput {
    fn from(content: &str) -> Self {
        content.to_owned().into()
    }
}
