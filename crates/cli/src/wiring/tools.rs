//! Construction of the configured tools.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::ToolFlags;
use turnkit_core::ports::{Clock, Tool};
use turnkit_engine::TaskTool;
use turnkit_net::{ClientOptions, HttpClient};
use turnkit_tools::{AskUser, CommandTool, FetchUrl, HttpTool, RunCommand};

use super::agents::purpose;
use super::launch::launch;
use crate::config::{Config, Resolved};
use crate::sandbox::{self, Sandbox};

/// Returns the tools that agents may name. File tools exist if there are folders for them. The tools that fetch pages,
/// ask the user and start sub-agents exist if an agent names them.
pub(super) fn available_tools(resolved: &Resolved, clock: Arc<dyn Clock>) -> Vec<Arc<dyn Tool>> {
    let Resolved { config, folder, .. } = resolved;
    let mut tools = turnkit_tools::built_in(clock);
    if !config.files.roots.is_empty() {
        tools.extend(turnkit_tools::file_tools(&Arc::new(config.files.found_roots.clone())));
    }
    let is_named = |tool: &str| config.agents.iter().any(|agent| agent.tools.iter().any(|name| name == tool));
    if is_named(FetchUrl::NAME) {
        tools.push(Arc::new(FetchUrl::default()));
    }
    if is_named(AskUser::NAME) {
        tools.push(Arc::new(AskUser::new()));
    }
    if is_named(TaskTool::NAME) {
        tools.push(Arc::new(TaskTool::new(config.agents.iter().map(|agent| (&*agent.name, purpose(agent))))));
    }
    tools.extend(commands(config, folder));
    tools.extend(requests(resolved));
    tools.extend(run_command(config));
    tools
}

/// Returns the tools that run configured programs.
fn commands(config: &Config, folder: &Path) -> impl Iterator<Item = Arc<dyn Tool>> {
    config.tools.command.iter().filter_map(|tool| {
        let (definition, line) = tool.found.clone()?;
        Some(Arc::new(CommandTool::new(definition, line, launch(folder, &tool.env))) as Arc<dyn Tool>)
    })
}

/// Returns the tools that send configured requests. The operator chose their hosts, so they may reach private
/// addresses.
fn requests(resolved: &Resolved) -> impl Iterator<Item = Arc<dyn Tool>> {
    let options = ClientOptions { idle_per_host: 2, ..ClientOptions::default() };
    let client = HttpClient::with_proxy(resolved.proxy.clone(), &options);
    resolved.config.tools.http.iter().filter_map(move |tool| {
        let (definition, request) = tool.found.clone()?;
        Some(Arc::new(HttpTool::new(definition, request, client.clone())) as Arc<dyn Tool>)
    })
}

/// Returns the tool that runs programs in a sandbox, if it is enabled and the machine has a sandbox.
fn run_command(config: &Config) -> Option<Arc<dyn Tool>> {
    let run = config.tools.run_command.as_ref().filter(|_| sandbox::unavailable().is_none())?;
    let Sandbox { roots, readable } = &run.found;
    let first = roots.first()?;
    let mut launch = launch(first, &run.env);
    for variable in ["HOME", "TMPDIR"] {
        launch.environment.entry(variable.to_owned()).or_insert_with(|| first.display().to_string());
    }
    let end = launch.launcher.pop();
    let folders = roots.iter().map(|root| ("--root", root)).chain(readable.iter().map(|root| ("--readable", root)));
    launch.launcher.extend(folders.flat_map(|(option, folder)| [option.into(), folder.into()]));
    launch.launcher.extend(end);
    let timeout = run.timeout_s.map(Duration::from_secs);
    let tool = RunCommand::new(roots.clone(), run.programs.clone(), launch);
    let set = |flags: &mut ToolFlags| (flags.timeout, flags.repeats) = (timeout, run.repeats);
    Some(Arc::new(tool.with_flags(set)))
}
