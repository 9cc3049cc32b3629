//! The way to start programs.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, absolute};

use turnkit_tools::LaunchSettings;

use crate::config::{Secret, program_environment};

/// Returns the way to start programs in `folder`: with `PATH` and the configured variables as their environment.
pub(super) fn launch(folder: &Path, env: &BTreeMap<String, Secret>) -> LaunchSettings {
    let folder = absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
    LaunchSettings { folder, environment: program_environment(env), launcher: launcher() }
}

/// Returns the way to start servers in `folder`. The processes that they start end with this process, too.
pub(super) fn launch_server(folder: &Path, env: &BTreeMap<String, Secret>) -> LaunchSettings {
    let mut settings = launch(folder, env);
    if let Some(end) = settings.launcher.pop() {
        settings.launcher.extend([OsString::from("--group"), end]);
    }
    settings
}

/// Returns the command that starts a program so that it ends with this process. It is this binary, even if the file was
/// replaced.
#[cfg(target_os = "linux")]
fn launcher() -> Vec<OsString> {
    ["/proc/self/exe", "launch", "--parent", &std::process::id().to_string(), "--"].map(OsString::from).into()
}

/// Returns no command: other systems do not end a program together with its parent process.
#[cfg(not(target_os = "linux"))]
fn launcher() -> Vec<OsString> {
    Vec::new()
}
