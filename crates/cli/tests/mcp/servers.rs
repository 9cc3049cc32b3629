//! The servers, and how each is started.

use std::path::Path;

use crate::packages::Packages;

/// A server of the npm registry or of PyPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Server {
    Everything,
    Filesystem,
    Memory,
    Git,
    Time,
    Fetch,
}

/// How turnkit reaches a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// turnkit starts the server, and uses its standard input and output.
    Pipes,
    /// The server has an address.
    Http,
}

impl Server {
    pub(crate) const ALL: [Self; 6] =
        [Self::Everything, Self::Filesystem, Self::Memory, Self::Git, Self::Time, Self::Fetch];

    /// Returns the name of the server in the configuration.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Filesystem => "filesystem",
            Self::Memory => "memory",
            Self::Git => "git",
            Self::Time => "time",
            Self::Fetch => "fetch",
        }
    }

    /// Returns the program of the server with its arguments. `folder` has its files.
    pub(crate) fn command(self, packages: &Packages, folder: &Path) -> Vec<String> {
        let node = |script: &str| vec![packages.node(), packages.script(script)];
        let python = |program: &str| vec![packages.program(program)];
        let path = |name: &str| folder.join(name).into_os_string().into_string().unwrap();
        let (mut command, arguments) = match self {
            Self::Everything => (node("mcp-server-everything"), vec![]),
            Self::Filesystem => (node("mcp-server-filesystem"), vec![path("files")]),
            Self::Memory => (node("mcp-server-memory"), vec![]),
            Self::Git => (python("mcp-server-git"), vec!["--repository".to_owned(), path("repository")]),
            Self::Time => (python("mcp-server-time"), vec!["--local-timezone".to_owned(), "Europe/Paris".to_owned()]),
            Self::Fetch => (python("mcp-server-fetch"), vec!["--allow-private-ips".to_owned()]),
        };
        command.extend(arguments);
        command
    }

    /// Returns the variable that the server needs, with its value.
    pub(crate) fn variable(self, folder: &Path) -> Option<(&'static str, String)> {
        let memory = || folder.join("memory.jsonl").into_os_string().into_string().unwrap();
        (self == Self::Memory).then(|| ("MEMORY_FILE_PATH", memory()))
    }

    /// Returns the revision of the protocol that turnkit and the server agree on. The proxy speaks the earlier one.
    pub(crate) fn protocol(self, transport: Transport) -> &'static str {
        match (self, transport) {
            (Self::Git | Self::Time | Self::Fetch, Transport::Pipes) => "2026-07-28",
            _ => "2025-11-25",
        }
    }
}
