//! A tool that runs programs chosen by the model.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolFlags, ToolOutput};
use turnkit_files::run_blocking;
use turnkit_process::LaunchSettings;

use crate::arguments;
use crate::fingerprint::fingerprint;
use crate::process::{self, shown};

const SCHEMA: &str = r#"{"type":"object","properties":{"program":{"type":"string","description":"The program, by its name or its path"},"args":{"type":"array","items":{"type":"string"},"description":"Its arguments, one by one. No shell reads them"},"cwd":{"type":"string","description":"The folder it works in; absent: the first of the user's folders"}},"required":["program"],"additionalProperties":false}"#;

/// The tool `run_command {program, args?, cwd?}`. Runs a program in a sandbox and returns its output.
///
/// The sandbox is the launcher of its [`LaunchSettings`]: a program that restricts itself and then replaces itself with
/// the requested program. Without such a launcher, the program may do whatever this process may do.
pub struct RunCommand {
    definition: ToolDefinition,
    roots: Vec<PathBuf>,
    programs: Option<Vec<String>>,
    launch: LaunchSettings,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunArguments {
    program: String,
    #[serde(default)]
    args: Vec<String>,
    cwd: Option<String>,
}

impl RunArguments {
    /// Returns the working folder that the call names.
    fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref().filter(|cwd| !cwd.trim().is_empty())
    }
}

impl RunCommand {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "run_command";

    /// Creates a tool that starts programs with `launch` in one of `roots`, which are paths without links. With a list
    /// of `programs`, it runs only these.
    pub fn new(roots: Vec<PathBuf>, programs: Option<Vec<String>>, launch: LaunchSettings) -> Self {
        let description = description(&roots, programs.as_deref());
        let flags = ToolFlags { destructive: true, ..ToolFlags::default() };
        let definition = arguments::read_only(Self::NAME, &description, SCHEMA).with_flags(flags);
        let shown: Vec<_> = roots.iter().map(|root| root.to_string_lossy()).collect();
        let settings = json!({ "roots": shown, "programs": programs, "launch": launch.settings() });
        let definition = ToolDefinition { fingerprint: Some(fingerprint(&settings)), ..definition };
        Self { definition, roots, programs, launch }
    }

    /// Changes the flags of the tool.
    #[must_use]
    pub fn with_flags(mut self, change: impl FnOnce(&mut ToolFlags)) -> Self {
        change(&mut self.definition.flags);
        self
    }

    /// Returns the program and its arguments, if it may run.
    fn argv(&self, arguments: RunArguments) -> Result<Vec<String>, ToolError> {
        let RunArguments { program, args, .. } = arguments;
        if program.trim().is_empty() {
            return Err(ToolError::InvalidArguments("`program` is empty".to_owned()));
        }
        if let Some(programs) = self.programs.as_ref().filter(|programs| !programs.contains(&program)) {
            let why = format!("`{program}` is not allowed; allowed programs are {}", programs.join(", "));
            return Err(ToolError::Denied(why));
        }
        let argv: Vec<String> = std::iter::once(program).chain(args).collect();
        match argv.iter().any(|word| word.contains('\0')) {
            true => Err(ToolError::InvalidArguments("no argument of a program can hold a NUL character".to_owned())),
            false => Ok(argv),
        }
    }

    /// Returns the program of a call with its arguments, and the folder that the call names.
    fn parts(&self, arguments: &RawJson) -> Result<(Vec<String>, Option<String>), ToolError> {
        let arguments: RunArguments = arguments::read(arguments)?;
        let cwd = arguments.cwd().map(str::to_owned);
        Ok((self.argv(arguments)?, cwd))
    }

    /// Returns the working folder of a call, without links. A link that is created later does not lead to files that
    /// the sandbox forbids.
    async fn folder(&self, cwd: Option<&str>) -> Result<PathBuf, ToolError> {
        let first = self.roots.first().cloned().unwrap_or_default();
        let Some(cwd) = cwd.map(str::to_owned) else { return Ok(first) };
        let failed = |why: String| ToolError::Failed(format!("`cwd`: `{cwd}`: {why}"));
        let wanted = first.join(&cwd);
        let found = run_blocking(move || wanted.canonicalize()).await.map_err(|error| failed(error.to_string()))?;
        let found = found.map_err(|error| failed(error.to_string()))?;
        match self.roots.iter().any(|root| found.starts_with(root)) {
            true => Ok(found),
            false => Err(ToolError::Denied(format!("`cwd`: `{cwd}` is not in {}", listed(&self.roots)))),
        }
    }
}

impl Tool for RunCommand {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.parts(arguments).map(|(argv, _)| Subject::Argv(argv))
    }

    /// The same command line can have another effect in another folder.
    fn grant_subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        Ok(match self.parts(arguments)? {
            (argv, Some(cwd)) => Subject::Text(in_folder(&argv, cwd)),
            (argv, None) => Subject::Argv(argv),
        })
    }

    fn preview(&self, arguments: &RawJson) -> Option<String> {
        Some(match self.parts(arguments).ok()? {
            (argv, Some(cwd)) => in_folder(&argv, cwd),
            (argv, None) => shown(&argv),
        })
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let arguments: RunArguments = arguments::read(arguments)?;
            let folder = self.folder(arguments.cwd()).await?;
            let launch = LaunchSettings { folder, ..self.launch.clone() };
            let argv = self.argv(arguments)?;
            process::check_program(&launch, argv.first().map_or("", String::as_str)).await?;
            let ended = process::run(&launch, &argv, None, context).await?;
            let written = ended.written();
            match ended.status.success() {
                true => Ok(written.into()),
                false => Err(ToolError::Failed(format!("{}: {written}", ended.status))),
            }
        })
    }
}

/// Describes the tool, its folders and its programs for the model.
fn description(roots: &[PathBuf], programs: Option<&[String]>) -> String {
    let folders = listed(roots);
    let programs = programs.map(|programs| format!(" It runs only these programs: {}.", programs.join(", ")));
    format!(
        "Runs a program without a shell, in a sandbox: it can change only the user's folders, which are {folders}, and \
         reaches no network. Returns what it writes.{}",
        programs.unwrap_or_default()
    )
}

fn in_folder(argv: &[String], cwd: String) -> String {
    format!("{}\nin {}", shown(argv), shown(&[cwd]))
}

fn listed(roots: &[PathBuf]) -> String {
    roots.iter().map(|root| Path::display(root).to_string()).collect::<Vec<_>>().join(", ")
}
