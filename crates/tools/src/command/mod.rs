//! Programs that the operator configures as tools.

mod command_line;

use serde_json::json;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolOutput};
use turnkit_process::LaunchSettings;

use crate::fingerprint::fingerprint;
use crate::process::{self, shown};

pub use command_line::CommandLine;

/// The largest number of characters of a failed program's output that the model reads.
const ERROR_CHARS: usize = 4_000;

/// A program as a tool: `[[tools.command]]` of the configuration. The operator trusts the program, so it is not
/// sandboxed. A call fills the placeholders of its command line, without a shell. The call succeeds if the program ends
/// with exit status 0, and returns the program's standard output.
pub struct CommandTool {
    definition: ToolDefinition,
    line: CommandLine,
    launch: LaunchSettings,
}

impl CommandTool {
    /// Creates a tool that starts the program of `line` with the settings of `launch`.
    pub fn new(definition: ToolDefinition, line: CommandLine, launch: LaunchSettings) -> Self {
        let settings = json!({ "command": line.written(), "launch": launch.settings() });
        let definition = ToolDefinition { fingerprint: Some(fingerprint(&settings)), ..definition };
        Self { definition, line, launch }
    }

    /// Returns the program of a call with its arguments, and its standard input.
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

    /// Standard input is not part of the command line, so for a call with input the subject is a text with both.
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
            let ended = process::run(&self.launch, &argv, stdin, context).await?;
            match ended.status.success() {
                true => Ok(ended.stdout.text().into()),
                false => Err(ToolError::Failed(format!("{}: {}", ended.status, ended.output_tail(ERROR_CHARS)))),
            }
        })
    }
}
