//! The programs that tools start, looked up as the tools do.

use std::collections::BTreeMap;
use std::path::{Path, is_separator};

use turnkit_tools::LaunchSettings;

use super::environment::search_path;
use super::schema::Secret;

/// Returns the environment of a tool's programs: `PATH`, and the configured variables.
pub(crate) fn program_environment(env: &BTreeMap<String, Secret>) -> BTreeMap<String, String> {
    let path = search_path().map(|path| ("PATH".to_owned(), path));
    let listed = env.iter().map(|(name, value)| (name.clone(), value.0.clone()));
    path.into_iter().chain(listed).collect()
}

/// Returns the settings with which a tool with these variables looks up programs, if it works in `folder`.
pub(super) fn lookup(env: &BTreeMap<String, Secret>, folder: &Path) -> LaunchSettings {
    LaunchSettings { folder: folder.to_owned(), environment: program_environment(env), launcher: Vec::new() }
}

/// Reports whether a tool with these variables that works in `folder` finds the program.
pub(super) fn is_found(program: &str, env: &BTreeMap<String, Secret>, folder: &Path) -> bool {
    lookup(env, folder).candidates(program).is_none_or(|files| files.iter().any(|file| can_run(file)))
}

/// Returns a sentence about a program that is not found.
pub(super) fn not_found(program: &str) -> String {
    match program.contains(is_separator) {
        true => format!("{program} is not an executable file"),
        false => format!("there is no program `{program}` in PATH"),
    }
}

#[cfg(unix)]
fn can_run(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns `true`: on this system, the name of a program is not always that of its file.
#[cfg(not(unix))]
fn can_run(_: &Path) -> bool {
    true
}
