//! Resumes reading a log at a stored position: an entry, and within a long attempt the piece, without rereading the
//! attempt.

use std::sync::Arc;

use super::LogEntry;
use super::replay::{AttemptText, PieceRef, plain};
use crate::{
    AnswerTimeline, Entry, EventKind, Fence, Fold, PartId, Recorded, SessionId, TimelineEntry, Timestamp, TraceId,
    TurnEvent,
};

/// The position of a reader in a log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walk {
    /// The number of the last event that was read.
    seq: u32,
    /// The number of the last event to read now.
    until: u32,
    /// The fence under which the current entry was written.
    fence: Fence,
    /// The first event of the current attempt. The fields below hold the position within it: the number of events
    /// passed, the next entry and piece, and the bytes of text read of each part.
    attempt: u32,
    passed: u32,
    entry_index: usize,
    piece: usize,
    taken: Vec<usize>,
}

impl Walk {
    /// Returns the position right after event `seq`.
    pub(crate) fn after(seq: u32) -> Self {
        Self { seq, until: u32::MAX, ..Self::default() }
    }

    /// Limits the next read to `events` events.
    pub(crate) fn at_most(&mut self, events: u32) {
        self.until = self.seq.saturating_add(events);
    }

    /// Returns `true` if the limit of the current read is reached.
    pub(crate) fn is_done(&self) -> bool {
        self.seq >= self.until
    }

    /// Returns the number of the last event that was read.
    pub(super) fn seq(&self) -> u32 {
        self.seq
    }

    /// Moves to event `seq`, unless the position is past it.
    pub(super) fn skip_to(&mut self, seq: u32) {
        self.seq = self.seq.max(seq);
    }

    /// Returns how many events can be read now if `last` is the last event.
    pub(crate) fn ahead(&self, last: u32) -> u32 {
        last.min(self.until).saturating_sub(self.seq)
    }

    /// Returns the number of the event that is read next.
    pub(crate) fn next_seq(&self) -> u32 {
        self.seq.saturating_add(1)
    }

    /// Appends the events of `entry` that are not read yet to `out`. `first` and `fence` are those of the entry's first
    /// event; `before` is the entry before it, if there is one; `about` holds the session and the trace of its turn.
    pub(crate) fn expand(
        &mut self,
        (first, fence): (u32, Fence),
        (before, entry): (Option<&LogEntry>, &LogEntry),
        open: Option<&Fold>,
        about: (SessionId, TraceId),
        messages: &[Arc<Entry>],
        out: &mut Vec<TurnEvent>,
    ) {
        if self.is_done() {
            return;
        }
        self.fence = fence;
        if let Recorded::Attempt { step, provider, model, timeline, message, withdrawn } = &entry.kind {
            if first > self.seq {
                let kind = EventKind::StepStarted { step: *step, provider: provider.clone(), model: model.clone() };
                self.emit(first, entry.at, kind, out);
            }
            let text = AttemptText::of_attempt(*message, withdrawn, open, messages);
            let show = |seq, shown| {
                let id = |part| PartId { step: *step, part };
                let event = |kind| TurnEvent { seq, fence, at: entry.at, kind };
                // A separate push per variant writes a text event in place, instead of copying it with space for the
                // largest variant.
                match shown {
                    PieceRef::Start(part) => out.push(event(text.started(id(part)))),
                    PieceRef::Text(part, text) => {
                        out.push(event(EventKind::PartDelta { id: id(part), text: text.into() }))
                    }
                    PieceRef::End(part) => out.push(event(text.ended(id(part)))),
                }
            };
            self.pieces(first, open.map_or(timeline, Fold::timeline), &text, show);
        } else if first > self.seq {
            let before = before.map(|before| &before.kind);
            self.emit(first, entry.at, plain((before, &entry.kind), about, messages), out);
        }
    }

    /// Passes the unread pieces of the attempt that starts at event `first` to `show`.
    pub(super) fn pieces<'a>(
        &mut self,
        first: u32,
        timeline: &AnswerTimeline,
        text: &AttemptText<'a>,
        mut show: impl FnMut(u32, PieceRef<'a>),
    ) {
        if self.attempt != first {
            (self.attempt, self.passed, self.entry_index, self.piece) = (first, 0, 0, 0);
            self.taken.clear();
        }
        while let Some(entry) = timeline.entries().get(self.entry_index).filter(|_| !self.is_done()) {
            let whole = match entry {
                TimelineEntry::Start(part) => PieceRef::Start(*part),
                TimelineEntry::End(part) => PieceRef::End(*part),
                TimelineEntry::Deltas(part, lengths) => {
                    self.deltas(first, *part, lengths, text.of(*part), &mut show);
                    if self.piece < lengths.len() || self.entry_index + 1 == timeline.entries().len() {
                        return; // the last entry may still grow
                    }
                    self.entry_index += 1;
                    self.piece = 0;
                    continue;
                }
            };
            if let Some(seq) = self.pass(first) {
                show(seq, whole);
            }
            self.entry_index += 1;
        }
    }

    /// Passes the unread pieces of `text`, split at these lengths, to `show`.
    fn deltas<'a>(
        &mut self,
        first: u32,
        part: u16,
        lengths: &[u32],
        text: &'a str,
        show: &mut impl FnMut(u32, PieceRef<'a>),
    ) {
        let index = usize::from(part);
        if self.taken.len() <= index {
            self.taken.resize(index + 1, 0);
        }
        for length in &lengths[self.piece..] {
            if self.is_done() {
                return;
            }
            let from = self.taken[index];
            let to = from + *length as usize;
            self.taken[index] = to;
            self.piece += 1;
            if let Some(seq) = self.pass(first) {
                // Empty if the log and the message disagree.
                show(seq, PieceRef::Text(part, text.get(from..to).unwrap_or_default()));
            }
        }
    }

    /// Moves past the next piece of the attempt that starts at event `first`. Returns its number, unless it was already
    /// read.
    fn pass(&mut self, first: u32) -> Option<u32> {
        self.passed += 1;
        let seq = first.saturating_add(self.passed);
        let is_new = seq > self.seq;
        self.seq = self.seq.max(seq);
        is_new.then_some(seq)
    }

    fn emit(&mut self, seq: u32, at: Timestamp, kind: EventKind, out: &mut Vec<TurnEvent>) {
        self.seq = seq;
        out.push(TurnEvent { seq, fence: self.fence, at, kind });
    }
}
