//! The transcript a model is sent: shared, never cloned, encoded once.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{Message, Part, Str};

/// Names the form an entry was encoded in: a wire and, where the form depends on it, the vendor it is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WireId(pub Str);

/// A message and, once a wire has encoded it, its encoded form.
#[derive(Debug)]
pub struct Entry {
    message: Message,
    encoded: OnceLock<(WireId, Box<[u8]>)>,
}

impl Entry {
    /// An entry not yet encoded.
    pub fn new(message: Message) -> Arc<Self> {
        Arc::new(Self { message, encoded: OnceLock::new() })
    }

    /// The message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Gives `write` the encoded form for `wire`, made by `encode` at most once per entry. An entry remembers one wire;
    /// for another it is encoded anew each time.
    pub fn encoded(&self, wire: &WireId, encode: impl Fn(&Message) -> Vec<u8>, write: impl FnOnce(&[u8])) {
        let (known, bytes) = self.encoded.get_or_init(|| (wire.clone(), encode(&self.message).into()));
        if known == wire {
            write(bytes);
        } else {
            write(&encode(&self.message));
        }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.message == other.message
    }
}

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.message.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self { message: Message::deserialize(deserializer)?, encoded: OnceLock::new() })
    }
}

/// What came before, and the messages of the turn so far. Cloning shares everything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct History {
    prefix: Arc<Vec<Arc<Entry>>>,
    turn: Vec<Arc<Entry>>,
    has_calls: bool,
}

impl History {
    /// A history of `messages`, none of them the current turn's.
    pub fn of(messages: impl IntoIterator<Item = Message>) -> Self {
        let entries: Vec<_> = messages.into_iter().map(Entry::new).collect();
        let has_calls = entries.iter().any(|entry| entry.message().is_of_calls());
        Self { prefix: Arc::new(entries), turn: Vec::new(), has_calls }
    }

    /// The same messages, some of them in another form: `change` gives it, or `None` where the entry is shared.
    #[must_use]
    pub fn with(&self, change: impl Fn(&Message) -> Option<Message>) -> Self {
        let changed = |entry: &Arc<Entry>| change(entry.message()).map_or_else(|| Arc::clone(entry), Entry::new);
        let prefix: Vec<_> = self.prefix.iter().map(changed).collect();
        let turn: Vec<_> = self.turn.iter().map(changed).collect();
        let has_calls = prefix.iter().chain(&turn).any(|entry| entry.message().is_of_calls());
        Self { prefix: Arc::new(prefix), turn, has_calls }
    }

    /// Adds a message of the current turn.
    pub fn push(&mut self, entry: Arc<Entry>) {
        self.has_calls |= entry.message().is_of_calls();
        self.turn.push(entry);
    }

    /// Closes the turn: its messages become part of what came before. Costs only the turn's length while no request
    /// shares the prefix.
    pub fn end_turn(&mut self) {
        Arc::make_mut(&mut self.prefix).append(&mut self.turn);
    }

    /// Takes the messages from number `first` on for the current turn's again, after a session was read from JSON.
    pub fn reopen_turn(&mut self, first: usize) {
        if self.turn.is_empty() && first < self.prefix.len() {
            self.turn = Arc::make_mut(&mut self.prefix).split_off(first);
        }
    }

    /// All entries, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.prefix.iter().chain(&self.turn)
    }

    /// The entries of the current turn.
    pub fn turn(&self) -> &[Arc<Entry>] {
        &self.turn
    }

    /// How many bytes of text, arguments and results it holds.
    pub fn text_bytes(&self) -> usize {
        self.iter().flat_map(|entry| &entry.message().parts).map(Part::text_bytes).sum()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.prefix.len() + self.turn.len()
    }

    /// Reports whether any message holds tool calls or their results.
    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

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
