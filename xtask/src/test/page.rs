//! The web page, and the TypeScript client that is built from its sources: built files are compared with their sources,
//! and tests run the binary, those of the page in a browser.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::Step;
use super::clients::Clients;
use crate::Repository;
use crate::system::{on_path, run};

/// The folder of the page's sources.
const FOLDER: &str = "ui";

/// The folder of the TypeScript client, which is built with the packages of the page.
const CLIENT: &str = "clients/typescript";

/// A copy of the lock file from which the packages in `node_modules` were installed.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// What the tests of the page need, or the reason why they are left out.
pub(super) struct Page(anyhow::Result<Programs>);

struct Programs {
    node: PathBuf,
    browser: PathBuf,
}

impl Page {
    /// Finds Node.js and the browser, and installs the packages of the page.
    ///
    /// # Errors
    /// The tests cannot run although the environment requires all clients.
    pub(super) fn find(repository: &Repository, clients: &Clients) -> anyhow::Result<Self> {
        let programs = find(&repository.root().join(FOLDER), clients);
        match programs {
            Err(error) if Clients::are_required() => Err(error.context("the page cannot be tested")),
            programs => Ok(Self(programs)),
        }
    }

    pub(super) fn describe(&self) -> String {
        match &self.0 {
            Ok(Programs { browser, .. }) => format!("the page is tested in {}", browser.display()),
            Err(why) => {
                format!("the page and the TypeScript client are not built, and their tests are left out: {why:#}")
            }
        }
    }

    /// Returns the runs that test the page and the client. They need the binary that the end-to-end tests have built.
    pub(super) fn steps(&self, repository: &Repository) -> anyhow::Result<Vec<Step>> {
        let Ok(Programs { node, browser }) = &self.0 else { return Ok(Vec::new()) };
        let folder = Path::new(FOLDER);
        let mut check = repository.program(node);
        check.arg(folder.join("build.mjs")).arg("--check");
        let mut types = repository.program(node);
        types.arg(folder.join("node_modules/typescript/bin/tsc")).arg("--project").arg(folder);
        let mut tests = repository.program(node);
        tests
            .args(["--test", "--test-concurrency", "2", "--test-reporter", "spec"])
            .args(test_files(repository.root(), folder)?);
        tests.env("TURNKIT_BINARY", binary(repository.target())).env("TURNKIT_BROWSER", browser);
        let client = Path::new(CLIENT);
        let mut client_build = repository.program(node);
        client_build.arg(client.join("build.mjs"));
        let mut client_tests = repository.program(node);
        client_tests
            .args(["--test", "--test-concurrency", "2", "--test-reporter", "spec"])
            .args(test_files(repository.root(), client)?);
        client_tests.env("TURNKIT_BINARY", binary(repository.target()));
        Ok(vec![
            Step { title: "built page", process: check },
            Step { title: "types of the page", process: types },
            Step { title: "tests of the page", process: tests },
            Step { title: "build of the TypeScript client", process: client_build },
            Step { title: "tests of the TypeScript client", process: client_tests },
        ])
    }
}

fn find(folder: &Path, clients: &Clients) -> anyhow::Result<Programs> {
    let path = |name: &str| clients.path(name).with_context(|| format!("the client {name} is missing"));
    let programs = Programs { node: path("node")?.to_owned(), browser: path("browser")?.to_owned() };
    install(folder)?;
    Ok(programs)
}

/// Installs the packages of the lock file, unless they are there. npm takes them from its own cache if it has them.
fn install(folder: &Path) -> anyhow::Result<()> {
    let lock = folder.join("package-lock.json");
    let wanted = fs::read(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    if fs::read(folder.join(INSTALLED)).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let npm = on_path(&["npm"]).context("there is no npm on PATH")?;
    println!("installing the packages of the page into {}", folder.join("node_modules").display());
    let options = ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--prefix"];
    let mut arguments: Vec<OsString> = options.iter().map(OsString::from).collect();
    arguments.push(folder.into());
    run(npm, &arguments).context("cannot install the packages of the page")?;
    fs::write(folder.join(INSTALLED), wanted).context("cannot note which packages are installed")
}

/// Returns the test files of a folder, as paths from the root of the repository.
fn test_files(root: &Path, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let tests = folder.join("tests");
    let entries = fs::read_dir(root.join(&tests)).with_context(|| format!("cannot list {}", tests.display()))?;
    let names = entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<Vec<OsString>>>()?;
    let mut files: Vec<PathBuf> = names
        .into_iter()
        .filter(|name| name.to_string_lossy().ends_with(".test.mjs"))
        .map(|name| tests.join(name))
        .collect();
    files.sort();
    Ok(files)
}

/// Returns the binary of the end-to-end tests.
fn binary(target: &Path) -> PathBuf {
    target.join("ci").join("turnkit").with_extension(std::env::consts::EXE_EXTENSION)
}
