//! Recorded exchanges with providers. They are kept beside the repository, not in it, and may be absent.

use std::path::{Path, PathBuf, absolute};
use std::process::Command as Process;

use crate::repository::environment;

/// Tests that read the recordings are in files whose names hold this word.
const CORPUS: &str = "corpus";

/// How a test finds the recordings: it names their folder, or the one that holds it as `providers`.
const VARIABLE: &str = "TURNKIT_FIXTURES";

pub(super) struct Fixtures {
    providers: PathBuf,
    found: bool,
}

impl Fixtures {
    pub(super) fn find(root: &Path) -> Self {
        let folder = environment(VARIABLE).map_or_else(|| root.join("../shared/fixtures"), PathBuf::from);
        let folder = absolute(&folder).unwrap_or(folder);
        let found = [folder.join("providers"), folder.clone()].into_iter().find(|providers| is_there(providers));
        Self { found: found.is_some(), providers: found.unwrap_or_else(|| folder.join("providers")) }
    }

    /// The tests that cannot run, as an expression of cargo-nextest.
    pub(super) fn left_out(&self) -> Option<String> {
        (!self.found).then(|| format!("binary(~{CORPUS})"))
    }

    pub(super) fn describe(&self) -> String {
        let folder = self.providers.display();
        if self.found {
            format!("recorded exchanges are read from {folder}")
        } else {
            format!(
                "no recorded exchanges at {folder}: tests in files named `{CORPUS}` are skipped; \
                 {VARIABLE} may name the folder that holds `providers`"
            )
        }
    }

    /// Lets a test runner know.
    pub(super) fn tell(&self, process: &mut Process) {
        if self.found {
            process.env(VARIABLE, &self.providers);
        }
    }
}

/// Whether this is the folder of the recordings.
fn is_there(providers: &Path) -> bool {
    providers.join("sessions.json").is_file()
}
