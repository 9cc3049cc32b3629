//! The repository as the checks see it: its packages and its source files.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;

/// The workspace this program belongs to.
pub(crate) struct Repository {
    root: PathBuf,
    packages: Vec<Package>,
}

/// A package as its manifest declares it.
#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) license: Option<String>,
    pub(crate) repository: Option<String>,
    /// The registries it may go to: none is an empty list, any is `None`.
    pub(crate) publish: Option<Vec<String>>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as the manifest declares it, optional ones included.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `dev`, `build`, or `None` for a normal one.
    pub(crate) kind: Option<String>,
    /// The versions it may have; `*` where the manifest names none.
    pub(crate) req: String,
}

/// A source file and its text.
pub(crate) struct Source {
    /// From the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: PathBuf,
    packages: Vec<Package>,
}

impl Repository {
    /// Asks cargo for the workspace around the current directory.
    pub(crate) fn open() -> anyhow::Result<Self> {
        let output = Command::new(cargo())
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .output()
            .context("cannot run cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
        }
        let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cannot read cargo metadata")?;
        Ok(Self { root: metadata.workspace_root, packages: metadata.packages })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn packages(&self) -> &[Package] {
        &self.packages
    }

    /// Packages that go to a registry.
    pub(crate) fn published(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty()))
    }

    /// A program to be run at the root.
    pub(crate) fn program(&self, program: impl Into<OsString>) -> Command {
        let mut command = Command::new(program.into());
        command.current_dir(&self.root);
        command
    }

    /// A cargo command, its words separated by single spaces, to be run at the root.
    pub(crate) fn cargo(&self, words: &str) -> Command {
        let mut command = self.program(cargo());
        command.args(words.split(' '));
        command
    }

    /// Every Rust file of the workspace, in the order of their paths.
    pub(crate) fn sources(&self) -> anyhow::Result<Vec<Source>> {
        let mut sources = Vec::new();
        for folder in ["crates", "xtask"] {
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
    /// Whether the whole file is test code, or code that shows or measures how the library is used.
    pub(crate) fn is_test(&self) -> bool {
        let mut folders = self.path.split('/');
        let file = folders.next_back().unwrap_or_default();
        file == "tests.rs" || folders.any(|folder| matches!(folder, "tests" | "benches" | "examples"))
    }
}

/// The cargo that runs this program, so that both are of one toolchain.
fn cargo() -> OsString {
    environment("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A variable of the environment, if it is set to something.
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
