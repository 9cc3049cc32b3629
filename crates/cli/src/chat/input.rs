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
            Ok(line) if line.trim().is_empty() => interrupted = false,
            Ok(line) if matches!(line.trim(), "/quit" | "/exit") => return Ok(Line::Leave),
            Ok(line) => {
                // A line too long for the history can still be said.
                let _ = editor.add_history_entry(&line);
                return Ok(Line::Said(line));
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
