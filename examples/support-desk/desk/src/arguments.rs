//! The command line.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum};

/// The variable with the secret of the client. It is no argument, because other users can read those.
pub(crate) const SECRET: &str = "DESK_CLIENT_SECRET";

/// The configuration for users who sign in, and the one for any caller.
const WITH_USERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../turnkit-users.toml");
const WITHOUT_USERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../turnkit.toml");

/// Start the support desk: an identity provider, two MCP servers, and turnkit with an agent that uses them.
///
/// Ctrl-C ends all of them.
#[derive(Debug, Parser)]
#[command(name = "support-desk", version, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  cargo run -p support-desk                       everything, turnkit on http://127.0.0.1:8787
  cargo run -p support-desk -- --users            for users who sign in, with tickets of their own
  cargo run -p support-desk -- --servers-only     without turnkit, to start it elsewhere
  cargo run -p support-desk -- --token-life 20    with tokens that expire while you watch")]
pub(crate) struct Arguments {
    /// Address and port of turnkit
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8787")]
    pub(crate) listen: SocketAddr,

    /// The folder of the databases, those of turnkit included
    #[arg(long, value_name = "DIR", default_value = "data/support-desk")]
    pub(crate) data: PathBuf,

    /// The turnkit program [default: the one that cargo has built beside this one]
    #[arg(long, value_name = "PATH")]
    pub(crate) turnkit: Option<PathBuf>,

    /// The configuration of turnkit [default: the one of this example]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Let turnkit act for users who sign in at the identity provider
    #[arg(long)]
    pub(crate) users: bool,

    /// Start the servers without turnkit, and print the variables that turnkit.toml reads
    #[arg(long)]
    pub(crate) servers_only: bool,

    /// The life of access tokens, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) token_life: u64,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Arguments {
    /// Returns the configuration of turnkit.
    pub(crate) fn configuration(&self) -> &Path {
        let own = if self.users { WITH_USERS } else { WITHOUT_USERS };
        self.config.as_deref().unwrap_or(Path::new(own))
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Be one of the servers, until the standard input ends
    #[command(hide = true)]
    Server(Server),

    /// End the process that the first line of the standard input names, once the input ends
    #[command(hide = true)]
    Watch,
}

/// The arguments of one server.
#[derive(Debug, clap::Args)]
pub(crate) struct Server {
    #[arg(value_enum)]
    pub(crate) name: ServerName,

    /// The address of the identity provider, for the other servers
    #[arg(long, default_value = "")]
    pub(crate) issuer: String,

    /// The folder of the database
    #[arg(long, default_value = ".")]
    pub(crate) data: PathBuf,

    /// The life of access tokens, in seconds
    #[arg(long, default_value_t = 600)]
    pub(crate) token_life: u64,

    /// The secret of the client
    #[arg(long, env = SECRET, hide_env_values = true, default_value = "")]
    pub(crate) client_secret: String,
}

/// A server of the desk.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ServerName {
    IdentityProvider,
    Ticketing,
    Organisations,
}

impl ServerName {
    /// Returns the name on the command line.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::IdentityProvider => "identity-provider",
            Self::Ticketing => "ticketing",
            Self::Organisations => "organisations",
        }
    }
}
