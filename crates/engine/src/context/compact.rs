//! Chooses the messages that a summary replaces, and checks that the summary is small enough.

use turnkit_core::{Entry, History, Message, Part, Role, SentMessage, Summary};

use super::tokens;
use super::truncate::{begins_turn, is_boundary, is_of};

/// The largest size of a summary, in percent of the messages it replaces.
const MAX_PERCENT: u64 = 70;

/// The minimum estimated tokens of context parts worth summarising. A summary of fewer would hardly be smaller.
const MIN_CONTEXTS: u64 = 500;

/// The place at which a history is cut: a summary replaces the messages before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CompactionCut {
    /// The place of the first message that stays.
    covers: u32,
    /// The place of the message that began the newest turn, if the cut lies after it. That message stays too.
    keeps: Option<u32>,
    /// Whether the summary also replaces the context parts of the first message of the branch.
    contexts: bool,
    /// The number of messages that the summary replaces, not counting an earlier summary.
    pub(crate) messages: u32,
    /// The estimated tokens of these messages and of the earlier summary.
    pub(crate) tokens: u64,
}

impl CompactionCut {
    /// Returns the cut that leaves at least `keep` messages and as few more as possible. If no cut leaves that many,
    /// returns the one that leaves the most.
    ///
    /// The cut is at a message that begins a turn or, within the newest turn, at an answer after a whole round of tools
    /// or at a message that the user sent while the turn ran. The message that began the newest turn always stays.
    /// Returns `None` if there is no such place, or if the history has system messages of a client, which must be sent
    /// unchanged.
    pub(crate) fn keeping(history: &History, keep: usize) -> Option<Self> {
        Self::within(history, keep, u64::MAX)
    }

    /// Returns the cut of [`keeping`](Self::keeping) if the remaining messages have at most `most` estimated tokens.
    /// Otherwise returns the first later cut that satisfies the limit, or else the last cut.
    pub(super) fn within(history: &History, keep: usize, most: u64) -> Option<Self> {
        let shown: Vec<&SentMessage> =
            history.shown().filter(|shown| !shown.entry.message().is_notices_only()).collect();
        if shown.iter().any(|shown| is_of(shown, Role::System)) {
            return None;
        }
        let asked = shown.iter().rposition(|shown| begins_turn(shown))?;
        let left_after = |cut: usize| shown.len() - cut + usize::from(cut > asked);
        let boundaries: Vec<usize> =
            (1..shown.len()).filter(|cut| is_boundary(&shown, asked, *cut) && left_after(*cut) < shown.len()).collect();
        let keeps_enough = boundaries.iter().rposition(|cut| left_after(*cut) >= keep).unwrap_or(0);
        let left_tokens = |cut: usize| -> u64 {
            let before = shown.iter().take(cut).enumerate().filter(|(at, _)| *at == asked).map(|(_, shown)| shown);
            before.chain(shown.iter().skip(cut)).map(|shown| tokens::of_entry(&shown.entry)).sum()
        };
        let later = boundaries.get(keeps_enough..)?;
        let cut = *later.iter().find(|cut| most == u64::MAX || left_tokens(**cut) <= most).or(later.last())?;
        let keeps = (cut > asked).then_some(shown[asked].place);
        let covered = shown.iter().take(cut).filter(|shown| keeps != Some(shown.place));
        let summary = history.summary().map_or(0, |earlier| tokens::of_text(&earlier.text));
        Some(Self {
            covers: shown[cut].place,
            keeps,
            contexts: history.summary().is_some_and(|earlier| earlier.contexts),
            messages: u32::try_from(covered.clone().count()).unwrap_or(u32::MAX),
            tokens: summary + covered.map(|shown| tokens::of_entry(&shown.entry)).sum::<u64>(),
        })
    }

    /// Returns the cut that keeps all messages but removes the context parts of the first one. Returns `None` if these
    /// are small or absent, or if the session has other messages.
    pub(crate) fn of_contexts(history: &History) -> Option<Self> {
        let first = history.shown().next().filter(|_| history.branch_len() == 1)?.entry.message();
        let tokens = first.contexts().map(tokens::of_part).sum();
        (tokens >= MIN_CONTEXTS).then_some(Self { covers: 0, keeps: None, contexts: true, messages: 1, tokens })
    }

    /// Returns the cut that leaves the same messages as `summary`, a summary without text.
    pub(super) fn leaving(history: &History, summary: &Summary) -> Self {
        let covered = history.shown().filter(|shown| !summary.keeps_message(shown.place)).map(|shown| &shown.entry);
        let covered = covered.filter(|entry| !entry.message().is_notices_only());
        let (messages, tokens) =
            covered.fold((0, 0), |(messages, tokens), entry| (messages + 1, tokens + tokens::of_entry(entry)));
        let earlier = history.summary().map_or(0, |earlier| tokens::of_text(&earlier.text));
        let contexts = history.summary().is_some_and(|earlier| earlier.contexts);
        Self { covers: summary.covers, keeps: summary.keeps, contexts, messages, tokens: earlier + tokens }
    }

    /// Returns the cut of a recorded compaction. Without a summary, the places are unknown and set to 0.
    pub(crate) fn recorded(summary: Option<&Summary>, messages: u32, tokens: u64) -> Self {
        let (covers, keeps) = summary.map_or((0, None), |summary| (summary.covers, summary.keeps));
        Self { covers, keeps, contexts: summary.is_some_and(|summary| summary.contexts), messages, tokens }
    }

    /// Returns the messages to summarise: an earlier summary, then the messages before the cut, then the context parts
    /// that are removed from the first message.
    pub(crate) fn covered(&self, history: &History) -> History {
        let mut covered = history.before(self.covers);
        let first = history.shown().next().filter(|first| self.contexts && self.covers == 0 && first.place == 0);
        let contexts: Vec<Part> = first.iter().flat_map(|first| first.entry.message().contexts()).cloned().collect();
        if !contexts.is_empty() {
            covered.push(Entry::new(Message::new(Role::User, contexts)));
        }
        covered
    }

    /// Returns the message that replaces the messages before the cut with `text`, and the size of `text` in tokens.
    /// `untrusted`: the author of the summary was sent untrusted text.
    ///
    /// # Errors
    /// The text is empty, or too large to be worth it.
    pub(crate) fn summary(&self, text: &str, untrusted: bool) -> Result<(Message, u64), String> {
        let size = Self::check(text, self.tokens)?;
        let Self { covers, keeps, contexts, .. } = *self;
        Ok((Message::of_summary(Summary { text: text.trim().to_owned(), covers, keeps, untrusted, contexts }), size))
    }

    /// Returns the size of a summary that replaces `tokens` tokens.
    ///
    /// # Errors
    /// The text is empty, or too large to be worth it.
    pub(crate) fn check(text: &str, tokens: u64) -> Result<u64, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("the summary is empty".to_owned());
        }
        let size = tokens::of_text(text);
        if size.saturating_mul(100) > tokens.saturating_mul(MAX_PERCENT) {
            return Err(format!("the summary is too large: about {size} tokens in place of {tokens}"));
        }
        Ok(size)
    }

    /// Estimates the tokens of the messages that a summary replaces.
    pub(crate) fn tokens_of(covered: &History) -> u64 {
        covered.iter().map(|entry| tokens::of_entry(entry)).sum()
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Context, Notice};

    use super::*;

    /// Builds a history with one message per letter: `u` from the user, `a` an answer, `c` an answer with calls, `r`
    /// results, `s` from the system, `n` a notice.
    fn history(letters: &str) -> History {
        let said = |letter| "said ".repeat(20) + letter;
        let message = |letter| match letter {
            'u' => Message::user(said("u")),
            'r' => Message::new(Role::Tool, vec![Part::text(said("r"))]),
            's' => Message::new(Role::System, vec![Part::text(said("s"))]),
            'n' => {
                let (code, text) = ("compact".to_owned(), "Summarise.".to_owned());
                Message::new(Role::User, vec![Part::Notice(Notice { code, text, error: false })])
            }
            _ => Message::new(Role::Assistant, vec![Part::text(said("a"))]),
        };
        History::of(letters.chars().map(message))
    }

    #[test]
    fn a_summary_ends_at_a_boundary_and_leaves_the_newest_messages() {
        for (letters, keep, expected) in [
            ("uauan", 2, Some((2, None, 2))),
            ("uauauan", 2, Some((4, None, 4))),
            ("uauauan", 3, Some((2, None, 2))),
            ("uauauan", 10, Some((2, None, 2))),
            ("uacrauan", 2, Some((5, None, 5))),
            // The question of a turn with many rounds is kept.
            ("ucrcrcran", 2, Some((7, Some(0), 6))),
            ("ucrcrcran", 4, Some((5, Some(0), 4))),
            ("uaucrcra", 2, Some((7, Some(2), 6))),
            // A question without an answer.
            ("uaun", 2, Some((2, None, 2))),
            ("uan", 2, None),
            ("un", 2, None),
            ("n", 2, None),
            ("", 2, None),
            ("suauan", 2, None),
        ] {
            let found = CompactionCut::keeping(&history(letters), keep);
            assert_eq!(found.map(|cut| (cut.covers, cut.keeps, cut.messages)), expected, "{letters} {keep}");
        }
    }

    #[test]
    fn a_summary_in_a_turn_leaves_no_more_than_there_is_room_for() {
        let size = tokens::of_entry(&history("u").shown().next().unwrap().entry);
        for (letters, keep, room, expected) in [
            ("uauauau", 4, 5, Some((2, None))),
            ("uauauau", 4, 4, Some((4, None))),
            ("uauauau", 4, 1, Some((6, None))),
            ("uauauau", 4, 0, Some((6, None))),
            // The question counts towards the limit, too.
            ("ucrcrcr", 4, 5, Some((3, Some(0)))),
            ("ucrcrcr", 4, 4, Some((5, Some(0)))),
        ] {
            let found = CompactionCut::within(&history(letters), keep, room * size);
            assert_eq!(found.map(|cut| (cut.covers, cut.keeps)), expected, "{letters} {keep} {room}");
        }
    }

    #[test]
    fn a_summary_that_is_empty_or_hardly_smaller_is_refused() {
        let cut = CompactionCut { covers: 4, keeps: Some(2), contexts: false, messages: 3, tokens: 100 };
        for (text, expected) in [
            ("They met. ", Ok(("They met.", 3))),
            (&"four".repeat(70), Ok((&*"four".repeat(70), 70))),
            (" \n", Err("the summary is empty")),
            (&"four".repeat(71), Err("the summary is too large: about 71 tokens in place of 100")),
        ] {
            let summary = |text: &str| {
                let text = text.to_owned();
                Summary { text, covers: 4, keeps: Some(2), untrusted: true, contexts: false }
            };
            let expected = expected.map(|(text, tokens)| (Message::of_summary(summary(text)), tokens));
            assert_eq!(cut.summary(text, true), expected.map_err(str::to_owned));
        }
    }

    #[test]
    fn the_input_of_a_summary_begins_with_the_earlier_summary_and_counts_it() {
        let mut history = history("uauaua");
        let plain = CompactionCut::keeping(&history, 2).unwrap();
        let earlier = Summary { text: "They met.".to_owned(), covers: 2, ..Summary::default() };
        history.push(Entry::new(Message::of_summary(earlier.clone())));
        let cut = CompactionCut::keeping(&history, 2).unwrap();
        assert_eq!((cut.covers, cut.messages, cut.tokens), (4, 2, plain.tokens / 2 + 3));
        let covered = cut.covered(&history);
        assert_eq!((covered.summary(), covered.shown().count()), (Some(&earlier), 2));
    }

    #[test]
    fn a_summary_of_contexts_leaves_the_first_message_without_them_and_so_do_later_summaries() {
        let first = |words: usize| {
            let context = Context { source: "notes.txt".to_owned(), text: "word ".repeat(words), untrusted: false };
            Message::new(Role::User, vec![Part::Context(context), Part::text("Go on.")])
        };
        for messages in [vec![first(10)], vec![Message::user("Go on.")], vec![first(1_000), first(1_000)], vec![]] {
            assert_eq!(CompactionCut::of_contexts(&History::of(messages)), None);
        }
        let mut history = History::default();
        history.push(Entry::new(first(1_000)));
        let cut = CompactionCut::of_contexts(&history).unwrap();
        let covered: Vec<_> = cut.covered(&history).iter().flat_map(|entry| entry.message().parts.clone()).collect();
        assert_eq!(covered, first(1_000).parts[..1]);
        let (summary, _) = cut.summary("Words.", false).unwrap();
        history.push(Entry::new(summary));
        let results = || Message::new(Role::Tool, vec![Part::text("said ".repeat(20))]);
        let answer = || Message::new(Role::Assistant, vec![Part::text("said ".repeat(20))]);
        for said in [answer(), results(), answer(), results(), answer()] {
            history.push(Entry::new(said));
        }
        assert_eq!(history.shown().next().unwrap().entry.message(), &Message::user("Go on."));
        let cut = CompactionCut::keeping(&history, 2).unwrap();
        assert_eq!(cut.covered(&history).iter().count(), 6, "the summary, the first message and four others");
        let (later, _) = cut.summary("Words again.", false).unwrap();
        let later = later.summary().cloned().unwrap();
        assert_eq!((later.keeps, later.contexts), (Some(0), true));
        history.push(Entry::new(Message::of_summary(later)));
        assert_eq!(history.shown().next().unwrap().entry.message(), &Message::user("Go on."));
    }
}
