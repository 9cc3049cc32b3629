//! The messages of a branch as a model is sent them: shared, never cloned, encoded once.

mod anchor;
mod changes;
mod derived;
mod entry;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::call_order::is_late;
use crate::{Message, Part, Summary};

pub use anchor::Anchor;
pub use entry::{Entry, WireId};

/// The messages of a branch as a model is sent them. The newest [`Summary`] leaves out earlier messages, and
/// [`Edits`](crate::Edits) leave out contents of tool results. Cloning shares all messages.
///
/// The history is determined by the branch's messages and their order. A process gets the same history whether it kept
/// it across turns, read the whole branch, or read only the messages that the newest summary keeps.
///
/// ```
/// use turnkit_core::{History, Message, Summary};
///
/// let summary = Message::of_summary(Summary { text: "They met.".to_owned(), covers: 1, ..Summary::default() });
/// let history = History::of([Message::user("hello"), Message::user("how are you?"), summary]);
/// let parts: Vec<_> = history.iter().flat_map(|entry| &entry.message().parts).collect();
/// assert_eq!((history.branch_len(), parts.len()), (3, 2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct History {
    branch_len: u32,
    head: Option<Arc<Entry>>,
    prefix: Arc<Vec<SentMessage>>,
    turn: Vec<SentMessage>,
    has_calls: bool,
    has_blobs: bool,
    has_late_results: bool,
    has_kept_results: bool,
    anchor: Option<Anchor>,
}

/// A message that models are sent.
#[derive(Debug, Clone)]
pub struct SentMessage {
    /// The index of the message in the branch, from 0.
    pub place: u32,
    /// The message.
    pub entry: Arc<Entry>,
}

impl History {
    /// Creates a history of all messages of a branch. None of them belongs to the current turn.
    pub fn of(messages: impl IntoIterator<Item = Message>) -> Self {
        Self::of_places((0..).zip(messages))
    }

    /// Creates a history of the messages of a branch with their indices, in order. Messages that the newest summary
    /// leaves out may be missing.
    pub fn of_places(messages: impl IntoIterator<Item = (u32, Message)>) -> Self {
        let mut history = Self::default();
        for (place, message) in messages {
            history.branch_len = place;
            history.push(Entry::new(message));
        }
        history.end_turn();
        history
    }

    /// Adds the next message of the current turn. A summary replaces the messages that it leaves out, and any earlier
    /// summary. Edits replace the messages that hold the edited results.
    pub fn push(&mut self, entry: Arc<Entry>) {
        let place = self.branch_len;
        self.branch_len = place.saturating_add(1);
        if let Some(summary) = entry.message().summary() {
            self.leave_out(summary);
            self.anchor = None;
            self.head = Some(entry).filter(|entry| entry.message().parts.iter().any(|part| part.text_bytes() > 0));
        } else if let Some(edits) = entry.message().edits() {
            self.edit(edits);
            self.anchor = None;
        } else {
            self.has_calls |= entry.message().has_calls_or_results();
            self.has_blobs |= entry.message().has_blobs();
            self.has_kept_results |= entry.message().kept_results().next().is_some();
            let before = self.turn.last().map(|shown| shown.entry.message());
            self.has_late_results |= before.is_some_and(|before| is_late(before, entry.message()));
            self.turn.push(SentMessage { place, entry });
        }
    }

    /// Recomputes the flags after messages were left out or changed.
    fn look_through(&mut self) {
        let any = |has: fn(&Message) -> bool| self.shown().any(|shown| has(shown.entry.message()));
        let has_kept_results = any(|message| message.kept_results().next().is_some());
        (self.has_calls, self.has_blobs) = (any(Message::has_calls_or_results), any(Message::has_blobs));
        self.has_kept_results = has_kept_results;
        self.has_late_results = self.finds_late_results();
    }

    fn finds_late_results(&self) -> bool {
        let mut pairs = self.shown().zip(self.shown().skip(1));
        pairs.any(|(before, shown)| is_late(before.entry.message(), shown.entry.message()))
    }

    /// Ends the turn and appends its messages to the prefix. The cost is linear in the length of the turn if no request
    /// shares the prefix.
    pub fn end_turn(&mut self) {
        Arc::make_mut(&mut self.prefix).append(&mut self.turn);
    }

    /// Moves the messages from index `first` on back to the current turn. Used after a session was read from JSON.
    pub fn reopen_turn(&mut self, first: u32) {
        let before = self.prefix.partition_point(|shown| shown.place < first);
        if self.turn.is_empty() && before < self.prefix.len() {
            self.turn = Arc::make_mut(&mut self.prefix).split_off(before);
        }
    }

    /// Returns all entries to send: the summary, if it has a text, then the messages, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.head.iter().chain(self.shown().map(|shown| &shown.entry))
    }

    /// Returns the messages to send, oldest first, without the summary.
    pub fn shown(&self) -> impl DoubleEndedIterator<Item = &SentMessage> {
        self.prefix.iter().chain(&self.turn)
    }

    /// Returns the newest summary, if it has a text.
    pub fn summary(&self) -> Option<&Summary> {
        self.head.as_ref()?.message().summary()
    }

    /// Returns the entries of the current turn.
    pub fn turn(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.turn.iter().map(|shown| &shown.entry)
    }

    /// Returns the number of bytes of text, arguments and results in the history.
    pub fn text_bytes(&self) -> usize {
        self.iter().flat_map(|entry| &entry.message().parts).map(Part::text_bytes).sum()
    }

    /// Returns the number of messages in the branch, including summaries, the messages that they leave out, and edits.
    pub fn branch_len(&self) -> u32 {
        self.branch_len
    }

    /// Returns the number of messages to send.
    pub fn len(&self) -> usize {
        usize::from(self.head.is_some()) + self.prefix.len() + self.turn.len()
    }

    /// Returns `true` if a message to send holds tool calls or their results.
    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// Returns `true` if the result of a call follows the results of later calls.
    pub fn has_late_results(&self) -> bool {
        self.has_late_results
    }

    /// Returns `true` if a message to send refers to uploaded files.
    pub fn has_blobs(&self) -> bool {
        self.has_blobs
    }

    /// Returns `true` if a result to send was shortened and its full content is kept in a file.
    pub fn has_kept_results(&self) -> bool {
        self.has_kept_results
    }

    /// Returns `true` if there is no message to send.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Two histories are equal if they send the same messages.
impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// The JSON form is the list of messages to send.
impl Serialize for History {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|entry| entry.message()))
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::of(Vec::<Message>::deserialize(deserializer)?))
    }
}
