//! `turnkit interactions`.

use clap::{ArgGroup, Subcommand, ValueEnum};
use serde_json::Value;
use turnkit_core::{Arguments, GrantScope, KnownOutcome, Resolution, WaitId};

/// The longest note, in bytes. Servers have the same limit.
const NOTE_BYTES: usize = 4096;

#[derive(Debug, clap::Args)]
pub(crate) struct Interactions {
    /// Ask this server instead of the data here; TURNKIT_API_KEY is the key it asks for
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,

    #[command(subcommand)]
    pub(crate) command: InteractionsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum InteractionsCommand {
    /// List the interactions that turns wait for, the oldest turn first
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Include interactions that are decided already
        #[arg(long)]
        all: bool,
        /// Only interactions of this session: its id, or your name for it
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Only what comes after this one in the list
        #[arg(long, value_name = "ID")]
        after: Option<WaitId>,
    },
    /// Decide an interaction; the first decision counts
    #[command(after_help = "\
Examples:
  turnkit interactions resolve ID --approve                          the call runs
  turnkit interactions resolve ID --approve --arguments '{\"n\": 1}'   with other arguments
  turnkit interactions resolve ID --approve --session                and later calls of its tool in the session
  turnkit interactions resolve ID --approve --always                 and those with the same effect, in all sessions
  turnkit interactions resolve ID --deny --note \"ask Bob first\"      it does not; the model reads the note
  turnkit interactions resolve ID --outcome done                     a call that a crash interrupted took effect
  turnkit interactions resolve ID --answer '\"blue\"'                 the answer to the question of a tool
  turnkit interactions resolve ID --result \"3 items\"                what a tool of the client returned")]
    Resolve(Decide),
}

#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("choice").required(true).args(["approve", "deny", "outcome", "answer", "result", "error"]))]
pub(crate) struct Decide {
    /// The interaction, as `turnkit interactions ls` shows it
    pub(crate) id: WaitId,
    /// Let the call run
    #[arg(long)]
    approve: bool,
    /// Let later calls of the tool in this session run too
    #[arg(long, conflicts_with_all = ["always", "deny", "outcome", "answer", "result", "error"])]
    session: bool,
    /// Let later calls of the tool with the same subject and effect run too, in all your sessions
    #[arg(long, conflicts_with_all = ["deny", "outcome", "answer", "result", "error"])]
    always: bool,
    /// Run it with these arguments: a JSON object
    #[arg(long, value_name = "JSON", conflicts_with_all = ["deny", "outcome", "answer", "result", "error"], value_parser = object)]
    arguments: Option<String>,
    /// Do not let the call run
    #[arg(long)]
    deny: bool,
    /// The outcome of a call that was running when its process died
    #[arg(long, value_name = "WHAT")]
    outcome: Option<Outcome>,
    /// Answer the question of a tool; anything that is not JSON is taken as text
    #[arg(long, value_name = "JSON")]
    answer: Option<String>,
    /// The result of a tool that the client runs
    #[arg(long, value_name = "TEXT")]
    result: Option<String>,
    /// The reason why a tool that the client runs failed
    #[arg(long, value_name = "TEXT")]
    error: Option<String>,
    /// A note on the decision, which the model reads
    #[arg(long, value_name = "TEXT", value_parser = note, conflicts_with_all = ["answer", "result", "error"])]
    note: Option<String>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Outcome {
    /// It had no effect, or may have it twice: it runs again
    Retry,
    /// It took effect
    Done,
    /// It took no effect, and is not tried again
    Failed,
}

impl Decide {
    /// Returns the decision.
    pub(crate) fn resolution(&self) -> Resolution {
        if let Some(answer) = &self.answer {
            return Resolution::Answered { answer: read_answer(answer) };
        }
        if let Some(content) = self.result.as_ref().or(self.error.as_ref()) {
            return Resolution::returned(self.error.is_none(), content);
        }
        // A blank note counts as none.
        let note = self.note.clone().filter(|note| !note.trim().is_empty());
        let outcome = match self.outcome {
            Some(Outcome::Retry) => KnownOutcome::Retry,
            Some(Outcome::Done) => KnownOutcome::Done,
            Some(Outcome::Failed) => KnownOutcome::Failed,
            None if self.approve => {
                let arguments = self.arguments.clone().map(Arguments);
                return Resolution::Approved { arguments, note, grant: self.grant() };
            }
            None => return Resolution::denied(note),
        };
        Resolution::Outcome { outcome, note }
    }

    /// Returns the scope of the later calls that may run too.
    fn grant(&self) -> Option<GrantScope> {
        let always = self.always.then_some(GrantScope::Always);
        always.or(self.session.then_some(GrantScope::Session))
    }
}

/// Parses an answer. Text need not be quoted.
pub(crate) fn read_answer(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Checks that a server would accept the note.
fn note(text: &str) -> Result<String, String> {
    if text.len() > NOTE_BYTES {
        return Err(format!("must be at most {NOTE_BYTES} bytes"));
    }
    Ok(text.to_owned())
}

/// Checks that arguments are an object.
fn object(json: &str) -> Result<String, String> {
    let read = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(json);
    read.map(|_| json.to_owned()).map_err(|error| format!("must be a JSON object: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_note_is_no_note() {
        for (text, expected) in [(None, None), (Some(""), None), (Some(" \n"), None), (Some(" a "), Some(" a "))] {
            let note = text.map(str::to_owned);
            let id = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0".parse().unwrap();
            let (answer, result, error) = (None, None, None);
            let decide = Decide {
                id,
                approve: false,
                session: false,
                always: false,
                arguments: None,
                deny: true,
                outcome: None,
                answer,
                result,
                error,
                note,
            };
            assert_eq!(decide.resolution(), Resolution::denied(expected.map(str::to_owned)), "{text:?}");
        }
    }
}
