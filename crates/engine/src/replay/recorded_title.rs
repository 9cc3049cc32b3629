//! The recorded outcome of a turn that was to write a title.

use turnkit_core::ports::CompactionCalls;
use turnkit_core::{EventKind, TurnEvent, TurnKind};

use crate::machine::{TITLE_FAILED, TITLED};

/// The outcome of a title.
#[derive(Clone)]
pub(super) struct RecordedTitle {
    /// The text of the model, or the reason why there is none.
    pub(super) answer: Result<Option<String>, String>,
    pub(super) calls: Option<CompactionCalls>,
    /// Whether the model call ended.
    pub(super) is_done: bool,
}

impl RecordedTitle {
    /// Returns the outcome from the events of a turn. Returns `None` if the turn had another purpose.
    pub(super) fn from_events(stored: &[TurnEvent]) -> Option<Self> {
        let EventKind::TurnStarted { kind: TurnKind::Title, .. } = &stored.first()?.kind else { return None };
        let (mut asked, mut title) = (None, Self { answer: Ok(None), calls: None, is_done: false });
        for event in stored {
            match &event.kind {
                EventKind::StepStarted { provider, model, .. } => asked = Some((provider.clone(), model.clone())),
                EventKind::StepEnded { usage, .. } => {
                    let usage = usage.clone();
                    title.calls = asked.take().map(|(provider, model)| CompactionCalls { provider, model, usage });
                }
                EventKind::Notice { code, text } if code == TITLED => {
                    (title.answer, title.is_done) = (Ok(Some(text.clone())), true);
                }
                EventKind::Notice { code, text } if code == TITLE_FAILED => {
                    let why = text.split_once(": ").map_or(text.as_str(), |(_, why)| why);
                    (title.answer, title.is_done) = (Err(why.to_owned()), true);
                }
                _ => {}
            }
        }
        Some(title)
    }
}
