//! The programs that the tests run, which `cargo xtask test` installs.

use std::path::PathBuf;

/// The folder of the programs.
const FOLDER: &str = "TURNKIT_MCP_PACKAGES";

/// If this variable is set to `require`, missing programs are an error.
const STRICT: &str = "TURNKIT_MCP";

/// The installed programs.
pub(crate) struct Packages {
    folder: PathBuf,
}

impl Packages {
    /// Returns the programs. If they are not installed, prints that the test was skipped.
    #[expect(clippy::disallowed_methods, reason = "where the programs are is a matter of the machine")]
    pub(crate) fn installed() -> Option<Self> {
        let folder = std::env::var_os(FOLDER).map(PathBuf::from);
        if folder.is_none() {
            assert!(std::env::var_os(STRICT).is_none_or(|strict| strict != "require"), "{FOLDER} is not set");
            println!("SKIPPED: `cargo xtask test` installs the programs of this test and sets {FOLDER}");
        }
        Some(Self { folder: folder? })
    }

    /// Returns the path of Node.js.
    pub(crate) fn node(&self) -> String {
        self.path("node")
    }

    /// Returns the path of a script for Node.js.
    pub(crate) fn script(&self, name: &str) -> String {
        self.path(&format!("node_modules/.bin/{name}"))
    }

    /// Returns the path of a program in Python.
    pub(crate) fn program(&self, name: &str) -> String {
        self.path(&format!("servers/bin/{name}"))
    }

    /// Returns the path of the proxy, whose version of the protocol's library differs from that of the servers.
    pub(crate) fn proxy(&self) -> String {
        self.path("proxy/bin/mcp-proxy")
    }

    fn path(&self, path: &str) -> String {
        self.folder.join(path).into_os_string().into_string().unwrap()
    }
}
