//! Programs that the checks use. Each is installed once, at one version.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::Repository;
use crate::repository::environment;

/// A program from the registry.
pub(crate) struct Tool {
    package: &'static str,
    version: &'static str,
    binary: &'static str,
    purpose: &'static str,
}

pub(crate) const DENY: Tool = Tool {
    package: "cargo-deny",
    version: "0.20.2",
    binary: "cargo-deny",
    purpose: "checks licences, banned crates and where crates come from",
};

pub(crate) const MACHETE: Tool =
    Tool { package: "cargo-machete", version: "0.9.2", binary: "cargo-machete", purpose: "finds unused dependencies" };

pub(crate) const TYPOS: Tool =
    Tool { package: "typos-cli", version: "1.52.0", binary: "typos", purpose: "checks spelling" };

impl Tool {
    /// Returns the path of the program. The first use installs it outside the repository, so that all clones share it.
    pub(crate) fn path(&self, repository: &Repository) -> anyhow::Result<PathBuf> {
        let folder = cache()?.join(format!("{}-{}", self.package, self.version));
        let path = folder.join("bin").join(self.binary).with_extension(std::env::consts::EXE_EXTENSION);
        if path.exists() {
            return Ok(path);
        }
        let Self { package, version, purpose, .. } = self;
        println!("installing {package} {version} into {}: it {purpose}", folder.display());
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        // A build without optimisation takes a fraction of the time, and is fast enough for this small repository.
        let output = repository
            .cargo("install --locked --debug --quiet --root")
            .arg(&folder)
            .arg(format!("{package}@{version}"))
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env_remove("CARGO_TARGET_DIR")
            .output()?;
        if !output.status.success() {
            bail!("cannot install {package} {version}:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(path)
    }
}

/// Returns the folder in which the programs of checks and tests are kept.
pub(crate) fn cache() -> anyhow::Result<PathBuf> {
    let folder = |name| environment(name).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
    Ok(cache.context("neither XDG_CACHE_HOME nor HOME is set: nowhere to keep tools")?.join("turnkit-tools"))
}
