//! Leaves out the oldest messages. This requires no model.

use turnkit_core::{History, Role, SentMessage, Summary};

use super::tokens;

/// Returns a summary that leaves out the oldest messages of a history with more than `most` messages. Returns `None` if
/// the history has no more, if no message can be left out, or if `most` is 0.
///
/// The cut is at a boundary: a message that begins a turn or, within the running turn, an answer after a whole round of
/// tools or a message that the user sent while the turn ran. It is the first boundary that leaves half of `most` or
/// less, so that many consecutive requests share the same prefix; if none does, it is the last one. The message that
/// began the newest turn is sent even if the cut lies after it. The text of an earlier summary is kept. A history with
/// system messages is not cut.
pub(crate) fn truncation(history: &History, most: u32) -> Option<Summary> {
    if most == 0 || history.len() <= most as usize {
        return None;
    }
    let size = |shown: &SentMessage| u64::from(!shown.entry.message().is_notices_only());
    let sent = history.shown().map(size).sum::<u64>() + u64::from(history.summary().is_some());
    if sent <= u64::from(most) {
        return None;
    }
    cut_to(history, u64::from(most / 2), size)
}

/// Returns a summary that leaves out the oldest messages, like [`truncation`]. Cuts at the first boundary that leaves
/// at most `most` estimated tokens.
pub(super) fn truncation_to_tokens(history: &History, most: u64) -> Option<Summary> {
    cut_to(history, most, |shown| tokens::of_entry(&shown.entry))
}

/// Cuts at the first boundary that leaves messages with a combined size of at most `most`, or else at the last
/// boundary.
fn cut_to(history: &History, most: u64, size: impl Fn(&SentMessage) -> u64) -> Option<Summary> {
    let shown: Vec<&SentMessage> = history.shown().collect();
    // A client's system messages must be sent, and a summary cannot keep them.
    if shown.iter().any(|shown| is_of(shown, Role::System)) {
        return None;
    }
    let asked = shown.iter().rposition(|shown| begins_turn(shown))?;
    let mut left: u64 = shown.iter().map(|shown| size(shown)).sum();
    let mut best = None;
    for cut in 1..shown.len() {
        if cut - 1 != asked {
            left -= size(shown[cut - 1]);
        }
        // If the only message before the cut is kept, the cut leaves nothing out.
        let leaves_out = cut > 1 || asked > 0;
        if leaves_out && is_boundary(&shown, asked, cut) {
            best = Some(cut);
            if left <= most {
                break;
            }
        }
    }
    let cut = best?;
    let (covers, keeps) = (shown[cut].place, (cut > asked).then_some(shown[asked].place));
    Some(Summary { covers, keeps, ..history.summary().cloned().unwrap_or_default() })
}

/// Reports whether the messages sent to the model may begin with the message `at`. `asked` is the message that began
/// the newest turn.
pub(super) fn is_boundary(shown: &[&SentMessage], asked: usize, at: usize) -> bool {
    let follows_round = || is_of(shown[at], Role::Assistant) && is_of(shown[at - 1], Role::Tool);
    begins_turn(shown[at]) || at > asked && (is_of(shown[at], Role::User) || follows_round())
}

/// Reports whether the message is a user message that models see and that begins a turn.
pub(super) fn begins_turn(shown: &SentMessage) -> bool {
    is_of(shown, Role::User) && !shown.entry.message().is_steering()
}

/// Reports whether the message has the role `role` and is visible to models.
pub(super) fn is_of(shown: &SentMessage, role: Role) -> bool {
    let message = shown.entry.message();
    message.role == role && !message.is_notices_only()
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Message, Part};

    use super::*;

    /// Builds a history with one message per letter: `u` from the user, `a` an answer, `c` an answer with calls, `r`
    /// results, `s` from the system, `w` from the user while a turn ran.
    fn history(letters: &str) -> History {
        let message = |letter| match letter {
            'u' => Message::user("u"),
            'w' => Message::user("w").steering(),
            'r' => Message::new(Role::Tool, vec![Part::text("r")]),
            's' => Message::new(Role::System, vec![Part::text("s")]),
            letter => Message::new(Role::Assistant, vec![Part::text(letter)]),
        };
        History::of(letters.chars().map(message))
    }

    #[test]
    fn the_oldest_messages_are_left_out_up_to_a_boundary() {
        for (letters, most, expected) in [
            ("uauau", 5, None),
            ("uauauau", 0, None),
            ("suauauau", 6, None),
            ("uauauau", 6, Some((4, None))),
            ("uauauauau", 8, Some((6, None))),
            ("uacrauau", 4, Some((7, None))),
            // A turn with many rounds: its question is still sent.
            ("uaucrcrcr", 6, Some((7, Some(2)))),
            ("ucrcrcrcr", 8, Some((7, Some(0)))),
            ("ucrcrcrcrcr", 10, Some((7, Some(0)))),
            // The question and the last round are always sent.
            ("ucrcr", 2, Some((3, Some(0)))),
            ("ucr", 2, None),
            ("u", 0, None),
            ("uau", 2, Some((2, None))),
            ("uau", 1, Some((2, None))),
            // A message that the user sends while a turn runs begins no turn, and may be left out.
            ("ucrwcrcr", 7, Some((6, Some(0)))),
            ("ucrwcrcrcr", 9, Some((8, Some(0)))),
            ("ucrcrwcr", 7, Some((5, Some(0)))),
            ("ucrcrcrwau", 9, Some((9, None))),
            // Without a user message there is no boundary.
            ("aaa", 2, None),
        ] {
            let found = truncation(&history(letters), most).map(|summary| (summary.covers, summary.keeps));
            assert_eq!(found, expected, "{letters} {most}");
        }
    }

    #[test]
    fn the_oldest_messages_are_left_out_until_the_rest_has_few_enough_tokens() {
        // Each message has five tokens.
        for (letters, most, expected) in [
            ("uauau", 15, Some((2, None))),
            ("uauau", 14, Some((4, None))),
            ("uauau", 0, Some((4, None))),
            ("ucrcrcr", 25, Some((3, Some(0)))),
            ("ucrcrcr", 24, Some((5, Some(0)))),
            ("ucr", 0, None),
        ] {
            let found = truncation_to_tokens(&history(letters), most).map(|summary| (summary.covers, summary.keeps));
            assert_eq!(found, expected, "{letters} {most}");
        }
    }

    #[test]
    fn the_text_of_an_earlier_summary_is_kept() {
        let mut history = history("uauau");
        let earlier =
            Summary { text: "They met.".to_owned(), covers: 2, keeps: None, untrusted: true, ..Summary::default() };
        history.push(turnkit_core::Entry::new(Message::of_summary(earlier)));
        let found = truncation(&history, 3);
        assert_eq!(
            found,
            Some(Summary {
                text: "They met.".to_owned(),
                covers: 4,
                keeps: None,
                untrusted: true,
                ..Summary::default()
            })
        );
    }
}
