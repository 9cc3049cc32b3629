//! `turnkit serve`.

use crate::config::Listen;

/// Serve agents over HTTP, and a web page to chat with them.
///
/// Prints one line with the URL when ready, which is also that of the page; logs go to standard error. After SIGTERM or
/// Ctrl-C, running turns may finish for a while; unfinished turns continue at the next start. A second signal exits at
/// once.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit serve                          for this machine, on http://127.0.0.1:8787
  turnkit serve --open                   the same, and opens its page in the browser
  turnkit serve --listen 127.0.0.1:0     on a free port
  turnkit keys create laptop && TURNKIT_AUTH__MODE=api_key turnkit serve --listen 0.0.0.0:8787

  curl -N http://127.0.0.1:8787/api/v1/turns -H 'accept: text/event-stream' \\
    -H 'content-type: application/json' -d '{\"message\":\"What is 12.5% of 840?\"}'")]
pub(crate) struct Serve {
    /// Address and port to listen on [default: the configured address, else 127.0.0.1:8787]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<Listen>,
    /// Open the server's page in the browser
    #[arg(long)]
    pub(crate) open: bool,
}
