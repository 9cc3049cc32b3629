//! `turnkit permissions`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Permissions {
    /// Say what would become of a call of a tool, and why, without running it
    Explain(Explain),
}

/// Say what would become of a call of a tool, and why, without running it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit permissions explain calculator '{\"expression\": \"2+2\"}'
  turnkit permissions explain read_skill '{\"name\": \"deploy\"}' --agent ops --mode plan --json

Rules are numbered in the order of the configuration, from 1. docs/permissions.md says how one of them is chosen.")]
pub(crate) struct Explain {
    /// The name of the tool
    pub(crate) tool: String,

    /// What a model would pass, as JSON
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,

    /// Whose call it would be [default: the first agent]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// The mode of the turn, such as plan
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,

    /// The model was sent text from outside before
    #[arg(long)]
    pub(crate) untrusted: bool,

    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
