//! Recorded exchanges with providers. They are stored next to the repository, not in it, and may be absent.

use std::path::{Path, PathBuf, absolute};
use std::process::Command as Process;

use anyhow::bail;

use crate::repository::environment;

/// The tests that read the recordings, as an expression of cargo-nextest.
const READERS: &str = "(package(turnkit-llm) & (binary(corpus) | binary(sessions) | \
                       (binary(decoded) & test(/^recorded_exchanges_|_of_a_recording_/)))) | \
                       (package(turnkit-engine) & test(/::recorded::/))";

/// The variable in which tests find the recordings: their folder, or the folder that contains it as `providers`.
const VARIABLE: &str = "TURNKIT_FIXTURES";

/// If this variable is set to `require`, a test that finds no recordings fails.
const STRICT: &str = "TURNKIT_CORPUS";

#[derive(Debug)]
pub(super) struct Fixtures {
    providers: PathBuf,
    found: bool,
}

impl Fixtures {
    /// Finds the recordings in the folder that the environment names, or next to the repository.
    ///
    /// # Errors
    /// There are no recordings although the environment requires them.
    pub(super) fn find(root: &Path) -> anyhow::Result<Self> {
        let folder = environment(VARIABLE).map_or_else(|| root.join("../shared/fixtures"), PathBuf::from);
        Self::find_in(&folder, environment(STRICT).is_some_and(|value| value == "require"))
    }

    fn find_in(folder: &Path, required: bool) -> anyhow::Result<Self> {
        let folder = absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let found = [folder.join("providers"), folder.clone()].into_iter().find(|providers| is_there(providers));
        if required && found.is_none() {
            bail!("no recorded exchanges at {}; {STRICT}=require asks for them", folder.join("providers").display());
        }
        Ok(Self { found: found.is_some(), providers: found.unwrap_or_else(|| folder.join("providers")) })
    }

    /// Returns the tests that cannot run, as an expression of cargo-nextest.
    pub(super) fn left_out(&self) -> Option<String> {
        (!self.found).then(|| format!("({READERS})"))
    }

    pub(super) fn describe(&self) -> String {
        let folder = self.providers.display();
        if self.found {
            format!("recorded exchanges are read from {folder}")
        } else {
            format!(
                "no recorded exchanges at {folder}: tests that read them are skipped; \
                 {VARIABLE} may name the folder that holds `providers`"
            )
        }
    }

    /// Passes the folder to a test runner. If there are recordings, tests that read them fail without them.
    pub(super) fn set_env(&self, process: &mut Process) {
        if self.found {
            process.env(VARIABLE, &self.providers).env(STRICT, "require");
        }
    }
}

/// Reports whether this is the folder of the recordings.
fn is_there(providers: &Path) -> bool {
    providers.join("sessions.json").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a temporary folder for a test, with or without recordings in `providers`.
    fn folder(name: &str, with_recordings: bool) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("turnkit-fixtures-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("providers")).unwrap();
        if with_recordings {
            std::fs::write(folder.join("providers/sessions.json"), "[]").unwrap();
        }
        folder
    }

    #[test]
    fn existing_recordings_are_required_by_every_test() {
        let folder = folder("there", true);
        for place in [folder.clone(), folder.join("providers")] {
            let found = Fixtures::find_in(&place, true).unwrap();
            assert_eq!(found.left_out(), None);
            let mut process = Process::new("true");
            found.set_env(&mut process);
            let variables: Vec<_> =
                process.get_envs().map(|(name, value)| (name.to_owned(), value.map(PathBuf::from))).collect();
            assert_eq!(
                variables,
                [(STRICT.into(), Some("require".into())), (VARIABLE.into(), Some(folder.join("providers")))],
                "{}",
                place.display()
            );
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn without_recordings_their_tests_are_skipped_aloud_or_an_error() {
        let folder = folder("absent", false);
        let absent = Fixtures::find_in(&folder, false).unwrap();
        assert!(absent.left_out().is_some_and(|left_out| left_out.contains("binary(corpus)")));
        assert!(absent.describe().contains("skipped"));
        let error = Fixtures::find_in(&folder, true).unwrap_err().to_string();
        assert!(error.ends_with("TURNKIT_CORPUS=require asks for them"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
