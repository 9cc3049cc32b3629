//! Events as a person, or a program, wants to read them.

use std::io;

use serde_json::{Value, json};
use turnkit_core::{EventKind, PartId, PartKind, RawJson, SessionId, TurnId, TurnStatus, TurnView};

use crate::terminal::{error, line, remark, say, shortened};

/// For whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// A person: text as it comes, tool rounds beside it.
    Text,
    /// A program: one object when the turn is over.
    Json,
}

pub(super) struct Renderer {
    style: Style,
    session: SessionId,
    turn: TurnId,
    /// The parts that are visible text; the others are reasoning and arguments.
    visible: Vec<PartId>,
    /// Whether the last text did not end its line.
    within_line: bool,
    tools: Vec<Value>,
}

impl Renderer {
    pub(super) fn new(style: Style, session: SessionId, turn: TurnId) -> Self {
        Self { style, session, turn, visible: Vec::new(), within_line: false, tools: Vec::new() }
    }

    pub(super) fn show(&mut self, event: &EventKind) -> io::Result<()> {
        match self.style {
            Style::Text => self.text(event),
            Style::Json => self.json(event),
        }
    }

    /// Shows a turn anew, after an interruption.
    pub(super) fn resync(&mut self, view: &TurnView) -> io::Result<()> {
        if self.style == Style::Json {
            return Ok(());
        }
        self.end_line()?;
        for part in view.parts.iter().filter(|part| part.kind == PartKind::Text) {
            self.said(&part.text)?;
        }
        Ok(())
    }

    fn text(&mut self, event: &EventKind) -> io::Result<()> {
        match event {
            EventKind::PartStarted { id, kind: PartKind::Text, .. } => self.visible.push(*id),
            EventKind::PartDelta { id, text } if self.visible.contains(id) => self.said(text)?,
            EventKind::PartEnded { .. } => self.end_line()?,
            EventKind::ToolStarted { name, arguments, .. } => {
                self.end_line()?;
                remark(&format!("· {name} {}", shortened(&arguments.0, 120)));
            }
            EventKind::ToolFinished { ok, content, .. } => {
                self.end_line()?;
                remark(&format!("  {} {}", if *ok { "→" } else { "✗" }, shortened(content, 160)));
            }
            EventKind::Notice { text, .. } => {
                self.end_line()?;
                remark(text);
            }
            EventKind::Retracted { .. } => {
                self.end_line()?;
                remark("the answer is begun again after an interruption");
            }
            EventKind::Error { message, .. } => {
                self.end_line()?;
                error(message);
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

    fn said(&mut self, text: &str) -> io::Result<()> {
        self.within_line = !text.ends_with('\n');
        say(text)
    }

    fn end_line(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.within_line) { say("\n") } else { Ok(()) }
    }

    fn json(&mut self, event: &EventKind) -> io::Result<()> {
        match event {
            EventKind::ToolFinished { name, ok, content, .. } => {
                self.tools.push(json!({ "name": name, "ok": ok, "content": content }));
                Ok(())
            }
            EventKind::TurnEnded { status, text, usage, steps } => {
                let usage = RawJson::of(usage).ok();
                let object = json!({
                    "session_id": self.session,
                    "turn_id": self.turn,
                    "status": status.as_str(),
                    "text": text,
                    "steps": steps,
                    "tools": self.tools,
                    "usage": usage,
                });
                line(&object.to_string())
            }
            EventKind::Error { message, .. } => {
                error(message);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
