//! All processes of the desk.

use std::env;
use std::fmt;
use std::time::Duration;

use anyhow::Context;
use futures_util::future::select_all;
use tokio::process::Command;

use crate::arguments::{Arguments, SECRET, ServerName};
use crate::environment::Environment;
use crate::process::Process;
use crate::turnkit;
use crate::watcher::Watcher;

/// The time that turnkit has to finish running turns. It is longer than turnkit's own limit, `server.drain_s`.
const TURNKIT_PATIENCE: Duration = Duration::from_secs(15);

/// The time that each server has to finish its requests.
const SERVER_PATIENCE: Duration = Duration::from_secs(5);

/// The running processes of the desk.
pub(crate) struct Desk {
    environment: Environment,
    /// Whether turnkit acts for users who sign in.
    has_users: bool,
    turnkit: Option<Process>,
    servers: Vec<Process>,
}

impl Desk {
    /// Starts the identity provider, the servers that trust it, and turnkit, each on a free port unless one is named.
    pub(crate) async fn start(arguments: &Arguments) -> anyhow::Result<Self> {
        let secret = format!("{:032x}", rand::random::<u128>());
        let mut identity = command(ServerName::IdentityProvider)?;
        identity.arg("--token-life").arg(arguments.token_life.to_string()).env(SECRET, &secret);
        let identity = Process::start("identity-provider", identity, None).await?;
        let issuer = identity.url().to_owned();

        let mut servers = vec![identity];
        for name in [ServerName::Ticketing, ServerName::Organisations] {
            let mut server = command(name)?;
            server.arg("--issuer").arg(&issuer).arg("--data").arg(&arguments.data);
            servers.push(Process::start(name.as_str(), server, None).await?);
        }
        let url = |name: ServerName| servers.iter().find(|server| server.name() == name.as_str());
        let url = |name| url(name).map(|server| server.url().to_owned()).unwrap_or_default();
        let (ticketing, organisations) = (url(ServerName::Ticketing), url(ServerName::Organisations));
        let environment = Environment { issuer, ticketing, organisations, secret };

        let turnkit = if arguments.servers_only {
            None
        } else {
            let command = turnkit::command(arguments, &environment)?;
            // Elsewhere, only the desk itself can end turnkit.
            let watcher = cfg!(unix).then(Watcher::start).transpose()?;
            Some(Process::start("turnkit", command, watcher).await?)
        };
        Ok(Self { environment, has_users: arguments.users, turnkit, servers })
    }

    /// Waits until one of the processes ends, and says which one and how.
    pub(crate) async fn first_end(&mut self) -> String {
        let processes = self.turnkit.iter_mut().chain(&mut self.servers);
        select_all(processes.map(|process| Box::pin(process.ended()))).await.0
    }

    /// Ends all processes: turnkit first, whose turns may still use the servers, and the identity provider last.
    pub(crate) async fn stop(mut self) {
        if let Some(mut turnkit) = self.turnkit.take() {
            turnkit.stop(TURNKIT_PATIENCE).await;
        }
        while let Some(mut server) = self.servers.pop() {
            server.stop(SERVER_PATIENCE).await;
        }
    }
}

/// Returns the command that runs a server: this program.
fn command(server: ServerName) -> anyhow::Result<Command> {
    let mut command = Command::new(env::current_exe().context("cannot find this program")?);
    command.arg("server").arg(server.as_str());
    Ok(command)
}

impl fmt::Display for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for process in self.servers.iter().chain(&self.turnkit) {
            let id = process.id().unwrap_or_default();
            writeln!(f, "{:<18} {:<28} process {id}", process.name(), process.url())?;
        }
        match &self.turnkit {
            Some(turnkit) if self.has_users => write!(
                f,
                "\nTry:\n  token=$(curl -s {}/login -d user=ana -d audience=turnkit | \
                 sed 's/.*\"access_token\":\"\\([^\"]*\\)\".*/\\1/')\n  \
                 curl -N {}/chat -H \"authorization: Bearer $token\" -H 'content-type: application/json' \\\n    \
                 -d '{{\"session_id\": \"desk\", \"message\": \"Which tickets are mine?\"}}'\n\n\
                 Ctrl-C ends all of them.",
                self.environment.issuer,
                turnkit.url()
            ),
            Some(turnkit) => write!(
                f,
                "\nTry:\n  curl -N {}/chat -H 'content-type: application/json' \\\n    \
                 -d '{{\"session_id\": \"desk\", \"message\": \"Which tickets are open?\"}}'\n\nCtrl-C ends all of them.",
                turnkit.url()
            ),
            None => {
                writeln!(f, "\nFor turnkit:")?;
                for (name, value) in self.environment.variables() {
                    writeln!(f, "  export {name}={value}")?;
                }
                write!(f, "\nCtrl-C ends all of them.")
            }
        }
    }
}
