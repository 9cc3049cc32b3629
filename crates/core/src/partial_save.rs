//! Partial saves: text of an answer that is stored before the answer is complete.

use serde::{Deserialize, Serialize};

use crate::{Part, PartKind, Reasoning, Str};

/// The text and reasoning that an attempt at a model call added since its previous save. Tool calls are not saved,
/// because the calls of a lost attempt never run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PartialSave {
    /// The step.
    pub step: u16,
    /// The number of the attempt at the step, from 1.
    pub attempt: u16,
    /// The sequence number of the save within the attempt.
    pub order: u32,
    /// The added texts, at most one per part.
    pub texts: Vec<SavedText>,
}

/// Text appended to one part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedText {
    /// The number of the part.
    pub part: u16,
    /// The kind of the part.
    pub kind: PartKind,
    /// The offset of the text in its part, in bytes.
    pub from: u32,
    /// The text.
    pub text: Str,
}

/// The number of bytes saved so far for each part of an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedExtent(pub(crate) Vec<usize>);

impl PartialSave {
    /// Reassembles the saves of a turn, from `step` on, and returns the parts of the attempt with the most text.
    /// `saves` must be in the order in which they were made. Text that was saved twice counts once; text after a gap is
    /// dropped.
    pub fn reassemble(saves: &[Self], step: u16) -> Vec<Part> {
        let of_attempt = |one: &Self, other: &Self| (one.step, one.attempt) == (other.step, other.attempt);
        let attempts = saves.chunk_by(of_attempt).filter(|saves| saves.first().is_some_and(|first| first.step >= step));
        let said = attempts.map(|saves| whole(saves.iter().flat_map(|save| &save.texts)));
        said.max_by_key(|parts| parts.iter().map(Part::text_bytes).sum::<usize>()).unwrap_or_default()
    }
}

fn whole<'a>(texts: impl Iterator<Item = &'a SavedText>) -> Vec<Part> {
    let mut parts: Vec<(u16, PartKind, String)> = Vec::new();
    for saved in texts {
        let at = parts.iter().position(|(part, ..)| *part == saved.part).unwrap_or_else(|| {
            parts.push((saved.part, saved.kind, String::new()));
            parts.len() - 1
        });
        let text = &mut parts[at].2;
        let Some(known) = text.len().checked_sub(saved.from as usize) else { break };
        text.push_str(saved.text.get(known..).unwrap_or_default());
    }
    parts.sort_by_key(|(part, ..)| *part);
    let parts = parts.into_iter().filter(|(.., text)| !text.is_empty());
    parts
        .map(|(_, kind, text)| match kind {
            PartKind::Reasoning => Part::Reasoning(Reasoning { text, opaque: None }),
            _ => Part::text(text),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delta, Fence, SessionId, Timestamp, TurnId, TurnLog};

    fn save(attempt: u16, order: u32, from: u32, text: &str) -> PartialSave {
        let texts = vec![SavedText { part: 0, kind: PartKind::Text, from, text: text.into() }];
        PartialSave { step: 2, attempt, order, texts }
    }

    #[test]
    fn saves_become_the_text_of_the_longest_attempt() {
        let (one, two) = (save(1, 0, 0, "one "), save(1, 1, 4, "two"));
        for (saves, said) in [
            (vec![], ""),
            (vec![one.clone()], "one "),
            (vec![one.clone(), two.clone()], "one two"),
            // The response to the first save was lost, so its text was saved again.
            (vec![one.clone(), save(1, 1, 0, "one two"), save(1, 2, 7, "!")], "one two!"),
            (vec![one.clone(), save(1, 1, 0, "on"), two.clone()], "one two"),
            // The second save is damaged.
            (vec![one.clone(), save(1, 2, 7, " three")], "one "),
            (vec![two.clone()], ""),
            (vec![one.clone(), two.clone(), save(2, 0, 0, "other")], "one two"),
            (vec![one.clone(), save(2, 0, 0, "another")], "another"),
            (vec![PartialSave { step: 1, ..save(1, 0, 0, "of the step before") }, one.clone()], "one "),
        ] {
            let parts = PartialSave::reassemble(&saves, 2);
            let expected = if said.is_empty() { vec![] } else { vec![Part::text(said)] };
            assert_eq!(parts, expected, "{saves:?}");
        }
    }

    #[test]
    fn each_save_has_the_added_text_and_reasoning_but_no_calls() {
        let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
        let mut extent = SavedExtent::default();
        assert_eq!(log.take_new_text(&mut extent), []);
        log.open_attempt(Timestamp::default(), 1, "main", "small");
        let mut show = |deltas: &[Delta]| deltas.iter().for_each(|delta| log.show(delta).unwrap());
        show(&[Delta::start(0, PartKind::Reasoning), Delta::text(0, "Hm. "), Delta::text(0, "So.")]);
        show(&[Delta::end(0), Delta::start(1, PartKind::Text), Delta::text(1, "One ")]);
        let text = |part, kind, from, text: &str| SavedText { part, kind, from, text: text.into() };
        let first = [text(0, PartKind::Reasoning, 0, "Hm. So."), text(1, PartKind::Text, 0, "One ")];
        assert_eq!(log.take_new_text(&mut extent), first);
        assert_eq!(log.take_new_text(&mut extent), []);
        let call = [Delta::call(2, "call_2", "pay"), Delta::text(2, "{\"amount\": 1}"), Delta::text(1, "two")];
        call.iter().for_each(|delta| log.show(delta).unwrap());
        let second = [text(1, PartKind::Text, 4, "two")];
        assert_eq!(log.take_new_text(&mut extent), second);

        let saves = [first.to_vec(), second.to_vec()].into_iter().zip(0..);
        let saves: Vec<_> = saves.map(|(texts, order)| PartialSave { step: 1, attempt: 1, order, texts }).collect();
        let thought = Part::Reasoning(Reasoning { text: "Hm. So.".to_owned(), opaque: None });
        assert_eq!(PartialSave::reassemble(&saves, 1), [thought, Part::text("One two")]);
    }
}
