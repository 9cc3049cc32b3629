//! Lines from the user, with editing and a history. A separate thread reads them, because reading blocks.

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use tokio::sync::mpsc;

use crate::failure::Failure;
use crate::terminal::remark;

/// A line that the user entered.
pub(super) enum Line {
    /// A message.
    Message(String),
    /// The command that lists the commands.
    Help,
    /// The command that undoes the last message.
    Undo,
    /// The command that answers the last message again.
    Retry,
    /// The command that shows the ends of the branches.
    Branches,
    /// The command that continues the turn with this number.
    Switch(u32),
    /// The command that summarises the earlier messages.
    Compact,
    /// The command that ends the conversation.
    Leave,
}

/// The result of a prompt.
pub(super) enum Input {
    /// A line.
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D.
    End,
}

/// The prompt for a message.
const MESSAGE: &str = "> ";

/// A prompt that is shown on request.
pub(super) struct Prompt {
    ask: mpsc::Sender<Request>,
    answers: mpsc::Receiver<Result<Input, String>>,
    state: PromptState,
}

/// A request to show a prompt.
pub(super) struct Request {
    text: String,
    initial: String,
    discards: bool,
}

impl Request {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), initial: String::new(), discards: false }
    }

    /// Sets an initial text that the person edits.
    pub(super) fn changing(self, initial: &str) -> Self {
        Self { initial: initial.to_owned(), ..self }
    }

    /// Marks the prompt as one for a decision. Input typed before the prompt is shown cannot be meant as an answer, so
    /// it is discarded.
    pub(super) fn discarding(self) -> Self {
        Self { discards: true, ..self }
    }
}

/// The prompt that the terminal shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PromptState {
    Nothing,
    /// A prompt whose line is returned.
    Prompt,
    /// A prompt whose line is discarded.
    Withdrawn,
}

impl Prompt {
    pub(super) fn open() -> Result<Self, Failure> {
        let failed = |error: String| Failure::Failed(format!("cannot read from the terminal: {error}"));
        let mut editor = DefaultEditor::new().map_err(|error| failed(error.to_string()))?;
        let (ask, mut asked) = mpsc::channel::<Request>(1);
        let (answer, answers) = mpsc::channel(1);
        let read = move || {
            while let Some(request) = asked.blocking_recv() {
                let entered = if request.discards { read_decision(&request) } else { read_line(&mut editor, &request) };
                if answer.blocking_send(entered).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().name("prompt".to_owned()).spawn(read).map_err(|error| failed(error.to_string()))?;
        Ok(Self { ask, answers, state: PromptState::Nothing })
    }

    /// Asks for the next line that is not blank.
    pub(super) async fn ask(&mut self) -> Result<Line, Failure> {
        let mut interrupted = false;
        loop {
            match self.enter(Request::new(MESSAGE)).await? {
                Input::Text(line) => match read(line) {
                    Some(entered) => return Ok(entered),
                    None => interrupted = false,
                },
                Input::Interrupted if !interrupted => {
                    interrupted = true;
                    remark("a second Ctrl-C leaves");
                }
                Input::Interrupted | Input::End => return Ok(Line::Leave),
            }
        }
    }

    /// Waits until no withdrawn prompt is shown. Text that was entered there is reported as not sent. Reports whether
    /// the person pressed Ctrl-C there. This method is cancel safe.
    pub(super) async fn settle(&mut self) -> Result<bool, Failure> {
        if self.state != PromptState::Withdrawn {
            return Ok(false);
        }
        let entered = self.entered().await?;
        if let Input::Text(line) = &entered
            && !line.trim().is_empty()
        {
            remark(&format!("not sent, because the question was withdrawn: {line}"));
        }
        Ok(matches!(entered, Input::Interrupted))
    }

    /// Shows a prompt and waits for the input. If the future is dropped, the next call waits for the same prompt.
    /// Unless a withdrawn prompt is shown, the prompt is requested before the first wait.
    pub(super) async fn enter(&mut self, request: Request) -> Result<Input, Failure> {
        self.settle().await?;
        if self.state == PromptState::Nothing {
            // The channel is empty: the thread took the last request before it answered.
            self.ask.try_send(request).map_err(|_| gone())?;
            self.state = PromptState::Prompt;
        }
        self.entered().await
    }

    /// Waits for the input of the prompt that is shown.
    async fn entered(&mut self) -> Result<Input, Failure> {
        let entered = self.answers.recv().await.ok_or_else(gone)?;
        self.state = PromptState::Nothing;
        entered.map_err(Failure::Failed)
    }

    /// Discards the input of the prompt that is shown. Returns `false` if no prompt is shown.
    pub(super) fn withdraw(&mut self) -> bool {
        let is_shown = self.state == PromptState::Prompt;
        if is_shown {
            self.state = PromptState::Withdrawn;
        }
        is_shown
    }
}

fn gone() -> Failure {
    Failure::Failed("the terminal was closed".to_owned())
}

/// Reads a decision. Discards earlier input, which the terminal or the editor for messages may hold.
fn read_decision(request: &Request) -> Result<Input, String> {
    #[cfg(unix)]
    {
        // If standard input is not a terminal, nothing was typed.
        let _ = rustix::termios::tcflush(std::io::stdin(), rustix::termios::QueueSelector::IFlush);
    }
    let mut editor = DefaultEditor::new().map_err(|error| format!("cannot read from the terminal: {error}"))?;
    read_line(&mut editor, request)
}

fn read_line(editor: &mut DefaultEditor, request: &Request) -> Result<Input, String> {
    match editor.readline_with_initial(&request.text, (&request.initial, "")) {
        Ok(line) => {
            if request.text == MESSAGE && matches!(read(line.clone()), Some(Line::Message(_))) {
                // A line that is too long for the history can still be sent.
                let _ = editor.add_history_entry(&line);
            }
            Ok(Input::Text(line))
        }
        Err(ReadlineError::Interrupted) => Ok(Input::Interrupted),
        Err(ReadlineError::Eof) => Ok(Input::End),
        Err(error) => Err(format!("cannot read from the terminal: {error}")),
    }
}

/// Parses a line. Returns `None` for a blank one.
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
            _ => Some(Line::Message(line)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, read};

    #[test]
    fn commands_are_not_sent_to_the_model() {
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
                Some(Line::Message(message)) => message,
            };
            assert_eq!(found, expected, "{line:?}");
        }
    }
}
