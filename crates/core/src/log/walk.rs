//! Reading on where one stopped: an entry, and within a long attempt the piece, without walking it from its start again.

use std::sync::Arc;

use super::LogEntry;
use super::replay::{AttemptText, Shown, plain};
use crate::{Beat, Entry, EventKind, Fence, Flow, Fold, PartId, Recorded, SessionId, Timestamp, TraceId, TurnEvent};

/// A reader's place in a log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walk {
    /// The last event that was read.
    seq: u32,
    /// The last event to read now.
    until: u32,
    /// Who owned the turn when the entry that is read was written.
    fence: Fence,
    /// Within the attempt that starts at this event: how many of its events came before the next beat and piece, which
    /// these are, and how much text of each part was read.
    attempt: u32,
    passed: u32,
    beat: usize,
    piece: usize,
    taken: Vec<usize>,
}

impl Walk {
    /// A place right after event `seq`.
    pub(crate) fn after(seq: u32) -> Self {
        Self { seq, until: u32::MAX, ..Self::default() }
    }

    /// Reads at most so many events before it stops.
    pub(crate) fn at_most(&mut self, events: u32) {
        self.until = self.seq.saturating_add(events);
    }

    /// Whether there is nothing more to read now.
    pub(crate) fn is_done(&self) -> bool {
        self.seq >= self.until
    }

    /// The last event that was read.
    pub(super) fn seq(&self) -> u32 {
        self.seq
    }

    /// Moves to event `seq`, unless it is past it.
    pub(super) fn skip_to(&mut self, seq: u32) {
        self.seq = self.seq.max(seq);
    }

    /// How many events are to be read now, if `last` is the last there is.
    pub(crate) fn ahead(&self, last: u32) -> u32 {
        last.min(self.until).saturating_sub(self.seq)
    }

    /// The event that is read next.
    pub(crate) fn next_seq(&self) -> u32 {
        self.seq.saturating_add(1)
    }

    /// The events of `entry` that are to be read; its first one has the number and the fence given. The entry is of a turn
    /// of this session and this trace.
    pub(crate) fn expand(
        &mut self,
        (first, fence): (u32, Fence),
        entry: &LogEntry,
        open: Option<&Fold>,
        about: (SessionId, TraceId),
        messages: &[Arc<Entry>],
        out: &mut Vec<TurnEvent>,
    ) {
        if self.is_done() {
            return;
        }
        self.fence = fence;
        if let Recorded::Attempt { step, provider, model, flow, message, withdrawn } = &entry.kind {
            if first > self.seq {
                let kind = EventKind::StepStarted { step: *step, provider: provider.clone(), model: model.clone() };
                self.emit(first, entry.at, kind, out);
            }
            let text = AttemptText::of_attempt(*message, withdrawn, open, messages);
            let show = |seq, shown| {
                let id = |part| PartId { step: *step, part };
                let event = |kind| TurnEvent { seq, fence, at: entry.at, kind };
                // Pushed by itself, a text is written where it stays, and not copied there with the room for other kinds.
                match shown {
                    Shown::Start(part) => out.push(event(text.started(id(part)))),
                    Shown::Text(part, text) => {
                        out.push(event(EventKind::PartDelta { id: id(part), text: text.into() }))
                    }
                    Shown::End(part) => out.push(event(text.ended(id(part)))),
                }
            };
            self.pieces(first, open.map_or(flow, Fold::flow), &text, show);
        } else if first > self.seq {
            self.emit(first, entry.at, plain(&entry.kind, about, messages), out);
        }
    }

    /// Gives `show` the pieces that are to be read of the attempt that starts at event `first`.
    pub(super) fn pieces<'a>(
        &mut self,
        first: u32,
        flow: &Flow,
        text: &AttemptText<'a>,
        mut show: impl FnMut(u32, Shown<'a>),
    ) {
        if self.attempt != first {
            (self.attempt, self.passed, self.beat, self.piece) = (first, 0, 0, 0);
            self.taken.clear();
        }
        while let Some(beat) = flow.beats().get(self.beat).filter(|_| !self.is_done()) {
            let whole = match beat {
                Beat::Start(part) => Shown::Start(*part),
                Beat::End(part) => Shown::End(*part),
                Beat::Deltas(part, lengths) => {
                    self.deltas(first, *part, lengths, text.of(*part), &mut show);
                    if self.piece < lengths.len() || self.beat + 1 == flow.beats().len() {
                        return; // the last beat may still grow
                    }
                    self.beat += 1;
                    self.piece = 0;
                    continue;
                }
            };
            if let Some(seq) = self.pass(first) {
                show(seq, whole);
            }
            self.beat += 1;
        }
    }

    /// The pieces of `text` by these lengths, from where the reader is.
    fn deltas<'a>(
        &mut self,
        first: u32,
        part: u16,
        lengths: &[u32],
        text: &'a str,
        show: &mut impl FnMut(u32, Shown<'a>),
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
                // Nothing, where the log and the message disagree.
                show(seq, Shown::Text(part, text.get(from..to).unwrap_or_default()));
            }
        }
    }

    /// Moves past the next piece of the attempt that starts at event `first`. Gives its number, unless it has been read.
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
