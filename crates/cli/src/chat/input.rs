//! Lines from a person, with editing and a history, on a thread of their own: the terminal blocks.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::terminal::remark;

/// What a person entered.
pub(super) enum Line {
    /// Something to say.
    Said(String),
    /// The wish to know what can be entered.
    Help,
    /// The command that undoes the last message.
    Undo,
    /// The command that answers the last message again.
    Retry,
    /// The wish to see the ends of the branches.
    Branches,
    /// The command that continues the turn with this number.
    Switch(u32),
    /// The command that has the earlier messages summarised.
    Compact,
    /// The wish to leave.
    Leave,
}

/// A prompt that is shown when asked for.
pub(super) struct Prompt {
    ask: mpsc::Sender<()>,
    answers: mpsc::Receiver<Result<Line, String>>,
}

impl Prompt {
    pub(super) fn open() -> Result<Self, Failure> {
        let failed = |error: String| Failure::Failed(format!("cannot read from the terminal: {error}"));
        let mut editor = DefaultEditor::new().map_err(|error| failed(error.to_string()))?;
        let (ask, mut asked) = mpsc::channel(1);
        let (answer, answers) = mpsc::channel(1);
        let read = move || {
            while asked.blocking_recv().is_some() {
                if answer.blocking_send(read_line(&mut editor)).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("prompt".to_owned()).spawn(read).map_err(|error| failed(error.to_string()))?;
        Ok(Self { ask, answers })
    }

    /// Asks for the next line that says something.
    pub(super) async fn ask(&mut self) -> Result<Line, Failure> {
        let gone = || Failure::Failed("the terminal is gone".to_owned());
        self.ask.send(()).await.map_err(|_| gone())?;
        self.answers.recv().await.ok_or_else(gone)?.map_err(Failure::Failed)
    }
}

fn read_line(editor: &mut DefaultEditor) -> Result<Line, String> {
    let mut interrupted = false;
    loop {
        match editor.readline("> ") {
            Ok(line) => {
                let Some(entered) = read(line) else {
                    interrupted = false;
                    continue;
                };
                if let Line::Said(message) = &entered {
                    // A line too long for the history can still be said.
                    let _ = editor.add_history_entry(message);
                }
                return Ok(entered);
            }
            Err(ReadlineError::Interrupted) if !interrupted => {
                interrupted = true;
                remark("once more leaves");
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(Line::Leave),
            Err(error) => return Err(format!("cannot read from the terminal: {error}")),
        }
    }
}

/// What a line means; `None` for one that says nothing.
fn read(line: String) -> Option<Line> {
    match line.trim() {
        "" => None,
        "/quit" | "/exit" => Some(Line::Leave),
        "/help" | "/?" => Some(Line::Help),
        "/undo" => Some(Line::Undo),
        "/retry" => Some(Line::Retry),
        "/compact" => Some(Line::Compact),
        "/branches" => Some(Line::Branches),
        entered => match entered.strip_prefix("/switch ").map(|number| number.trim().parse()) {
            Some(Ok(number)) => Some(Line::Switch(number)),
            _ => Some(Line::Said(line)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, read};

    #[test]
    fn commands_are_not_said_to_the_model() {
        for (line, expected) in [
            ("/help", "help"),
            (" /? ", "help"),
            ("/quit", "leave"),
            ("/exit", "leave"),
            ("/undo", "undo"),
            (" /retry", "retry"),
            ("/retry harder", "/retry harder"),
            ("/branches", "branches"),
            (" /switch  3 ", "switch to 3"),
            ("/switch sides", "/switch sides"),
            ("/switch", "/switch"),
            ("/compact", "compact"),
            ("", "nothing"),
            ("  ", "nothing"),
            ("/help me", "/help me"),
            ("What is /help?", "What is /help?"),
        ] {
            let found = match read(line.to_owned()) {
                None => "nothing".to_owned(),
                Some(Line::Help) => "help".to_owned(),
                Some(Line::Undo) => "undo".to_owned(),
                Some(Line::Retry) => "retry".to_owned(),
                Some(Line::Branches) => "branches".to_owned(),
                Some(Line::Switch(number)) => format!("switch to {number}"),
                Some(Line::Compact) => "compact".to_owned(),
                Some(Line::Leave) => "leave".to_owned(),
                Some(Line::Said(message)) => message,
            };
            assert_eq!(found, expected, "{line:?}");
        }
    }
}
