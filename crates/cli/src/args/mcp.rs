//! `turnkit mcp`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Mcp {
    /// Offer agents as tools to the program that starts this one, over standard input and output
    ///
    /// The program sends a line for each message, and reads one for each. Logs go to standard error. While it runs, no
    /// other process can use the data: if a server has the data, give the program the address of the server instead,
    /// with /mcp at the end.
    #[command(after_help = "\
Examples:
  turnkit mcp serve                             with the agents of ./turnkit.toml
  turnkit mcp serve --config /etc/turnkit.toml  with those of another file

As other programs write it in their configuration:
  {\"mcpServers\": {\"turnkit\": {\"command\": \"turnkit\", \"args\": [\"mcp\", \"serve\"]}}}")]
    Serve,
}
