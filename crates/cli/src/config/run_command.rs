//! The folders of the tool `run_command`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::schema::{RunCommandConfig, Secret};
use super::source::Source;
use super::{Config, ConfigError, programs};
use crate::sandbox::{self, Sandbox};

const KEY: &str = "tools.run_command";

/// Resolves the folders and checks that none exposes one of `secrets`. Returns a notice for the user.
pub(super) fn find(
    run: &mut RunCommandConfig,
    folder: &Path,
    secrets: &[&Path],
    source: &Source,
) -> Result<Option<String>, ConfigError> {
    if run.roots.is_empty() {
        let why = format!("{KEY} needs `roots`: the folders whose files programs may change");
        return Err(source.complaint(KEY, why));
    }
    if run.programs.as_ref().is_some_and(Vec::is_empty) {
        let why =
            format!("{KEY}.programs is empty, so that no program may run: list some, or leave it out to allow all");
        return Err(source.complaint(&format!("{KEY}.programs"), why));
    }
    run.found.roots = folders("roots", &run.roots, folder, source)?;
    run.found.readable = folders("readable", &run.readable, folder, source)?;
    check_apart(&run.found, source)?;
    for secret in secrets {
        check_hidden(run, secret, source)?;
    }
    let unavailable = sandbox::unavailable();
    Ok(unavailable
        .map(|why| format!("the tool `run_command` is left out, because there is no sandbox for its programs: {why}")))
}

/// Checks that programs cannot read `secret`.
///
/// # Errors
/// Programs could read it. The error names the folder that exposes it.
pub(crate) fn check_hidden(run: &RunCommandConfig, secret: &Path, source: &Source) -> Result<(), ConfigError> {
    let Some(exposing) = run.found.exposes(secret) else { return Ok(()) };
    let (exposing, secret) = (exposing.display(), secret.display());
    let why = format!("{KEY}: programs could read {secret}, because they may read {exposing}: keep the two apart");
    Err(source.complaint(&format!("{KEY}.roots"), why))
}

/// Checks that no folder lies below one of `roots`. A program could replace such a folder with a link, and the next
/// program would reach the target of the link.
fn check_apart(sandbox: &Sandbox, source: &Source) -> Result<(), ConfigError> {
    for (key, folders) in [("roots", &sandbox.roots), ("readable", &sandbox.readable)] {
        for (index, folder) in folders.iter().enumerate() {
            let above = sandbox.roots.iter().find(|root| folder != *root && folder.starts_with(root));
            let Some(root) = above else { continue };
            let (folder, root) = (folder.display(), root.display());
            let why = format!("{KEY}.{key}: {folder} lies in {root}, which is one of `roots`: leave it out");
            return Err(source.complaint(&format!("{KEY}.{key}.{index}"), why));
        }
    }
    Ok(())
}

/// Checks that programs in the sandbox cannot change the programs of tools and MCP servers, which run outside it.
pub(super) fn check_programs(config: &Config, folder: &Path, source: &Source) -> Result<(), ConfigError> {
    let Some(run) = &config.tools.run_command else { return Ok(()) };
    for (index, tool) in config.tools.command.iter().enumerate() {
        check_program(tool.run.first(), &tool.env, &run.found, folder).map_err(|why| {
            source.complaint(&format!("tools.command.{index}.run"), format!("tool `{}`: {why}", tool.name))
        })?;
    }
    for (index, server) in config.mcp.iter().enumerate() {
        check_program(server.command.iter().flatten().next(), &server.env, &run.found, folder).map_err(|why| {
            source.complaint(&format!("mcp.{index}.command"), format!("MCP server `{}`: {why}", server.name))
        })?;
    }
    Ok(())
}

fn check_program(
    program: Option<&String>,
    env: &BTreeMap<String, Secret>,
    sandbox: &Sandbox,
    folder: &Path,
) -> Result<(), String> {
    let check = |path: &Path, what: &str, remedy: &str| match sandbox.lets_change(path) {
        Some(root) => Err(format!(
            "programs of `run_command` could change {what} {}, because {} is one of their `roots`: {remedy}",
            path.display(),
            root.display(),
        )),
        None => Ok(()),
    };
    let Some(program) = program else { return Ok(()) };
    let launch = programs::lookup(env, folder);
    let mut files = launch.candidates(program).unwrap_or_default().into_iter();
    let found = match program.contains(std::path::is_separator) {
        true => files.next(),
        false => files.find(|file| file.is_file()),
    };
    found.iter().try_for_each(|found| check(found, "the program", "keep it elsewhere"))?;
    // Programs can start other programs, which are looked up in PATH.
    let searched = launch.search_folders().unwrap_or_default();
    searched
        .iter()
        .try_for_each(|searched| check(searched, "the folder of PATH", "leave it out of PATH, or out of `roots`"))
}

fn folders(key: &str, written: &[PathBuf], folder: &Path, source: &Source) -> Result<Vec<PathBuf>, ConfigError> {
    let find = |(index, written): (usize, &PathBuf)| {
        let written = folder.join(written);
        let complaint = |why: String| {
            source.complaint(&format!("{KEY}.{key}.{index}"), format!("{KEY}.{key}: {}: {why}", written.display()))
        };
        let found = written.canonicalize().map_err(|error| complaint(error.to_string()))?;
        match (found.is_dir(), found.parent()) {
            (false, _) => Err(complaint("not a folder".to_owned())),
            (true, None) => Err(complaint("is the whole file system".to_owned())),
            (true, Some(_)) => Ok(found),
        }
    };
    written.iter().enumerate().map(find).collect()
}
