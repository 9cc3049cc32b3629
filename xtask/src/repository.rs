//! The packages and source files of the repository.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;

/// The workspace that contains this program.
pub(crate) struct Repository {
    root: PathBuf,
    /// The target directory of cargo.
    target: PathBuf,
    packages: Vec<Package>,
}

/// A package as its manifest declares it.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) repository: Option<String>,
    /// The registries to which it may be published: an empty list for none, `None` for any.
    pub(crate) publish: Option<Vec<String>>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as the manifest declares it, optional ones included.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// The kind: `dev`, `build`, or `None` for a normal dependency.
    pub(crate) kind: Option<String>,
    /// The version requirement, or `*` if the manifest has none.
    pub(crate) req: String,
}

/// A source file and its text.
pub(crate) struct Source {
    /// The path from the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    target_directory: PathBuf,
    packages: Vec<Package>,
}

impl Repository {
    /// Reads the workspace around the current directory, with cargo.
    pub(crate) fn open() -> anyhow::Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cannot run cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cannot read cargo metadata")?;
        let Metadata { workspace_root, target_directory, packages } = metadata;
        Ok(Self { root: workspace_root, target: target_directory, packages })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    pub(crate) fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// Returns the packages that are published to a registry.
    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty()))
    }

    /// Returns a command that runs a program at the root.
    pub(crate) fn program(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root);
        command
    }

    /// Returns a cargo command at the root. `words` are separated by single spaces.
    pub(crate) fn cargo(&self, words: &str) -> Command {
        let mut command = self.program(cargo());
        command.args(words.split(' '));
        command
    }

    /// Returns the files that git tracks or would add, as paths from the root.
    pub(crate) fn files(&self) -> anyhow::Result<Vec<String>> {
        let mut git = self.program("git");
        let output = git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).output();
        let output = output.context("cannot run git")?;
        if !output.status.success() {
            bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr).trim_end());
        }
        let listed = String::from_utf8(output.stdout).context("a file's name is not UTF-8")?;
        Ok(listed.split_terminator('\0').map(str::to_owned).collect())
    }

    /// Returns every Rust file of the workspace, sorted by path.
    pub(crate) fn sources(&self) -> anyhow::Result<Vec<Source>> {
        let mut sources = Vec::new();
        for folder in ["crates", "examples", "xtask"] {
            collect(&self.root.join(folder), &mut |path| {
                let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
                let path = path.strip_prefix(&self.root)?.to_string_lossy().replace('\\', "/");
                sources.push(Source { path, text });
                Ok(())
            })?;
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(sources)
    }
}

impl Source {
    /// Reports whether the whole file is test code, an example or a benchmark.
    pub(crate) fn is_test(&self) -> bool {
        let mut folders = self.path.split('/');
        let file = folders.next_back().unwrap_or_default();
        file == "tests.rs" || folders.any(|folder| matches!(folder, "tests" | "benches" | "examples"))
    }
}

/// Returns the cargo that runs this program, so that both have the same toolchain.
fn cargo() -> OsString {
    environment("CARGO").unwrap_or_else(|| "cargo".into())
}

/// Returns a variable of the environment if it is set and not empty.
#[expect(clippy::disallowed_methods, reason = "this program has no configuration but the environment")]
pub(crate) fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn collect(folder: &Path, found: &mut dyn FnMut(&Path) -> anyhow::Result<()>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found(&path)?;
        }
    }
    Ok(())
}
