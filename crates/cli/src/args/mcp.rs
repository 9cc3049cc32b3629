//! `turnkit mcp`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Mcp {
    /// List the configured servers, without starting them
    ///
    /// Each line has the name of a server, its program or its address, how far it is trusted, and the agents that list
    /// its tools. Arguments of programs, headers and queries of addresses may be secrets, so they are not shown.
    #[command(after_help = "\
Example:
  turnkit mcp ls
    tickets  https://tickets.example.com/mcp  trust annotations  agents support
    files  mcp-server-filesystem  trust none  deferred  no agent lists files__*")]
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List the tools of a server, or of all servers
    ///
    /// Starts the servers. Each line has the name of a tool as agents and rules write it, its flags, and the first line
    /// of its description. Tools that models are not offered follow, with the reason. A server's own statements about
    /// its tools set flags only if `trust` of the server says so.
    #[command(after_help = "\
Examples:
  turnkit mcp tools                  of all servers
  turnkit mcp tools tickets          of one
  turnkit mcp tools tickets --json   with the JSON Schemas of their arguments")]
    Tools {
        /// The server, as `turnkit mcp ls` shows it
        server: Option<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Call a tool of a server
    Call(McpCall),
    /// Connect to each server, and report what works and what to do about the rest
    ///
    /// The exit code is 1 if a server cannot be used.
    #[command(after_help = "\
Examples:
  turnkit mcp doctor
    ok    tickets  2 tools, protocol 2025-11-25, ticketing 1.4.0
    fail  files    cannot start `mcp-server-filesystem`: …; start the program in a terminal, …
  turnkit mcp doctor --timeout 120   for a program that is downloaded at its first start")]
    Doctor {
        /// The time limit of each server, in seconds
        #[arg(long, value_name = "SECONDS", default_value_t = 30)]
        #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
        timeout: u64,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Print servers that another program uses as lines for turnkit.toml
    ///
    /// Reads the object `mcpServers`, in which other programs configure servers, and writes nothing. Values that look
    /// like secrets become ${NAME}, which turnkit replaces with a variable of its environment. Warnings name what
    /// cannot be taken over.
    #[command(after_help = "\
Example:
  turnkit mcp import ~/mcp.json >> turnkit.toml
An agent has the tools of a server once its `tools` list them, such as \"tickets__*\".")]
    Import {
        /// The JSON file
        file: PathBuf,
    },
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

/// Call a tool of a server
///
/// You make the call yourself, so no permission is asked and no rule is read. Prints the text of the result; an error
/// of the tool goes to standard error, with exit code 1. Ctrl-C cancels the call, which may have taken effect by then.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit mcp call tickets find '{\"status\": \"open\"}'
  turnkit mcp call tickets find --json                   with structured data, if the result has any
  turnkit mcp call charts draw --save pictures           with its images as files
  echo '{\"id\": 7}' | turnkit mcp call tickets close -    arguments from standard input")]
pub(crate) struct McpCall {
    /// The server, as `turnkit mcp ls` shows it
    pub(crate) server: String,

    /// The tool, with or without the name of the server before it
    pub(crate) tool: String,

    /// The arguments, a JSON object; - reads them from standard input
    #[arg(default_value = "{}")]
    pub(crate) arguments: String,

    /// Write the images of the result into this folder, under names that are free
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save: Option<PathBuf>,

    /// As JSON, with structured data
    #[arg(long)]
    pub(crate) json: bool,
}
