//! `turnkit providers`.

use clap::Subcommand;

#[derive(Debug, clap::Args)]
pub(crate) struct Providers {
    /// Ask this server instead of the one here; TURNKIT_API_KEY is the key it asks for
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
    /// Forget which capabilities a provider was found to lack, and send it a one-word request; if it answers, it is
    /// used again
    #[command(after_help = "\
Examples:
  turnkit providers thaw main  after its key was mended or its account was filled")]
    Thaw {
        /// The provider's id, as `turnkit providers ls` shows it
        provider: String,
    },
}
