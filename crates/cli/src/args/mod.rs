//! The command line.

mod chat;
mod data;
mod interactions;
mod keys;
mod launch;
mod mcp;
mod permissions;
mod providers;
mod serve;
mod usage;
mod wire;

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use chat::Chat;
pub(crate) use data::{Sessions, SessionsCommand, Turns, TurnsCommand};
pub(crate) use interactions::{Decide, Interactions, InteractionsCommand, NOTE_BYTES};
pub(crate) use keys::Keys;
pub(crate) use launch::Launch;
pub(crate) use mcp::{Mcp, McpCall};
pub(crate) use permissions::{Explain, Permissions};
pub(crate) use providers::{Providers, ProvidersCommand};
pub(crate) use serve::Serve;
pub(crate) use usage::Usage;
pub(crate) use wire::{Decode, Encode, Wires};

pub(crate) use crate::place::Place;

/// Serve and chat with agents through an engine that keeps every turn: sessions, tools and answers survive a crash.
#[derive(Debug, Parser)]
#[command(name = "turnkit", version, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "\
Examples:
  turnkit chat -p \"What is 12.5% of 840?\"      answer once, then exit
  turnkit chat                                  talk
  turnkit chat --session trip \"And on Sunday?\"  continue a session
  turnkit serve                                 answer HTTP on http://127.0.0.1:8787
  turnkit init                                  write a commented turnkit.toml
  turnkit doctor                                check that all of it works

Without a configuration the offline responder answers: no key, no network.
While a server has the data, commands talk to it.
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

/// The data that a JSON Schema describes.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum SchemaOf {
    /// The configuration
    #[default]
    Configuration,
    /// The events of a native stream, with the views they hold
    Events,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve agents over HTTP
    Serve(Serve),
    /// Chat with an agent, once or at length
    Chat(Chat),
    /// List, show and remove sessions
    Sessions(Sessions),
    /// List, follow, cancel and replay turns
    Turns(Turns),
    /// List and decide the interactions that turns wait for
    Interactions(Interactions),
    /// Report token usage and its cost
    #[command(after_help = usage::EXAMPLES)]
    Usage(Usage),
    /// Create, list and revoke the API keys of a server's clients
    #[command(subcommand)]
    Keys(Keys),
    /// Explain the permissions of tools, and list and revoke grants
    #[command(subcommand)]
    Permissions(Permissions),
    /// List providers, and thaw those that are frozen after a failure
    Providers(Providers),
    /// Use and check MCP servers, whose tools agents use; offer agents as tools to other programs
    #[command(subcommand)]
    Mcp(Mcp),
    /// Check configuration, data, provider and server, and suggest remedies
    Doctor {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a commented turnkit.toml with an example agent
    Init {
        /// The target folder
        #[arg(default_value = ".", value_name = "DIR")]
        directory: PathBuf,
    },
    /// Decode an answer of a provider, or encode a request to one, without contacting it
    #[command(subcommand)]
    Wire(Wires),
    /// Print the OpenAPI document of the server
    Openapi,
    /// Print the JSON Schema of the configuration, or of the events that clients of a server get
    #[command(after_help = "\
Examples:
  turnkit schema > turnkit.schema.json          the keys of turnkit.toml
  turnkit schema events > events.schema.json    the frames of a native stream

Editors with TOML support use the first schema to complete and check turnkit.toml. Put this line at the top of the file:
  #:schema ./turnkit.schema.json
The second schema has one property for each frame, with the frame's name. Generate a client's types from it, such as
TurnView, which describes a turn for display.")]
    Schema {
        /// What the schema describes
        #[arg(value_enum, default_value_t, value_name = "WHAT")]
        of: SchemaOf,
    },
    /// Print a script that completes commands in a shell
    #[command(after_help = "\
Examples:
  bash  turnkit completions bash > ~/.local/share/bash-completion/completions/turnkit
  zsh   turnkit completions zsh > \"${fpath[1]}/_turnkit\"
  fish  turnkit completions fish > ~/.config/fish/completions/turnkit.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Become a program that a tool runs
    #[command(hide = true)]
    Launch(Launch),
    /// Show the version
    Version {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}
