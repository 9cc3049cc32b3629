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
    /// List providers: what they are doing, and why they are left alone; with a user's key what a route may name
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Forget what a provider was found to lack, and ask it for one word; if it answers, it is asked again
    #[command(after_help = "\
Examples:
  turnkit providers thaw main  after its key was mended or its account was filled")]
    Thaw {
        /// The provider's id, as `turnkit providers ls` shows it
        provider: String,
    },
}
