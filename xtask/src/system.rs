//! Programs of the system: finding, running and installing them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use anyhow::{Context, bail, ensure};

use crate::repository::environment;

/// Returns the first of these programs that is on PATH.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&environment("PATH")?).collect();
    let found = |name: &&str| folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    names.iter().find_map(found)
}

/// Returns the first of these programs that is on PATH. If none is, installs the system's `package`, if this user may.
pub(crate) fn from_package(package: &str, names: &[&str], purpose: &str) -> anyhow::Result<PathBuf> {
    if let Some(program) = on_path(names) {
        return Ok(program);
    }
    install(package, purpose).with_context(|| format!("there is no {} on PATH", names.join(", ")))?;
    on_path(names).with_context(|| format!("the package {package} holds no program of this name"))
}

fn install(package: &str, purpose: &str) -> anyhow::Result<()> {
    let apt = on_path(&["apt-get"]).context("no apt-get to install it with")?;
    ensure!(run("id", &["-u".into()])?.trim() == "0", "only root may install it");
    println!("installing {package} from the system's packages: {purpose}");
    run(&apt, &["update".into()])?;
    run(&apt, &["install".into(), "--yes".into(), "--no-install-recommends".into(), package.into()])?;
    Ok(())
}

/// Runs a program to its end. Its output is shown only if it fails.
pub(crate) fn run(program: impl AsRef<Path>, arguments: &[OsString]) -> anyhow::Result<String> {
    let program = program.as_ref();
    let mut process = Process::new(program);
    let output = process.args(arguments).stdin(Stdio::null()).env("DEBIAN_FRONTEND", "noninteractive").output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        bail!("{} failed: {}", program.display(), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
