//! Tool definitions and outputs.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{Data, RawJson, ToolImage};

/// The description of a tool for models, and the properties that the engine needs to run it safely. The JSON form holds
/// only the description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolDefinition {
    /// The name of the tool, unique within an agent.
    pub name: String,
    /// What the tool does, for the model.
    #[serde(default)]
    pub description: String,
    /// The JSON Schema of the arguments.
    pub parameters: RawJson,
    /// The properties of running the tool.
    #[serde(skip)]
    pub flags: ToolFlags,
    /// SHA-256 of the settings that define what calls do: the program or the request of a tool that an operator adds.
    /// Approvals and grants are valid only while it stays the same. `None` for tools that the host program implements.
    #[serde(skip)]
    pub fingerprint: Option<[u8; 32]>,
}

/// The properties of running a tool. The default is conservative: a tool with side effects that runs once and alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ToolFlags {
    /// The tool has no side effects. It may run again after a crash, and its start need not be recorded first.
    pub read_only: bool,
    /// Running the tool again with the same idempotency key has no further effect.
    pub idempotent: bool,
    /// The tool may run concurrently with other calls of the same step.
    pub parallel_safe: bool,
    /// The tool can destroy data.
    pub destructive: bool,
    /// The tool contacts other systems.
    pub open_world: bool,
    /// The results may repeat untrusted text, although the tool itself contacts no other system.
    pub repeats: bool,
    /// The maximum run time, if it differs from the engine's default.
    pub timeout: Option<Duration>,
}

impl ToolFlags {
    /// Returns `true` if results of the tool may contain untrusted text.
    pub const fn may_return_untrusted_text(self) -> bool {
        self.open_world || self.repeats
    }

    /// Returns the flags of a tool that only reads data and may run in parallel.
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
    /// Creates a tool with conservative flags and this JSON Schema of its arguments.
    ///
    /// # Errors
    /// `parameters` is not valid JSON.
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

    /// Returns the tool with other flags.
    #[must_use]
    pub fn with_flags(mut self, flags: ToolFlags) -> Self {
        self.flags = flags;
        self
    }

    /// Returns the number of bytes of text in the definition.
    pub fn text_bytes(&self) -> usize {
        self.name.len() + self.description.len() + self.parameters.get().len()
    }
}

/// The output of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ToolOutput {
    /// The content that the model reads.
    pub content: String,
    /// Additional data for the client, sent as a `data` event.
    #[serde(default)]
    pub data: Option<Data>,
    /// The metadata keys to set in the session. Nested objects are replaced, not merged.
    #[serde(default)]
    pub session_metadata: Option<Map<String, Value>>,
    /// Images that the model sees beside `content`, at most [`MAX_IMAGES`](Self::MAX_IMAGES). `content` should name
    /// each of them, because not every model sees images. The JSON form leaves them out.
    #[serde(skip)]
    pub images: Vec<ToolImage>,
}

impl ToolOutput {
    /// The maximum number of images of an output.
    pub const MAX_IMAGES: usize = 8;
}

impl From<String> for ToolOutput {
    fn from(content: String) -> Self {
        Self { content, data: None, session_metadata: None, images: Vec::new() }
    }
}

impl From<&str> for ToolOutput {
    fn from(content: &str) -> Self {
        content.to_owned().into()
    }
}
