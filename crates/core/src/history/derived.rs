//! Histories that are made from another one. Unchanged entries are shared.

use std::sync::Arc;

use super::{Entry, History, SentMessage};
use crate::Message;
use crate::call_order::{is_late, merged};
use crate::without_calls::{Kept, WithoutCalls};

impl History {
    /// Returns the history with each message replaced for which `change` returns another one. All other entries are
    /// shared. The summary is never passed to `change`.
    #[must_use]
    pub fn with(&self, change: impl Fn(&Message) -> Option<Message>) -> Self {
        let changed = |shown: &SentMessage| match change(shown.entry.message()) {
            Some(message) => SentMessage { place: shown.place, entry: Entry::new(message) },
            None => shown.clone(),
        };
        let prefix = Arc::new(self.prefix.iter().map(changed).collect());
        let turn = self.turn.iter().map(changed).collect();
        let mut history =
            Self { branch_len: self.branch_len, head: self.head.clone(), prefix, turn, ..Self::default() };
        history.look_through();
        history
    }

    /// Returns the history before the message at index `place` of the branch: the summary and the messages that precede
    /// it. All entries are shared.
    #[must_use]
    pub fn before(&self, place: u32) -> Self {
        let before = self.shown().filter(|shown| shown.place < place).cloned().collect();
        let mut history =
            Self { branch_len: place, head: self.head.clone(), prefix: Arc::new(before), ..Self::default() };
        history.look_through();
        history
    }

    /// Returns the history for a request without tools: it has no calls and no results. The text beside calls is merged
    /// into the next answer of the same turn. In a running turn, which has no such answer yet, that text is left out.
    /// All other entries are shared.
    #[must_use]
    pub fn without_calls(&self) -> Self {
        let (mut before, mut without) = (Vec::new(), WithoutCalls::default());
        for shown in self.shown() {
            let mut keep = |place, message| before.push(SentMessage { place, entry: Entry::new(message) });
            match without.next(shown.place, shown.entry.message()) {
                Kept::Nothing => continue,
                Kept::Continued(message) => {
                    keep(shown.place, message);
                    continue;
                }
                Kept::Preceded(place, message) => keep(place, message),
                Kept::Same => {}
            }
            before.push(shown.clone());
        }
        let first = self.turn.first().map_or(u32::MAX, |shown| shown.place);
        let turn = before.split_off(before.partition_point(|shown| shown.place < first));
        let (head, anchor) = (self.head.clone(), self.anchor.clone());
        let mut history =
            Self { branch_len: self.branch_len, head, prefix: Arc::new(before), turn, anchor, ..Self::default() };
        history.look_through();
        history
    }

    /// Returns the history with results in the order of their calls, as requests send them. Messages that are already
    /// in order are shared.
    #[must_use]
    pub fn in_call_order(&self) -> Self {
        let (head, prefix) = (self.head.clone(), Arc::new(in_call_order(&self.prefix)));
        let turn = in_call_order(&self.turn);
        Self { head, prefix, turn, has_late_results: false, anchor: self.anchor.clone(), ..*self }
    }
}

/// Merges consecutive messages of results that are out of order, and sorts the results by their calls.
fn in_call_order(messages: &[SentMessage]) -> Vec<SentMessage> {
    let mut ordered: Vec<SentMessage> = Vec::new();
    for shown in messages {
        match ordered.last_mut().filter(|before| is_late(before.entry.message(), shown.entry.message())) {
            Some(before) => before.entry = Entry::new(merged(before.entry.message(), shown.entry.message())),
            None => ordered.push(shown.clone()),
        }
    }
    ordered
}
