//! `turnkit usage`.

use turnkit_core::Day;

/// The help of `turnkit usage`, after its options.
pub(crate) const EXAMPLES: &str = "\
Examples:
  turnkit usage                                  the last 30 days, day by day
  turnkit usage --by agent,model                 usage of each agent and model
  turnkit usage --by user                        usage of each user
  turnkit usage --from 2026-01-01 --to 2026-01-31 --json

Local data, read directly or through the server that uses it, covers all users. With --server, the report covers the
user of the key in TURNKIT_API_KEY, or all users if it is the operator's key. Calls are counted when they end and stay
counted when their session is removed. Calls of models without prices are counted as such:
`[[providers.models_detail]]` in turnkit.toml sets the prices of a model.";

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

    /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
}
