//! The changes that summaries and edits make to a history.

use std::sync::Arc;

use super::{Entry, History, SentMessage};
use crate::pruned::pruned;
use crate::{Edits, Message, Part, Summary};

impl History {
    /// Removes the messages that `summary` leaves out.
    pub(super) fn leave_out(&mut self, summary: &Summary) {
        if !self.prefix.iter().all(|shown| summary.keeps_message(shown.place)) {
            let left = self.prefix.iter().filter(|shown| summary.keeps_message(shown.place)).cloned();
            self.prefix = Arc::new(left.collect());
        }
        self.turn.retain(|shown| summary.keeps_message(shown.place));
        if summary.contexts {
            self.leave_out_contexts();
        }
        self.look_through();
    }

    /// Replaces the first message of the branch, if it is sent, with a copy without contexts.
    fn leave_out_contexts(&mut self) {
        let has_some = |shown: &SentMessage| shown.place == 0 && shown.entry.message().contexts().next().is_some();
        let first = match self.prefix.first() {
            Some(first) if has_some(first) => Arc::make_mut(&mut self.prefix).first_mut(),
            Some(_) => None,
            None => self.turn.first_mut().filter(|first| has_some(first)),
        };
        if let Some(first) = first {
            let message = first.entry.message();
            let parts = message.parts.iter().filter(|part| !matches!(part, Part::Context(_))).cloned().collect();
            first.entry = Entry::new(Message { parts, ..*message });
        }
    }

    /// Replaces the messages that hold the results named by `edits`. Messages that are no longer sent stay out.
    pub(super) fn edit(&mut self, edits: &Edits) {
        for results in edits.blank.chunk_by(|one, next| one.place == next.place) {
            let Some(place) = results.first().map(|result| result.place) else { continue };
            let is_there = |shown: &SentMessage| shown.place.cmp(&place);
            let shown = match self.prefix.binary_search_by(is_there) {
                Ok(at) => Arc::make_mut(&mut self.prefix).get_mut(at),
                Err(_) => self.turn.binary_search_by(is_there).ok().and_then(|at| self.turn.get_mut(at)),
            };
            if let Some(shown) = shown {
                shown.entry = Entry::new(pruned(shown.entry.message(), results));
            }
        }
    }
}
