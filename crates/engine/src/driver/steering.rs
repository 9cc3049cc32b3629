//! Taking messages for the running turn from the queue of its session.

use turnkit_core::{Role, StoreError, TurnId, TurnLog};

use super::environment::Environment;
use super::{Driver, Exit};
use crate::machine::Input;

impl<E: Environment> Driver<'_, E> {
    /// Reports whether messages may be queued that the model can read in the next step. An answer that its provider
    /// paused is continued first: it must be the last message of that request.
    pub(super) fn may_take_messages(&self) -> bool {
        self.environment.is_steered(self.is_steered) && !self.ends_with_answer()
    }

    /// Takes the messages queued for the turn. Returns `None` if there are none any more.
    pub(super) async fn steering(&mut self) -> Result<Option<Input>, Exit> {
        self.is_steered = false;
        match self.environment.steering().await {
            Ok(messages) if messages.is_empty() => Ok(None),
            Ok(messages) => {
                let first = self.live.read(|log| u32::try_from(log.messages().len()).unwrap_or(u32::MAX));
                Ok(Some(Input::Steered { messages, first }))
            }
            Err(StoreError::Fenced) => Err(Exit::Fenced),
            Err(error) => Err(Exit::Unsaved(error)),
        }
    }

    /// Reports that the turns whose messages are part of this one have ended, at the time of its last event.
    pub(super) fn end_steered(&self, turns: &[TurnId]) {
        if turns.is_empty() {
            return;
        }
        self.failpoints.hit("steering.moved");
        self.environment.end_steered(turns, self.live.read(TurnLog::last_at).unwrap_or_default());
    }

    fn ends_with_answer(&self) -> bool {
        self.session.history.turn().next_back().is_some_and(|entry| entry.message().role == Role::Assistant)
    }
}
