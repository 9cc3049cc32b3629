//! Sending fewer messages than the session has.

use turnkit_core::{Message, TurnLog};

use super::{Driver, Environment};
use crate::context::truncation;
use crate::machine::Input;

/// The code of the notice that the model is no longer sent the oldest messages.
pub(crate) const HISTORY_TRUNCATED: &str = "history_truncated";

impl<E: Environment> Driver<'_, E> {
    /// Returns the input that leaves out the oldest messages, if the next request would have more than the agent allows.
    pub(super) fn truncated(&self) -> Option<Input> {
        let most = self.settings.context.max_messages;
        let history = &self.session.history;
        let summary = truncation(history, most)?;
        let left_out = history.shown().filter(|shown| !summary.leaves(shown.place)).count();
        let sent = history.shown().count();
        let text = format!(
            "the oldest {left_out} of {sent} messages are no longer sent to the model, because context.max_messages is {most}"
        );
        tracing::info!(turn = %self.live.read(TurnLog::turn), left_out, sent, "history truncated");
        Some(Input::ViewChanged { change: Message::of_summary(summary), code: HISTORY_TRUNCATED.to_owned(), text })
    }
}
