//! What the calls of tools touch, as the key of a rule that restricts it.

use turnkit_engine::ReadSkill;
use turnkit_tools::{FILE_TOOLS, FetchUrl, RunCommand};

use super::schema::ToolsConfig;

/// The kind of resource that the calls of a tool touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubjectKind {
    Path,
    Host,
    Argv,
    Text,
}

impl SubjectKind {
    /// Returns the kind for the tool of exactly this name, or `None` if its calls touch nothing that a rule could name.
    pub(super) fn for_tool(tool: &str, tools: &ToolsConfig) -> Option<Self> {
        let runs = || tools.command.iter().any(|command| command.name == tool);
        let asks = || tools.http.iter().any(|request| request.name == tool);
        match tool {
            ReadSkill::NAME => Some(Self::Text),
            FetchUrl::NAME => Some(Self::Host),
            RunCommand::NAME => Some(Self::Argv),
            tool if FILE_TOOLS.contains(&tool) => Some(Self::Path),
            _ if runs() => Some(Self::Argv),
            _ if asks() => Some(Self::Host),
            _ => None,
        }
    }

    /// Returns the key of rules about this kind.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Host => "host",
            Self::Argv => "argv",
            Self::Text => "text",
        }
    }
}
