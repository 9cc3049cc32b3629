//! Node.js, with packages from its registry.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use anyhow::Context;

use crate::system::{on_path, run};
use crate::tools::cache;

/// The oldest major version that has `fetch` with streams, and that the packages support.
const OLDEST: u32 = 20;

/// A package that is installed once, at one version.
struct Package {
    name: &'static str,
    version: &'static str,
    purpose: &'static str,
}

const EVENTSOURCE: Package =
    Package { name: "eventsource", version: "4.1.0", purpose: "reads server-sent events and comes back by itself" };

const PLAYWRIGHT: Package = Package { name: "playwright-core", version: "1.65.1", purpose: "drives the browser" };

pub(super) fn find() -> anyhow::Result<PathBuf> {
    let node = node()?;
    EVENTSOURCE.install()?;
    Ok(node)
}

/// Checks that Node.js exists, and installs the package that controls a browser.
pub(super) fn that_drives_browsers() -> anyhow::Result<()> {
    node()?;
    PLAYWRIGHT.install()
}

/// Returns the folders in which Node.js looks for packages.
pub(super) fn packages() -> anyhow::Result<OsString> {
    let folders = [EVENTSOURCE, PLAYWRIGHT].iter().map(|package| Ok(package.folder()?.join("node_modules")));
    Ok(std::env::join_paths(folders.collect::<anyhow::Result<Vec<PathBuf>>>()?)?)
}

fn node() -> anyhow::Result<PathBuf> {
    let node = on_path(&["node"]).context("there is no node on PATH")?;
    let version = run(&node, &["--version".into()])?;
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    let new_enough = major.is_some_and(|major| major >= OLDEST);
    anyhow::ensure!(new_enough, "{} is version {}, and {OLDEST} is needed", node.display(), version.trim());
    Ok(node)
}

impl Package {
    fn folder(&self) -> anyhow::Result<PathBuf> {
        Ok(cache()?.join(format!("{}-{}", self.name, self.version)))
    }

    /// Installs the package at the first use, without its downloads and scripts.
    fn install(&self) -> anyhow::Result<()> {
        let folder = self.folder()?;
        if folder.join("node_modules").join(self.name).join("package.json").exists() {
            return Ok(());
        }
        let npm = on_path(&["npm"]).context("there is no npm on PATH")?;
        let Self { name, version, purpose } = self;
        println!("installing {name} {version} into {}: it {purpose}", folder.display());
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let options = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix"];
        let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
        arguments.extend([folder.into_os_string(), format!("{name}@{version}").into()]);
        run(npm, &arguments).with_context(|| format!("cannot install {name} {version}"))?;
        Ok(())
    }
}
