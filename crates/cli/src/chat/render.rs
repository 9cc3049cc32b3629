//! Output of events, for people or for programs.

use std::collections::HashMap;
use std::io;

use turnkit_core::{
    Denial, EventKind, GrantScope, InteractionRequest, InteractionResolution, Part, PartId, PartKind, SessionId,
    ToolProgress, TurnEvent, TurnId, TurnStatus, WaitId, WaitKind,
};

use super::summary::Summary;
use crate::terminal::{
    arguments_of, call_text, clear_status, error, line, print_text, remark, request_lines, revealed, shortened, status,
};

/// The largest number of characters of a progress report. It must fit on one line of the terminal.
const PROGRESS_CHARS: usize = 72;

/// The largest number of characters of arguments next to a decision.
const DECIDED_CHARS: usize = 60;

/// The style of the output, by its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// A person: text as it arrives, with tool rounds next to it.
    Text,
    /// A program: one object when the turn has ended.
    Json,
}

pub(crate) struct Renderer {
    style: Style,
    turn: TurnId,
    /// The interactions that were shown and whose decision was not.
    asked: HashMap<WaitId, Asked>,
    /// The interaction that was shown last, unless other output followed.
    last_asked: Option<WaitId>,
    /// The parts that are visible text. All other parts are reasoning and arguments.
    visible: Vec<PartId>,
    /// Whether the last text did not end its line.
    within_line: bool,
    /// Whether the last line shows the progress of a call.
    has_status: bool,
    /// The turn so far, for a program.
    summary: Summary,
}

/// An interaction that was shown.
struct Asked {
    /// The name of the tool.
    name: String,
    /// The call, for a decision that is not shown directly below it.
    call: String,
}

impl Renderer {
    pub(crate) fn new(style: Style, session: SessionId, turn: TurnId) -> Self {
        let (asked, visible, summary) = (HashMap::new(), Vec::new(), Summary::new(session, turn));
        Self { style, turn, asked, last_asked: None, visible, within_line: false, has_status: false, summary }
    }

    pub(crate) fn show(&mut self, event: &TurnEvent) -> io::Result<()> {
        match self.style {
            Style::Text => self.text(&event.kind),
            Style::Json => self.json(event),
        }
    }

    /// Shows an event of a sub-agent's turn: a decision about an interaction that was shown. Programs follow the
    /// sub-agent's turn themselves.
    pub(crate) fn show_of_child(&mut self, event: &TurnEvent) -> io::Result<()> {
        match self.style {
            Style::Text => self.text(&event.kind),
            Style::Json => Ok(()),
        }
    }

    /// Shows an interaction, and the sub-agent that asks for it.
    pub(crate) fn ask(&mut self, agent: Option<&str>, request: &InteractionRequest) -> io::Result<()> {
        if self.style == Style::Json {
            return Ok(());
        }
        self.end_line()?;
        if let Some(agent) = agent {
            remark(&format!("the sub-agent {agent} asks:"));
        }
        let (name, call) = (request.name.clone(), revealed(&call_text(request, DECIDED_CHARS)));
        self.asked.insert(request.id, Asked { name, call });
        let is_short = request.preview.is_some() || request.kind == WaitKind::Child;
        let arguments = arguments_of(&request.arguments.0, is_short);
        remark(&revealed(&format!("? {} {arguments}: {}", request.name, request.reason)));
        request_lines(request).iter().for_each(|line| remark(&revealed(&format!("  {line}"))));
        self.last_asked = Some(request.id);
        Ok(())
    }

    /// Shows the decision about an interaction that was shown, once. The call is named unless the decision is directly
    /// below it.
    pub(crate) fn decision(&mut self, id: WaitId, decision: &InteractionResolution) -> io::Result<()> {
        let Some(Asked { name, call }) = self.asked.remove(&id) else { return Ok(()) };
        let call = if self.last_asked == Some(id) { String::new() } else { format!("{call}: ") };
        let decided = match decision.by {
            Some(Denial::Cancelled) => "cancelled",
            Some(Denial::Expired) => "expired",
            Some(Denial::Superseded) => "superseded",
            Some(Denial::Person | Denial::Headless) | None => decision.decision.as_str(),
        };
        let granted = decision.grant.map(|grant| self.granted(id, &name, grant)).unwrap_or_default();
        let answer = decision.answer.as_ref().map(|answer| answer.to_string());
        let text = decision.note.as_deref().or(answer.as_deref()).or(decision.content.as_deref());
        let text = text.map(|text| format!(": {}", shortened(text, 160)));
        self.end_line()?;
        remark(&format!("  {call}{decided}{granted}{}", text.unwrap_or_default()));
        Ok(())
    }

    /// Shows the progress that a running call has reported.
    pub(crate) fn progress(&mut self, progress: &ToolProgress) -> io::Result<()> {
        if self.style == Style::Text {
            self.end_line()?;
            self.has_status = true;
            status(&format!("  … {}", shortened(&progress.text, PROGRESS_CHARS)));
        }
        Ok(())
    }

    /// Restarts the output, because the turn continues after an interruption and all of its events are repeated.
    pub(crate) fn restart(&mut self) -> io::Result<()> {
        self.end_line()?;
        if self.style == Style::Text {
            remark("the turn continued after an interruption; here it is from its start");
        }
        self.visible.clear();
        self.summary.restart();
        Ok(())
    }

    /// Shows that the connection to the server broke.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        self.end_line()?;
        remark("the connection to the server broke; waiting for it");
        Ok(())
    }

    /// Ends the current line of text, so that other output can follow.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        self.last_asked = None;
        if std::mem::take(&mut self.has_status) {
            clear_status();
        }
        if std::mem::take(&mut self.within_line) { print_text("\n") } else { Ok(()) }
    }

    fn text(&mut self, event: &EventKind) -> io::Result<()> {
        match event {
            EventKind::PartStarted { id, kind: PartKind::Text, .. } => self.visible.push(*id),
            EventKind::PartDelta { id, text } if self.visible.contains(id) => self.show_text(text)?,
            EventKind::PartEnded { .. } => self.end_line()?,
            EventKind::ToolStarted { name, arguments, .. } => {
                self.end_line()?;
                remark(&format!("· {name} {}", shortened(&arguments.0, 120)));
            }
            EventKind::InteractionRequested { request } => self.ask(None, request)?,
            EventKind::InteractionResolved { id, decision } => self.decision(*id, decision)?,
            EventKind::ToolFinished { ok, content, .. } => {
                self.end_line()?;
                remark(&format!("  {} {}", if *ok { "→" } else { "✗" }, shortened(content, 160)));
            }
            EventKind::Steered { input, .. } => {
                self.end_line()?;
                let text: String = input.iter().filter_map(Part::as_text).collect();
                remark(&revealed(&format!("> {}", shortened(&text, 400))));
            }
            EventKind::Notice { text, .. } => {
                self.end_line()?;
                remark(text);
            }
            EventKind::Compacted { messages, tokens_before, tokens_after: Some(tokens_after), .. } => {
                self.end_line()?;
                remark(&format!(
                    "a summary of about {tokens_after} tokens takes the place of {messages} earlier messages with \
                     {tokens_before}; the session keeps them"
                ));
            }
            EventKind::Retracted { .. } => {
                self.end_line()?;
                remark("the answer starts again after an interruption");
            }
            EventKind::Error { message, .. } => {
                self.end_line()?;
                error(message);
            }
            EventKind::TurnEnded { steered_into: Some(into), .. } => {
                self.end_line()?;
                remark(&format!(
                    "the message became part of turn {into}: `turnkit turns tail {into}` shows the answer"
                ));
            }
            EventKind::TurnEnded { status, .. } => {
                self.end_line()?;
                if !matches!(status, TurnStatus::Completed | TurnStatus::Failed) {
                    remark(&format!("the turn ended: {}", status.as_str()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Describes the later calls of this tool that an approval covers.
    fn granted(&self, id: WaitId, name: &str, grant: GrantScope) -> String {
        match grant {
            GrantScope::Session if id.call.turn == self.turn => {
                format!(", also for later calls of {name} in this session")
            }
            GrantScope::Session => format!(", also for later calls of {name} in the session of the sub-agent"),
            GrantScope::Always => {
                format!(", also for later calls of {name} with the same subject, in all your sessions")
            }
        }
    }

    fn show_text(&mut self, text: &str) -> io::Result<()> {
        self.last_asked = None;
        self.within_line = !text.ends_with('\n');
        print_text(text)
    }

    fn json(&mut self, event: &TurnEvent) -> io::Result<()> {
        if let EventKind::Error { message, .. } = &event.kind {
            error(message);
        }
        self.summary.take(event).map_or(Ok(()), |object| line(&object.to_string()))
    }
}
