//! Recorded exchanges with providers. They are kept beside the repository, not in it, and may be absent.

use std::path::{Path, PathBuf, absolute};
use std::process::Command as Process;

use crate::repository::environment;

/// Tests that read the recordings are in files whose names hold this word.
const CORPUS: &str = "corpus";

/// How a test finds the folder that holds `providers`.
const VARIABLE: &str = "TURNKIT_FIXTURES";

pub(super) struct Fixtures {
    folder: PathBuf,
    found: bool,
}

impl Fixtures {
    pub(super) fn find(root: &Path) -> Self {
        let folder = environment(VARIABLE).map_or_else(|| root.join("../shared/fixtures"), PathBuf::from);
        let folder = absolute(&folder).unwrap_or(folder);
        Self { found: folder.join("providers").is_dir(), folder }
    }

    /// The tests that cannot run, as an expression of cargo-nextest.
    pub(super) fn left_out(&self) -> Option<String> {
        (!self.found).then(|| format!("binary(~{CORPUS})"))
    }

    pub(super) fn describe(&self) -> String {
        let folder = self.folder.join("providers").display().to_string();
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
            process.env(VARIABLE, &self.folder);
        }
    }
}
