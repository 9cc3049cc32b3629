//! The programs that tools start, looked up as the tools do.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf, is_separator};

use super::schema::Secret;
use super::search_path;

/// Returns the folders of `PATH` in which a tool with this environment finds programs. Relative ones start at `folder`.
/// `None` without a `PATH`: the system chooses the folders then.
pub(super) fn search_folders(env: &BTreeMap<String, Secret>, folder: &Path) -> Option<Vec<PathBuf>> {
    let path = env.get("PATH").map(|path| path.0.clone()).or_else(search_path)?;
    Some(std::env::split_paths(&path).map(|searched| folder.join(searched)).collect())
}

/// Reports whether a tool with this environment that works in `folder` finds the program.
pub(super) fn is_found(program: &str, env: &BTreeMap<String, Secret>, folder: &Path) -> bool {
    if program.contains(is_separator) {
        return can_run(&folder.join(program));
    }
    search_folders(env, folder).is_none_or(|folders| folders.iter().any(|searched| can_run(&searched.join(program))))
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
