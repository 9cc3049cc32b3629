//! The outcome of a turn.

use std::sync::Arc;

use turnkit_core::{Entry, ErrorScope, EventKind, Role, TurnStatus, Usage};
use turnkit_engine::RunEvent;

use crate::{Answer, Error};

/// Derives the outcome of a turn from its events.
#[derive(Default)]
pub(crate) struct End {
    /// The last error with a scope other than a tool call.
    error: Option<Error>,
    status: Option<TurnStatus>,
    text: String,
    final_text: Option<String>,
    usage: Usage,
}

impl End {
    pub(crate) fn watch(&mut self, event: &RunEvent) {
        let RunEvent::Event(event) = event else { return };
        match &event.kind {
            EventKind::Error { code, message, retryable, scope: ErrorScope::Provider, .. } => {
                let (code, message) = (code.clone(), message.clone());
                self.error = Some(Error::Provider { code, message, retryable: *retryable });
            }
            EventKind::Error { message, scope: ErrorScope::Turn, .. } => {
                self.error = Some(Error::Ended { status: TurnStatus::Failed, reason: message.clone() });
            }
            EventKind::TurnEnded { status, text, final_text, usage, .. } => {
                self.status = Some(*status);
                (self.text, self.final_text) = (text.clone(), final_text.clone());
                self.usage = Usage::clone(usage);
            }
            _ => {}
        }
    }

    /// Returns the answer with the messages of the turn, starting at the question.
    ///
    /// # Errors
    /// The turn has no complete answer.
    pub(crate) fn into_answer(self, messages: impl IntoIterator<Item = Arc<Entry>>) -> Result<Answer, Error> {
        let unexplained = || "the turn reported no reason".to_owned();
        match (self.status, self.error) {
            (Some(TurnStatus::Completed), _) => {}
            (Some(TurnStatus::Failed), Some(error)) => return Err(error),
            (Some(status), Some(Error::Ended { reason, .. })) => return Err(Error::Ended { status, reason }),
            (Some(status), error) => {
                let reason = error.map_or_else(unexplained, |error| error.to_string());
                return Err(Error::Ended { status, reason });
            }
            (None, _) => return Err(Error::Ended { status: TurnStatus::Failed, reason: unexplained() }),
        }
        let messages = messages.into_iter().skip_while(|entry| entry.message().role != Role::User).collect();
        Ok(Answer { text: self.text, final_text: self.final_text, usage: self.usage, messages })
    }
}
