//! `turnkit permissions`.

use clap::Subcommand;
use turnkit_core::GrantId;

#[derive(Debug, Subcommand)]
pub(crate) enum Permissions {
    /// Explain the decision about a call of a tool, without running it
    Explain(Explain),
    /// List the grants that you made by approving calls for their session or always, the newest first
    Ls {
        /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
        #[arg(long, value_name = "URL")]
        server: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Only what comes after this one in the list
        #[arg(long, value_name = "ID")]
        after: Option<GrantId>,
    },
    /// Revoke a grant: its calls need approval again, at once
    Revoke {
        /// The grant, as `turnkit permissions ls` shows it
        id: GrantId,
        /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
        #[arg(long, value_name = "URL")]
        server: Option<String>,
    },
}

/// Explain the decision about a call of a tool, without running it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit permissions explain calculator '{\"expression\": \"2+2\"}'
  turnkit permissions explain read_skill '{\"name\": \"deploy\"}' --agent ops --mode plan --json

To explain a call of a tool of an MCP server, such as tickets__close, the server is asked for its tools.
Rules are numbered in the order of the configuration, from 1. docs/permissions.md describes how a rule is chosen.
Grants are ignored; `turnkit permissions ls` lists them.")]
pub(crate) struct Explain {
    /// The name of the tool
    pub(crate) tool: String,

    /// The arguments that a model would pass, as JSON
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,

    /// The agent that would make the call [default: the first agent]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// The mode of the turn, such as plan
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,

    /// Assume that the model was sent untrusted text
    #[arg(long)]
    pub(crate) untrusted: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
