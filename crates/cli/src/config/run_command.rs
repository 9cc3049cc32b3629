//! The folders of programs that models choose.

use std::path::{Path, PathBuf};

use super::ConfigError;
use super::schema::RunCommandConfig;
use super::source::Source;
use crate::sandbox;

const KEY: &str = "tools.run_command";

/// Finds the folders, and makes sure that none exposes one of `secrets`. Returns what the user should know.
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
    run.found.roots = folders("roots", &run.roots, folder, source)?;
    run.found.readable = folders("readable", &run.readable, folder, source)?;
    for secret in secrets {
        check_hidden(run, secret, source)?;
    }
    let unavailable = sandbox::unavailable();
    Ok(unavailable
        .map(|why| format!("the tool `run_command` is left out, because there is no sandbox for its programs: {why}")))
}

/// Makes sure that programs cannot read `secret`.
///
/// # Errors
/// They could: names the folder.
pub(crate) fn check_hidden(run: &RunCommandConfig, secret: &Path, source: &Source) -> Result<(), ConfigError> {
    let Some(exposing) = run.found.exposes(secret) else { return Ok(()) };
    let (exposing, secret) = (exposing.display(), secret.display());
    let why = format!("{KEY}: programs could read {secret}, because they may read {exposing}: keep the two apart");
    Err(source.complaint(&format!("{KEY}.roots"), why))
}

fn folders(key: &str, written: &[PathBuf], folder: &Path, source: &Source) -> Result<Vec<PathBuf>, ConfigError> {
    let find = |(index, written): (usize, &PathBuf)| {
        let written = folder.join(written);
        let complaint = |why: String| {
            source.complaint(&format!("{KEY}.{key}.{index}"), format!("{KEY}.{key}: {}: {why}", written.display()))
        };
        let found = written.canonicalize().map_err(|error| complaint(error.to_string()))?;
        match (found.is_dir(), found.parent()) {
            (false, _) => Err(complaint("it is not a folder".to_owned())),
            (true, None) => Err(complaint("it is the whole file system".to_owned())),
            (true, Some(_)) => Ok(found),
        }
    };
    written.iter().enumerate().map(find).collect()
}
