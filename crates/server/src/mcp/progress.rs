//! Reports of the progress of a call.

use serde_json::{Value, json};
use turnkit_core::{EventKind, Part, ToolProgress, TurnEvent};

use super::excerpt::excerpt;
use super::response;

/// The longest text of a report, in characters.
const TEXT_CHARS: usize = 2_000;

/// Writes the reports of one call. Their numbers grow, as the protocol demands; the total is not known.
pub(super) struct ProgressReports {
    token: Value,
    sent: u32,
}

impl ProgressReports {
    /// Creates the reports for a client that sent this token.
    pub(super) fn new(token: Value) -> Self {
        Self { token, sent: 0 }
    }

    /// Returns the report of an event, if a client is interested in it.
    pub(super) fn of_event(&mut self, event: &TurnEvent) -> Option<Value> {
        let text = match &event.kind {
            EventKind::StepStarted { step, .. } => format!("step {step}"),
            EventKind::PartEnded { part: Part::Text(part), .. } if !part.text.trim().is_empty() => {
                excerpt(&part.text, TEXT_CHARS)
            }
            EventKind::ToolStarted { name, .. } => format!("{name} runs"),
            EventKind::ToolFinished { name, ok: true, .. } => format!("{name} is done"),
            EventKind::ToolFinished { name, ok: false, .. } => format!("{name} failed"),
            _ => return None,
        };
        Some(self.report(&text))
    }

    /// Returns the report of a running tool.
    pub(super) fn of_tool(&mut self, progress: &ToolProgress) -> Value {
        self.report(&progress.text)
    }

    fn report(&mut self, text: &str) -> Value {
        self.sent = self.sent.saturating_add(1);
        let params = json!({ "progressToken": self.token, "progress": self.sent, "message": text });
        response::notification("notifications/progress", &params)
    }
}
