//! The command line.

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand};
use turnkit_core::SessionId;

/// Chat with models through an engine that keeps every turn: sessions, tools and answers survive a crash.
#[derive(Debug, Parser)]
#[command(name = "turnkit", version, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  turnkit chat -p \"What is 12.5% of 840?\"      answer once, then leave
  turnkit chat                                  talk
  turnkit chat --session trip \"And on Sunday?\"  go on with a session
  turnkit init                                  write a commented turnkit.toml

Without a configuration the offline responder answers: no key, no network.
Exit codes: 0 ok, 1 failed, 2 usage or configuration, 3 data cannot be opened or is in use.")]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) place: Place,

    /// Log what happens to standard error; twice for more
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,

    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where configuration and data are.
#[derive(Debug, clap::Args)]
pub(crate) struct Place {
    /// Configuration file [default: ./turnkit.toml if there is one]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Data directory [default: what the configuration says, else ./data]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Talk with an agent, once or at length
    Chat(Chat),
    /// List, show and remove sessions
    #[command(subcommand)]
    Sessions(Sessions),
    /// Write a commented turnkit.toml with an example agent
    Init {
        /// Where to
        #[arg(default_value = ".", value_name = "DIR")]
        directory: PathBuf,
    },
    /// Show the version
    Version {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// Talk with an agent.
///
/// Answers go to standard output, everything else to standard error. Ctrl-C cancels the running turn; twice leaves.
#[derive(Debug, clap::Args)]
pub(crate) struct Chat {
    /// What to say; what is piped in is put after it. Without it a terminal asks
    pub(crate) prompt: Option<String>,

    /// Answer once, then leave
    #[arg(short, long)]
    pub(crate) print: bool,

    /// Go on with this session: its id, or a name of yours, which is made if it is new
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,

    /// Talk with this agent [default: the session's, else the first one configured]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// Answer once, as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Sessions {
    /// List sessions, the last used first
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// At most so many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// Only what comes after this session in the list
        #[arg(long, value_name = "ID")]
        after: Option<SessionId>,
    },
    /// Show what was said
    Show {
        /// The session: its id, or your name for it
        session: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a session and all that belongs to it
    Rm {
        /// The session: its id, or your name for it
        session: String,
    },
}
