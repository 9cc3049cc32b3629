//! `turnkit providers`.

use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct Providers {
    /// Use the server at this URL instead of the local one; TURNKIT_API_KEY holds its key
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,

    #[command(subcommand)]
    pub(crate) command: ProvidersCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProvidersCommand {
    /// List providers with their state, and the reason if one is frozen; with a user's key, only what a route may name
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Clear the record of a provider's missing models and capabilities, and send it a one-word request; if it answers,
    /// its freeze ends
    #[command(after_help = "\
Examples:
  turnkit providers thaw main  after its key was mended or its account was filled")]
    Thaw {
        /// The provider's id, as `turnkit providers ls` shows it
        provider: String,
    },
}
