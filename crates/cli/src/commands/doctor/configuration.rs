//! Checks of the configuration: whether it is valid, and whether its secrets are protected.

use std::path::Path;

use super::finding::Finding;
use crate::config::{ConfigError, Resolved};
use crate::sandbox;

const CHECK: &str = "configuration";

pub(super) fn broken(error: &ConfigError) -> Finding {
    Finding::fail(CHECK, error.to_string())
}

pub(super) fn examine(resolved: &Resolved) -> Vec<Finding> {
    let found = match resolved.source.file() {
        Some((file, text)) if holds_key(text) && is_readable_by_others(file) => {
            let message = format!("{} holds a key, and others on this machine can read it", file.display());
            Finding::warn(CHECK, message)
                .with_remedy("make it yours alone (chmod 600), or write \"${NAME}\" and set that variable")
        }
        Some((file, _)) => Finding::ok(CHECK, file.display().to_string()),
        None => Finding::ok(CHECK, "no file: defaults and the environment").with_remedy("`turnkit init` writes one"),
    };
    let notices = resolved.notices.iter().chain(&resolved.data_notice);
    let notices = notices.map(|notice| Finding::warn(CHECK, notice.as_str()));
    std::iter::once(found).chain(notices).collect()
}

/// Reports the sandbox, if programs may run in it. A missing sandbox is among the notices.
pub(super) fn examine_sandbox(resolved: &Resolved) -> Option<Finding> {
    resolved.config.tools.run_command.as_ref().filter(|_| sandbox::unavailable().is_none())?;
    Some(Finding::ok("sandbox", "programs of `run_command` run in a sandbox of Landlock and seccomp"))
}

/// Reports whether a key is in the text itself, instead of in a variable.
fn holds_key(text: &str) -> bool {
    let keys = text.lines().filter_map(|line| line.trim_start().strip_prefix("api_key"));
    keys.into_iter().any(|rest| !rest.contains("${"))
}

#[cfg(unix)]
fn is_readable_by_others(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(file).is_ok_and(|found| found.permissions().mode() & 0o044 != 0)
}

/// Returns `false`: on this system, the mode of a file does not tell who may read it.
#[cfg(not(unix))]
fn is_readable_by_others(_: &Path) -> bool {
    false
}
