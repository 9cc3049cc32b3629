//! `turnkit chat`.

use std::path::PathBuf;

use turnkit_core::SamplingParams;

use crate::config::ParamsConfig;

/// Chat with an agent.
///
/// Answers go to standard output, everything else to standard error. Ctrl-C cancels the running turn; twice leaves the
/// chat.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  turnkit chat -p \"What day is it?\"                    answer once
  git diff | turnkit chat -p \"Review this:\"            with piped input
  turnkit chat --params '{\"temperature\": 0}' -p Hi     with settings of its own
  turnkit chat -p --file report.pdf \"Sum it up\"        with a file
  turnkit chat --session trip                          talk, in a session of that name
  turnkit chat --json \"2 + 2?\" | jq -r .text           for a program
  TURNKIT_API_KEY=tk_… turnkit chat --server https://chat.example.com")]
pub(crate) struct Chat {
    /// The message; piped input is appended to it. Without a message, a terminal prompts for it
    pub(crate) prompt: Option<String>,

    /// Answer once, then exit. Calls that need approval are denied; --yes runs them
    #[arg(short, long)]
    pub(crate) print: bool,

    /// Continue this session: its id, or a name of your choice, which is created if it is new
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,

    /// Chat with this agent [default: the session's, else the first one configured]
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,

    /// Settings of the model calls, as in `params` of an agent: temperature, max_tokens, thinking, stop
    #[arg(long, value_name = "JSON", value_parser = sampling_params, default_value = "{}", hide_default_value = true)]
    pub(crate) params: SamplingParams,

    /// Answer in this mode: general, plan, build, explore or one of the agent's own [default: the session's]
    #[arg(long, value_name = "NAME")]
    pub(crate) mode: Option<String>,

    /// Answer without tools; the model is not sent earlier calls and results either
    #[arg(long)]
    pub(crate) no_tools: bool,

    /// Run calls that need approval without asking; denied calls still do not run
    #[arg(long)]
    pub(crate) yes: bool,

    /// Send this file along with the first message: UTF-8 text or a PDF; can be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Vec<PathBuf>,

    /// Send this picture along with the first message: PNG, JPEG, GIF or WebP; can be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) image: Vec<PathBuf>,

    /// Show the model the names of the files in this folder, which must be in a folder of `files.roots`; a relative
    /// path starts there
    #[arg(long, value_name = "PATH")]
    pub(crate) tree: Option<String>,

    /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,

    /// Answer once, as one JSON object; calls that need approval are treated as with -p
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses parameters of model calls, with the same bounds as those of an agent.
fn sampling_params(json: &str) -> Result<SamplingParams, String> {
    let config: ParamsConfig = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let params = SamplingParams::from(&config);
    params.check().map_err(|invalid| invalid.to_string())?;
    Ok(params)
}
