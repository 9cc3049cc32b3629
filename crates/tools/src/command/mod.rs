//! Programs that the operator lists as tools.

mod command_line;

use serde_json::json;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};

use crate::fingerprint::fingerprint;
use crate::process::{Launch, shown};

pub use command_line::CommandLine;

/// How much of what a program wrote about its failure the model reads, in characters.
const ERROR_CHARS: usize = 4_000;

/// A program as a tool: `[[tools.command]]` of the configuration. The operator trusts it: it is in no sandbox. A call fills
/// the placeholders of its command line; no shell reads the words. It succeeds if the program ends with the exit status 0, and
/// gives what that wrote to standard output.
pub struct CommandTool {
    definition: ToolDefinition,
    line: CommandLine,
    launch: Launch,
}

impl CommandTool {
    /// A tool that starts the program of `line` as `launch` says.
    pub fn new(definition: ToolDefinition, line: CommandLine, launch: Launch) -> Self {
        let settings = json!({ "command": line.written(), "launch": launch.settings() });
        let definition = ToolDefinition { fingerprint: Some(fingerprint(&settings)), ..definition };
        Self { definition, line, launch }
    }

    /// The program of a call with its arguments, and what it reads.
    fn parts(&self, arguments: &RawJson) -> Result<(Vec<String>, Option<String>), ToolError> {
        let values = self.line.values(arguments)?;
        Ok((self.line.argv(&values)?, self.line.stdin(&values)))
    }
}

fn with_input(argv: &[String], stdin: &str) -> String {
    format!("{}\n{stdin}", shown(argv))
}

impl Tool for CommandTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.parts(arguments).map(|(argv, _)| Subject::Argv(argv))
    }

    /// What the program reads is none of its words.
    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        Ok(match self.parts(arguments)? {
            (argv, Some(stdin)) => Subject::Text(with_input(&argv, &stdin)),
            (argv, None) => Subject::Argv(argv),
        })
    }

    fn preview(&self, arguments: &RawJson) -> Option<String> {
        Some(match self.parts(arguments).ok()? {
            (argv, Some(stdin)) => with_input(&argv, &stdin),
            (argv, None) => shown(&argv),
        })
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let (argv, stdin) = self.parts(arguments)?;
            let ended = self.launch.run(&argv, stdin, context).await?;
            match ended.status.success() {
                true => Ok(ended.stdout.text().into()),
                false => Err(ToolError::Failed(format!("{}: {}", ended.status, ended.last_words(ERROR_CHARS)))),
            }
        })
    }
}
