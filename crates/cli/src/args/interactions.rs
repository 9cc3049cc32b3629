//! `turnkit interactions`.

use clap::{ArgGroup, Subcommand, ValueEnum};
use serde_json::{Map, Value};
use turnkit_core::{Arguments, GrantScope, KnownOutcome, Resolution, WaitId};

use crate::failure::Failure;

/// The longest note, in bytes. Servers have the same limit.
pub(crate) const NOTE_BYTES: usize = 4096;

#[derive(Debug, clap::Args)]
pub(crate) struct Interactions {
    /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
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
  turnkit interactions resolve ID --approve --session                also later calls of the tool in the session
  turnkit interactions resolve ID --approve --always                 also later calls with the same subject, in all sessions
  turnkit interactions resolve ID --deny --note \"ask Bob first\"      the call does not run; the model reads the note
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
    /// Let later calls of the tool with the same subject run too, in all your sessions
    #[arg(long, conflicts_with_all = ["deny", "outcome", "answer", "result", "error"])]
    always: bool,
    /// Run it with these arguments: a JSON object
    #[arg(long, value_name = "JSON", conflicts_with_all = ["deny", "outcome", "answer", "result", "error"])]
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
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["answer", "result", "error"])]
    note: Option<String>,
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Outcome {
    /// Run the call again: it had no effect, or may take effect twice
    Retry,
    /// The call took effect
    Done,
    /// The call had no effect, and is not repeated
    Failed,
}

impl Decide {
    /// Returns the decision.
    ///
    /// # Errors
    /// A server would not accept the value of an option. The error names the option, and does not repeat the value.
    pub(crate) fn resolution(&self) -> Result<Resolution, Failure> {
        if let Some(answer) = &self.answer {
            return Ok(Resolution::Answered { answer: read_answer(answer) });
        }
        if let Some(content) = self.result.as_ref().or(self.error.as_ref()) {
            return Ok(Resolution::returned(self.error.is_none(), content));
        }
        let note = self.note()?;
        let outcome = match self.outcome {
            Some(Outcome::Retry) => KnownOutcome::Retry,
            Some(Outcome::Done) => KnownOutcome::Done,
            Some(Outcome::Failed) => KnownOutcome::Failed,
            None if self.approve => {
                return Ok(Resolution::Approved { arguments: self.arguments()?, note, grant: self.grant() });
            }
            None => return Ok(Resolution::denied(note)),
        };
        Ok(Resolution::Outcome { outcome, note })
    }

    fn note(&self) -> Result<Option<String>, Failure> {
        let Some(note) = &self.note else { return Ok(None) };
        if note.len() > NOTE_BYTES {
            return Err(Failure::Usage(format!("--note: must be at most {NOTE_BYTES} bytes")));
        }
        // A blank note counts as none.
        Ok(Some(note.clone()).filter(|note| !note.trim().is_empty()))
    }

    fn arguments(&self) -> Result<Option<Arguments>, Failure> {
        let Some(json) = &self.arguments else { return Ok(None) };
        let read = serde_json::from_str::<Map<String, Value>>(json);
        read.map_err(|error| {
            // An error about the kind of the value would repeat the value.
            let place = if error.is_data() { String::new() } else { format!(": {error}") };
            Failure::Usage(format!("--arguments: not a JSON object{place}"))
        })?;
        Ok(Some(Arguments(json.clone())))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a denial, or an approval with these arguments.
    fn decide(arguments: Option<&str>, note: Option<String>) -> Decide {
        Decide {
            id: "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0".parse().unwrap(),
            approve: arguments.is_some(),
            session: false,
            always: false,
            arguments: arguments.map(str::to_owned),
            deny: arguments.is_none(),
            outcome: None,
            answer: None,
            result: None,
            error: None,
            note,
        }
    }

    #[test]
    fn a_blank_note_is_no_note() {
        for (text, expected) in [(None, None), (Some(""), None), (Some(" \n"), None), (Some(" a "), Some(" a "))] {
            let resolution = decide(None, text.map(str::to_owned)).resolution().unwrap();
            assert_eq!(resolution, Resolution::denied(expected.map(str::to_owned)), "{text:?}");
        }
    }

    #[test]
    fn the_error_of_a_value_names_its_option_and_does_not_repeat_the_value() {
        let long = "x".repeat(NOTE_BYTES + 1);
        for (arguments, note, says) in [
            (Some("nojson"), None, "--arguments: not a JSON object: expected ident at line 1 column 2"),
            (Some("[7]"), None, "--arguments: not a JSON object"),
            (Some("\"secret\""), None, "--arguments: not a JSON object"),
            (None, Some(long), "--note: must be at most 4096 bytes"),
        ] {
            let refused = decide(arguments, note).resolution().unwrap_err().to_string();
            assert_eq!(refused, says);
        }
    }
}
