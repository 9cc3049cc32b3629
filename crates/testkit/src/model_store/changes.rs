//! Flaws in storing and reading summaries and edits, the messages that change what models are sent.

use std::borrow::Cow;
use std::sync::Arc;

use turnkit_core::{Checkpoint, Entry, History, Message, Recorded, TurnId};

use super::Flaw;
use super::disk::TurnRow;

/// Returns the messages of a checkpoint as a store with `flaw` writes them.
pub(super) fn written(messages: Vec<Arc<Entry>>, flaw: Option<Flaw>) -> Vec<Arc<Entry>> {
    let Some(flaw) = flaw else { return messages };
    let keeps = |entry: &Arc<Entry>| !(flaw == Flaw::ChangeLost && entry.message().changes_view());
    messages.into_iter().filter(keeps).map(|entry| changed(&entry, flaw).map_or(entry, Entry::new)).collect()
}

fn changed(entry: &Entry, flaw: Flaw) -> Option<Message> {
    let message = entry.message();
    if let Some(mut summary) = message.summary().cloned() {
        match flaw {
            Flaw::SummaryWithoutText => summary.text.clear(),
            Flaw::KeptMessageForgotten => summary.keeps = None,
            Flaw::SummaryCoversMore => summary.covers = summary.covers.saturating_add(1),
            Flaw::SummaryCoversLess => summary.covers = summary.covers.saturating_sub(1),
            _ => return None,
        }
        return Some(Message::of_summary(summary));
    }
    let mut edits = message.edits().filter(|_| flaw == Flaw::EditsMisplaced)?.clone();
    edits.blank.iter_mut().for_each(|blank| blank.place = blank.place.saturating_sub(1));
    Some(Message::of_edits(edits))
}

/// Returns the checkpoint whose model calls a store with `flaw` counts.
pub(super) fn counted(checkpoint: &Checkpoint, flaw: Option<Flaw>) -> Cow<'_, Checkpoint> {
    if flaw != Some(Flaw::CompactionNotCounted) {
        return Cow::Borrowed(checkpoint);
    }
    let mut counted = checkpoint.clone();
    counted.chunk.entries.retain(|entry| !matches!(entry.kind, Recorded::Compacted { .. }));
    Cow::Owned(counted)
}

/// Returns the history that a store with `flaw` reads from a branch for its turn `turn`.
pub(super) fn read(branch: &[&TurnRow], turn: TurnId, flaw: Flaw) -> History {
    let all = branch.iter().flat_map(|row| row.messages.iter().map(|entry| (row.id, entry.message())));
    let all: Vec<(u32, TurnId, &Message)> = (0..).zip(all).map(|(place, (of, message))| (place, of, message)).collect();
    let places = |wanted: fn(&Message) -> bool| all.iter().filter(move |(.., message)| wanted(message));
    let summary = |message: &Message| message.summary().is_some();
    let (first, newest) = (places(summary).next(), places(summary).next_back());
    let is_read = |(place, of, message): &&(u32, TurnId, &Message)| match flaw {
        Flaw::SummariesNotRead => !summary(message),
        Flaw::FirstSummaryRead => !summary(message) || first.is_some_and(|first| first.0 == *place),
        Flaw::SummaryNotInherited => !summary(message) || *of == turn,
        Flaw::ReadFromNewestSummary => newest.is_none_or(|newest| newest.0 <= *place),
        Flaw::EditsNotRead => message.edits().is_none(),
        _ => true,
    };
    History::of_places(all.iter().filter(is_read).map(|(place, _, message)| (*place, (*message).clone())))
}
