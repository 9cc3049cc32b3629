//! Servers over streamable HTTP. `server-everything` has an address by itself. The others have only standard input and
//! output, and `mcp-proxy` passes their messages on.

use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};

use crate::packages::Packages;
use crate::servers::Server;

/// How often a server is started with another port.
const ATTEMPTS: usize = 10;

/// A process with servers that have addresses.
pub(crate) struct Gateway {
    process: Child,
    log: Lines<BufReader<ChildStderr>>,
    addresses: Vec<(Server, String)>,
}

impl Gateway {
    /// Starts the processes that these servers need.
    pub(crate) async fn start_all(packages: &Packages, folder: &Path, servers: &[Server]) -> Vec<Self> {
        let (own, others): (Vec<Server>, Vec<Server>) =
            servers.iter().copied().partition(|server| *server == Server::Everything);
        let mut gateways = Vec::new();
        if !own.is_empty() {
            gateways.push(Self::everything(packages, folder).await);
        }
        if !others.is_empty() {
            gateways.push(Self::proxy(packages, folder, &others).await);
        }
        gateways
    }

    /// Returns the address of a server.
    pub(crate) fn url(&self, wanted: Server) -> Option<String> {
        self.addresses.iter().find_map(|(server, url)| (*server == wanted).then(|| url.clone()))
    }

    /// Returns the next line of the log that contains this text, or `None` if the process ends before.
    pub(crate) async fn logs(&mut self, text: &str) -> Option<String> {
        loop {
            let line = self.log.next_line().await.unwrap()?;
            if line.contains(text) {
                return Some(line);
            }
        }
    }

    /// Starts the server that has an address. It takes only a number as its port, which may be taken meanwhile.
    async fn everything(packages: &Packages, folder: &Path) -> Self {
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut words = Server::Everything.command(packages, folder);
            words.push("streamableHttp".to_owned());
            let mut gateway = Self::start(&words, folder, Some(("PORT", port.to_string())));
            if gateway.logs("listening on port").await.is_some() {
                gateway.addresses = vec![(Server::Everything, format!("http://127.0.0.1:{port}/mcp"))];
                return gateway;
            }
        }
        panic!("no port is free for server-everything")
    }

    async fn proxy(packages: &Packages, folder: &Path, servers: &[Server]) -> Self {
        let named: Map<String, Value> = servers
            .iter()
            .map(|server| {
                let command = server.command(packages, folder);
                let env: Map<String, Value> =
                    server.variable(folder).map(|(name, value)| (name.to_owned(), value.into())).into_iter().collect();
                (server.name().to_owned(), json!({ "command": command[0], "args": command[1..], "env": env }))
            })
            .collect();
        let file = folder.join("proxy.json").into_os_string().into_string().unwrap();
        std::fs::write(&file, json!({ "mcpServers": named }).to_string()).unwrap();
        let words = [&*packages.proxy(), "--named-server-config", &*file, "--port", "0"].map(str::to_owned);
        let mut gateway = Self::start(&words, folder, None);
        let ready = gateway.logs("running on http://").await.unwrap_or_else(|| panic!("mcp-proxy did not start"));
        let (_, rest) = ready.split_once("http://").unwrap();
        let address = rest.split_whitespace().next().unwrap();
        let url = |server: &Server| (*server, format!("http://{address}/servers/{}/mcp", server.name()));
        gateway.addresses = servers.iter().map(url).collect();
        gateway
    }

    #[expect(clippy::disallowed_methods, reason = "servers find git where the user has it")]
    fn start(words: &[String], folder: &Path, variable: Option<(&str, String)>) -> Self {
        let (program, arguments) = words.split_first().unwrap();
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder).env_clear().env("HOME", folder).envs(variable);
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        // A group of its own, so that the servers behind the proxy end with it.
        command.process_group(0).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let log = BufReader::new(process.stderr.take().unwrap()).lines();
        Self { process, log, addresses: Vec::new() }
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let id = self.process.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        if let Some(group) = id {
            // Fails if the processes have already ended.
            _ = kill_process_group(group, Signal::KILL);
        }
    }
}
