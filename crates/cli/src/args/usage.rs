//! `turnkit usage`.

use turnkit_core::Day;

/// The help of `turnkit usage`, after its options.
pub(crate) const EXAMPLES: &str = "\
Examples:
  turnkit usage                                  the last 30 days, day by day
  turnkit usage --by agent,model                 usage of each agent and model
  turnkit usage --by user                        usage of each user
  turnkit usage --from 2026-01-01 --to 2026-01-31 --json

With the data here, or the server that runs on it, this is about all users; with --server about the user whose key
TURNKIT_API_KEY is. Calls are counted when they end and stay counted when their session is removed. Calls of
models without prices are counted as such: `[[providers.models_detail]]` in turnkit.toml sets the prices of a model.";

#[derive(Debug, clap::Args)]
pub(crate) struct Usage {
    /// The first day, in UTC [default: 29 days before the last]
    #[arg(long, value_name = "DAY")]
    pub(crate) from: Option<Day>,

    /// The last day, in UTC [default: today]
    #[arg(long, value_name = "DAY")]
    pub(crate) to: Option<Day>,

    /// The grouping of the lines: day, user, agent, provider, model, with commas between them
    #[arg(long, value_name = "WHAT", default_value = "day")]
    pub(crate) by: String,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Ask this server instead of the data here; TURNKIT_API_KEY is the key it asks for
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
}
