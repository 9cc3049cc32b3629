//! `turnkit providers`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Providers {
    /// List providers: what they are doing, and why they are left alone
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Ask a provider for one word; if it answers, what was held against it is forgotten
    #[command(after_help = "\
Examples:
  turnkit providers thaw main  after its key was mended or its account was filled")]
    Thaw {
        /// The provider's id, as `turnkit providers ls` shows it
        provider: String,
    },
}
