//! Clients that people use with a server: curl, Python, Node.js and a browser. Tests run the real programs.

mod browser;
mod node;

use std::path::{Path, PathBuf};
use std::process::Command as Process;

use anyhow::{Context, bail};

use crate::repository::environment;
use crate::system::on_path;

/// If this variable is set to `require`, a client that cannot be found or installed is an error.
const VARIABLE: &str = "TURNKIT_CLIENTS";

/// The test target that uses the clients.
const TARGET: &str = "clients";

/// All clients. The name of each is that of the module with its tests.
const CLIENTS: &[Client] = &[
    Client { name: "curl", variable: "TURNKIT_CURL", find: curl },
    Client { name: "python", variable: "TURNKIT_PYTHON", find: python },
    Client { name: "node", variable: "TURNKIT_NODE", find: node::find },
    Client { name: "browser", variable: "TURNKIT_BROWSER", find: browser::find },
];

/// A program that tests run.
struct Client {
    /// The name of the client, and of the module with its tests.
    name: &'static str,
    /// The variable in which tests find its path.
    variable: &'static str,
    /// Finds the program, and installs it if possible.
    find: fn() -> anyhow::Result<PathBuf>,
}

/// The clients on this machine.
pub(super) struct Clients {
    found: Vec<(&'static Client, PathBuf)>,
    missing: Vec<(&'static Client, anyhow::Error)>,
}

impl Clients {
    /// Finds every client.
    ///
    /// # Errors
    /// A client is missing although the environment requires it.
    pub(super) fn find() -> anyhow::Result<Self> {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for client in CLIENTS {
            match (client.find)() {
                Ok(path) => found.push((client, path)),
                Err(why) => missing.push((client, why)),
            }
        }
        let clients = Self { found, missing };
        if Self::are_required() && !clients.missing.is_empty() {
            bail!("{}; {VARIABLE}=require asks for all of them", clients.describe());
        }
        Ok(clients)
    }

    /// Reports whether the environment requires all clients.
    pub(super) fn are_required() -> bool {
        environment(VARIABLE).is_some_and(|value| value == "require")
    }

    /// Returns the path of a client, if it was found.
    pub(super) fn path(&self, name: &str) -> Option<&Path> {
        self.found.iter().find(|(client, _)| client.name == name).map(|(_, path)| path.as_path())
    }

    pub(super) fn describe(&self) -> String {
        let names: Vec<&str> = self.found.iter().map(|(client, _)| client.name).collect();
        let mut lines = vec![format!("clients that are tested with: {}", names.join(", "))];
        let missing = self.missing.iter();
        lines.extend(
            missing.map(|(client, why)| format!("the tests of the client {} are left out: {why:#}", client.name)),
        );
        lines.join("\n")
    }

    /// Returns the tests that cannot run, as expressions of cargo-nextest.
    pub(super) fn left_out(&self) -> impl Iterator<Item = String> {
        self.missing.iter().map(|(client, _)| format!("(binary({TARGET}) & test(/^{}::/))", client.name))
    }

    /// Passes the paths of the clients to a test runner.
    pub(super) fn set_env(&self, process: &mut Process) -> anyhow::Result<()> {
        for (client, path) in &self.found {
            process.env(client.variable, path);
        }
        process.env("NODE_PATH", node::packages()?);
        Ok(())
    }
}

fn curl() -> anyhow::Result<PathBuf> {
    on_path(&["curl"]).context("there is no curl on PATH")
}

fn python() -> anyhow::Result<PathBuf> {
    on_path(&["python3"]).context("there is no python3 on PATH")
}
