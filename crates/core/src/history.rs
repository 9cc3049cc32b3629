//! The messages of a branch as a model is sent them: shared, never cloned, encoded once.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::call_order::{is_late, merged};
use crate::pruned::pruned;
use crate::without_calls::{Kept, WithoutCalls};
use crate::{Edits, Message, Part, Str, Summary};

/// The id of an encoding: a wire and, if the encoding depends on it, the vendor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WireId(pub Str);

/// A message and, once a wire has encoded it, its cached encoding.
#[derive(Debug)]
pub struct Entry {
    message: Message,
    encoded: OnceLock<(WireId, Box<[u8]>)>,
    tokens: OnceLock<u64>,
}

impl Entry {
    /// Creates an entry without a cached encoding.
    pub fn new(message: Message) -> Arc<Self> {
        Arc::new(Self::of(message))
    }

    fn of(message: Message) -> Self {
        Self { message, encoded: OnceLock::new(), tokens: OnceLock::new() }
    }

    /// Returns the message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Passes the encoding for `wire` to `write`. An entry caches the encoding of one wire, created by `encode` at most
    /// once; for any other wire, `encode` is called each time.
    pub fn encoded(&self, wire: &WireId, encode: impl Fn(&Message) -> Vec<u8>, write: impl FnOnce(&[u8])) {
        let (known, bytes) = self.encoded.get_or_init(|| (wire.clone(), encode(&self.message).into()));
        if known == wire {
            write(bytes);
        } else {
            write(&encode(&self.message));
        }
    }

    /// Returns the size in tokens, estimated by `estimate` at most once per entry.
    pub fn tokens(&self, estimate: impl FnOnce(&Message) -> u64) -> u64 {
        *self.tokens.get_or_init(|| estimate(&self.message))
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
        Message::deserialize(deserializer).map(Self::of)
    }
}

/// The messages of a branch as a model is sent them. The newest [`Summary`] leaves out earlier messages, and [`Edits`]
/// leave out contents of tool results. Cloning shares all messages.
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

/// The size of a request as the provider counted it. Only the messages after that request have to be estimated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The number of messages in the branch at that time. Messages from this index on are not counted.
    #[serde(rename = "said")]
    pub branch_len: u32,
    /// The number of input tokens, including instructions and tools.
    pub tokens: u64,
    /// The estimated tokens of the instructions and tools.
    #[serde(rename = "besides")]
    pub overhead: u64,
    /// The model that answered the request.
    pub model: Arc<str>,
    /// Whether contents have been left out since then. Their estimated size was subtracted from `tokens`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_reduced: bool,
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

    fn leave_out(&mut self, summary: &Summary) {
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
    fn edit(&mut self, edits: &Edits) {
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

    /// Sets the provider's token count for the request that was made with the history as it is now. `overhead` is the
    /// estimated size of its instructions and tools, in tokens. The next summary or edits remove the anchor.
    pub fn set_anchor(&mut self, tokens: u64, overhead: u64, model: Arc<str>) {
        self.anchor = Some(Anchor { branch_len: self.branch_len, tokens, overhead, model, is_reduced: false });
    }

    /// Restores an anchor that edits have just removed. The request would now be about `saved` tokens smaller.
    pub fn keep_anchor(&mut self, anchor: Anchor, saved: u64) {
        self.anchor = Some(Anchor { tokens: anchor.tokens.saturating_sub(saved), is_reduced: true, ..anchor });
    }

    /// Restores the anchor that was stored with the last of these messages, or removes it if none was stored.
    pub fn restore_anchor(&mut self, anchor: Option<Anchor>) {
        self.anchor = anchor.filter(|anchor| anchor.branch_len <= self.branch_len);
    }

    /// Returns the size of the last request whose messages are all still sent unchanged, if a provider counted one.
    pub fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallUid, Image, Role, ToolResult, TurnId};

    #[test]
    fn without_calls_the_messages_of_the_turn_stay_in_the_turn() {
        let results = || Message::new(Role::Tool, Vec::new());
        let mut history = History::of([Message::user("1 + 2"), results(), Message::user("Sure?")]);
        history.push(Entry::new(Message::user("Well?")));
        history.push(Entry::new(results()));
        history.set_anchor(90, 0, "small".into());
        let without = history.without_calls();
        assert_eq!((without.len(), without.turn().count(), without.branch_len()), (3, 1, history.branch_len()));
        assert_eq!((without.has_calls(), without.anchor()), (false, history.anchor()));
    }

    #[test]
    fn files_of_messages_that_are_left_out_or_changed_are_not_named_any_more() {
        let image = Image::new("image/png", "blob:00000000-0000-0000-0000-000000000007");
        let image = Message::new(Role::User, vec![Part::Image(image)]);
        let mut history = History::of([image, Message::user("Thanks.")]);
        assert!(history.has_blobs());
        assert!(!history.with(|_| Some(Message::user("It was an image."))).has_blobs());
        let summary = Summary { covers: 1, ..Summary::default() };
        history.push(Entry::new(Message::of_summary(summary)));
        assert!(!history.has_blobs());
    }

    fn results(ordinals: &[u16]) -> Message {
        let result = |ordinal: &u16| {
            let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: *ordinal };
            let (name, content) = ("look".to_owned(), ordinal.to_string());
            Part::ToolResult(ToolResult {
                uid,
                name,
                ok: true,
                content,
                data: None,
                error: None,
                truncated: false,
                kept: None,
                images: Vec::new(),
                outside: false,
            })
        };
        Message::new(Role::Tool, ordinals.iter().map(result).collect())
    }

    #[test]
    fn late_results_are_sent_in_the_order_of_their_calls() {
        for (written, sent) in [
            (vec![vec![0, 1]], vec![vec![0, 1]]),
            (vec![vec![0], vec![1]], vec![vec![0], vec![1]]),
            (vec![vec![1, 2], vec![0]], vec![vec![0, 1, 2]]),
            (vec![vec![1, 3], vec![2], vec![0], vec![4]], vec![vec![0, 1, 2, 3], vec![4]]),
        ] {
            let history = History::of(written.iter().map(|ordinals| results(ordinals)));
            assert_eq!(history.has_late_results(), written.len() > sent.len());
            let sent = History::of(sent.iter().map(|ordinals| results(ordinals)));
            assert_eq!(history.in_call_order(), sent, "{written:?}");
        }
    }
}
