//! The settings with which programs are started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::process::Command;

/// The settings with which programs are started. Programs share nothing with this process: neither its environment nor
/// its standard streams.
#[derive(Clone)]
pub struct LaunchSettings {
    /// The working folder of the programs. A program with a relative path that contains a separator is resolved against
    /// it.
    pub folder: PathBuf,
    /// The complete environment of the programs. A program without a separator in its name is looked up in its `PATH`.
    pub environment: BTreeMap<String, String>,
    /// A wrapper with its first arguments. It receives each command line and then replaces itself with that program. If
    /// empty, programs are started directly.
    pub launcher: Vec<OsString>,
}

impl LaunchSettings {
    /// Returns the command that starts a program, whose words are `argv`, in a process group of its own. Its standard
    /// streams are pipes, and the program is killed when its [`Child`](tokio::process::Child) is dropped.
    pub fn command(&self, argv: &[String]) -> Command {
        let (program, arguments) = argv.split_first().map_or(("", argv), |(program, rest)| (program.as_str(), rest));
        let is_path = program.contains(std::path::is_separator);
        let program = if is_path { self.folder.join(program).into_os_string() } else { program.into() };
        let mut words = self.launcher.iter().cloned().chain([program]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(arguments).current_dir(&self.folder);
        command.env_clear().envs(&self.environment);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        command
    }

    /// Returns the folders in which a program without a separator in its name is looked up, in order. Returns `None` if
    /// the environment has no `PATH`: the system chooses the folders then.
    pub fn search_folders(&self) -> Option<Vec<PathBuf>> {
        let path = self.environment.get("PATH")?;
        Some(std::env::split_paths(path).map(|searched| self.folder.join(searched)).collect())
    }

    /// Returns the files at which a program is looked up, in order, whether they exist or not: its path or, if it is a
    /// name, one in each of the [search folders](Self::search_folders). Returns `None` if the system chooses the
    /// folders.
    pub fn candidates(&self, program: &str) -> Option<Vec<PathBuf>> {
        if program.contains(std::path::is_separator) {
            return Some(vec![self.folder.join(program)]);
        }
        Some(self.search_folders()?.into_iter().map(|searched| searched.join(program)).collect())
    }

    /// Reports whether one of the [candidates](Self::candidates) for a program exists. A launcher would report a
    /// missing program as if the program had failed. Reads folders, so it must not run on a thread that runs turns.
    pub fn has_program(&self, program: &str) -> bool {
        self.candidates(program).is_none_or(|files| files.iter().any(|file| file.exists()))
    }

    /// Returns the operator's settings. Excludes the values of the environment, which may be secrets, and the launcher,
    /// whose arguments may change with each start of this process.
    pub fn settings(&self) -> Value {
        json!({ "folder": self.folder.to_string_lossy(), "environment": self.environment.keys().collect::<Vec<_>>() })
    }
}

/// Excludes what [`settings`](LaunchSettings::settings) excludes.
impl fmt::Debug for LaunchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&String> = self.environment.keys().collect();
        f.debug_struct("LaunchSettings")
            .field("folder", &self.folder)
            .field("environment", &names)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_environment_are_not_shown() {
        let environment = [("TOKEN".to_owned(), "secret-value".to_owned())].into();
        let launch = LaunchSettings { folder: "/srv".into(), environment, launcher: Vec::new() };
        for text in [format!("{launch:?}"), launch.settings().to_string()] {
            assert!(text.contains("TOKEN") && !text.contains("secret-value"), "{text}");
        }
    }
}
