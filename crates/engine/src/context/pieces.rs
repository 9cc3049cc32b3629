//! Splits messages to summarise that do not fit into one request.

use turnkit_core::{Entry, History, Message, Part, SentMessage, Summary};

use super::tokens;
use super::truncate::is_boundary;
use crate::shorten::shorten;

/// The maximum number of requests for one summary.
const MAX_PIECES: usize = 4;
/// The maximum characters of a tool result in messages that would not fit with the whole results.
const RESULT_CHARS: usize = 2_000;

/// Messages to summarise, in pieces that each fit into a request. Each piece after the first follows a summary of the
/// earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pieces {
    history: History,
    /// The places of the first message of each piece after the first.
    cuts: Vec<u32>,
}

impl Pieces {
    /// Returns all messages as one piece.
    pub(crate) fn whole(history: History) -> Self {
        Self { history, cuts: Vec::new() }
    }

    /// Splits the messages into as few pieces as possible for requests with room for `room` estimated tokens of
    /// messages. Shortens tool results before it splits. Returns `None` if there would be too many pieces, or one that
    /// does not fit.
    pub(crate) fn split(history: History, room: u64) -> Option<Self> {
        if size(&history) <= room {
            return Some(Self::whole(history));
        }
        let history = history.with(with_short_results);
        let cuts = if size(&history) <= room { Vec::new() } else { cuts(&history, room)? };
        Some(Self { history, cuts })
    }

    /// Returns the number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.cuts.len() + 1
    }

    /// Returns piece `number`, from 0, after the summary of the earlier pieces.
    pub(crate) fn piece(&self, number: usize, summary: Option<String>) -> History {
        let mut piece = match self.cuts.get(number) {
            Some(end) => self.history.before(*end),
            None => self.history.clone(),
        };
        let begin = number.checked_sub(1).and_then(|before| self.cuts.get(before));
        if let (Some(text), Some(begin)) = (summary, begin) {
            piece.push(Entry::new(Message::of_summary(Summary { text, covers: *begin, ..Summary::default() })));
        }
        piece
    }

    /// Returns the messages, so that the contents of uploaded files can be inserted.
    pub(crate) fn history_mut(&mut self) -> &mut History {
        &mut self.history
    }
}

fn size(history: &History) -> u64 {
    history.iter().map(|entry| tokens::of_entry(entry)).sum()
}

/// Returns the places to cut at: messages of users, and answers after whole rounds of tools. A quarter of the room is
/// reserved for the summary of the earlier pieces.
fn cuts(history: &History, room: u64) -> Option<Vec<u32>> {
    let shown: Vec<&SentMessage> = history.shown().collect();
    let (mut cuts, mut boundary) = (Vec::new(), None);
    let (mut in_piece, mut since_boundary) = (history.summary().map_or(0, |summary| tokens::of_text(&summary.text)), 0);
    let mut most = room;
    for (at, message) in shown.iter().enumerate() {
        if at > 0 && is_boundary(&shown, 0, at) {
            (boundary, since_boundary) = (Some(message.place), 0);
        }
        let tokens = tokens::of_entry(&message.entry);
        in_piece += tokens;
        since_boundary += tokens;
        if in_piece > most {
            cuts.push(boundary.take()?);
            (in_piece, most) = (since_boundary, room - room / 4);
            if in_piece > most || cuts.len() == MAX_PIECES {
                return None;
            }
        }
    }
    Some(cuts)
}

fn with_short_results(message: &Message) -> Option<Message> {
    let is_long =
        |part: &Part| matches!(part, Part::ToolResult(result) if result.content.chars().nth(RESULT_CHARS).is_some());
    let short = |part: &Part| match part {
        Part::ToolResult(result) => {
            let (content, is_cut) = shorten(result.content.clone(), RESULT_CHARS);
            let truncated = result.truncated || is_cut;
            Part::ToolResult(turnkit_core::ToolResult { content, truncated, ..result.clone() })
        }
        part => part.clone(),
    };
    let parts = || message.parts.iter().map(short).collect();
    message.parts.iter().any(is_long).then(|| Message { role: message.role, parts: parts(), mark: message.mark })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::prune::tests::turn;

    /// Returns turns of a question and an answer, each of `size` tokens.
    fn turns(sizes: &[usize]) -> History {
        let text = |size: &usize| "x".repeat((size - 4) * 4);
        let answer = |size| Message::new(turnkit_core::Role::Assistant, vec![Part::text(text(size))]);
        History::of(sizes.iter().flat_map(|size| [Message::user(text(size)), answer(size)]))
    }

    #[test]
    fn messages_are_split_between_turns_and_each_piece_but_the_first_leaves_room_for_a_summary() {
        for (sizes, room, expected) in [
            (&[50, 50][..], 200, Some(&[][..])),
            (&[50, 50], 199, Some(&[2])),
            (&[50, 50, 50], 200, Some(&[4])),
            // A quarter of the room is reserved for the summary.
            (&[50, 50, 50, 50], 200, Some(&[4, 6])),
            (&[50, 80, 50], 200, None),
            (&[80, 50, 50, 50], 200, Some(&[2, 4, 6])),
            (&[80, 50, 50, 50, 50], 200, None),
            (&[120], 200, None),
        ] {
            let pieces = Pieces::split(turns(sizes), room);
            assert_eq!(pieces.as_ref().map(|pieces| &*pieces.cuts), expected, "{sizes:?} {room}");
        }
    }

    #[test]
    fn each_piece_follows_the_summary_of_those_before_it() {
        let mut history = turns(&[50, 50, 50, 50]);
        let earlier = Summary { text: "They met.".to_owned(), ..Summary::default() };
        history.push(Entry::new(Message::of_summary(earlier)));
        let pieces = Pieces::split(history, 210).unwrap();
        assert_eq!(pieces.len(), 3);
        let sent = |number, summary: Option<&str>| {
            let piece = pieces.piece(number, summary.map(str::to_owned));
            let places: Vec<u32> = piece.shown().map(|shown| shown.place).collect();
            (piece.summary().unwrap().text.clone(), places)
        };
        assert_eq!(sent(0, None), ("They met.".to_owned(), vec![0, 1, 2, 3]));
        assert_eq!(sent(1, Some("One.")), ("One.".to_owned(), vec![4, 5]));
        assert_eq!(sent(2, Some("Two.")), ("Two.".to_owned(), vec![6, 7]));
    }

    #[test]
    fn results_are_shortened_before_messages_are_split_and_rounds_of_tools_stay_whole() {
        let round = [("read", "{}", Ok("x".repeat(8_000)))];
        let history = turn(&[&round, &round, &round]);
        let whole = size(&history);
        for (room, cuts, shortened) in [
            (whole, &[][..], false),
            (whole - 1, &[], true),
            (1_600, &[], true),
            (1_500, &[5], true),
            (800, &[3, 5], true),
        ] {
            let pieces = Pieces::split(history.clone(), room).unwrap();
            assert_eq!((&*pieces.cuts, size(&pieces.history) < whole), (cuts, shortened), "{room}");
        }
        assert_eq!(Pieces::split(history, 500), None);
    }
}
