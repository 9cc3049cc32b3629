//! The chore that follows a turn.

use std::sync::Arc;

use turnkit_core::{Entry, Role, TurnKind, TurnLog};

use super::{Driver, Environment};

impl<E: Environment> Driver<'_, E> {
    /// Returns the chore that is due in the session before its next turn, if the turn answered a message.
    pub(super) fn next_chore(&self) -> Option<TurnKind> {
        // Sessions of sub-agents have no chores.
        if self.depth > 0 || self.store.is_none() || !self.live.read(TurnLog::kind).is_message() {
            return None;
        }
        if self.settings.context.titles && self.has_first_answer() {
            return Some(TurnKind::Title);
        }
        self.is_nearly_full().then_some(TurnKind::Compact)
    }

    /// Reports whether the session has no answers other than those of this turn.
    fn has_first_answer(&self) -> bool {
        let history = &self.session.history;
        let is_answer = |entry: &Entry| entry.message().role == Role::Assistant && !entry.message().is_notices_only();
        let Some((index, first)) = history.shown().enumerate().find(|(_, shown)| is_answer(&shown.entry)) else {
            return false;
        };
        // The place of a shown message differs from its index if earlier messages are left out.
        let is_first = usize::try_from(first.place) == Ok(index);
        is_first && history.turn().find(|entry| is_answer(entry)).is_some_and(|entry| Arc::ptr_eq(entry, &first.entry))
    }
}
