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
    /// Forget what a provider was found to lack, and ask it for one word; if it answers, it is asked again
    #[command(after_help = "\
Examples:
  turnkit providers thaw main  after its key was mended or its account was filled")]
    Thaw {
        /// The provider's id, as `turnkit providers ls` shows it
        provider: String,
    },
}
