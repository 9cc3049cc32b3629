//! The recorded changes of the messages sent to the model: their notices, and compactions.

use std::sync::Arc;

use turnkit_core::ports::{CompactError, Compacted, CompactionCalls};
use turnkit_core::{Entry, EventKind, Recorded, Summary, TurnLog, Usage};

use super::attempts::RewriteEvent;
use crate::context::{CompactionCut, Rewrite, TRUNCATED_AFTER_OVERFLOW, is_of_rewrite};
use crate::machine::STOPPED;

/// All recorded changes of a turn, in order, including compactions that changed nothing.
pub(super) struct RecordedRewrites(Vec<RecordedRewrite>);

/// A recorded change of the messages sent to the model, or a compaction that changed nothing.
pub(super) struct RecordedRewrite {
    /// The index of its message among those of the turn. Absent for a compaction without a summary.
    place: Option<usize>,
    /// The step and the attempt before which it was made.
    call: (u16, u16),
    pub(super) kind: RewriteKind,
    /// The codes and texts of the notices that became durable along with it.
    pub(super) before: Vec<(String, String)>,
}

/// The kind of a recorded change.
pub(super) enum RewriteKind {
    /// Messages or contents of results were left out.
    LeftOut(Rewrite),
    /// Messages were to be summarised.
    Summarised(RecordedCompaction),
}

/// A recorded compaction.
pub(super) struct RecordedCompaction {
    pub(super) cut: CompactionCut,
    pub(super) outcome: CompactionOutcome,
    pub(super) ms: u64,
    /// The event that reported it.
    pub(super) seq: u32,
}

/// The outcome of a recorded compaction.
pub(super) enum CompactionOutcome {
    /// The compaction ended.
    Done(Result<Compacted, CompactError>),
    /// Its turn was stopped, after its model calls had consumed this usage.
    Stopped(Usage),
}

impl RecordedRewrite {
    /// Reports whether it followed a request that was refused as too large.
    pub(super) fn is_after_overflow(&self) -> bool {
        matches!(&self.kind, RewriteKind::LeftOut(rewrite) if rewrite.code == TRUNCATED_AFTER_OVERFLOW)
    }

    /// Returns the compaction, if this is one.
    pub(super) fn compaction(&self) -> Option<&RecordedCompaction> {
        match &self.kind {
            RewriteKind::Summarised(compaction) => Some(compaction),
            RewriteKind::LeftOut(_) => None,
        }
    }
}

impl RecordedRewrites {
    /// Pairs each event with its message, if it has one.
    pub(super) fn new(events: Vec<RewriteEvent>, messages: &[Arc<Entry>]) -> Self {
        let mut changes = messages.iter().enumerate().filter(|(_, entry)| entry.message().changes_view());
        let recorded = events.into_iter().filter_map(|RewriteEvent { event, call, before }| match event.kind {
            EventKind::Notice { code, text } => {
                let (place, entry) = changes.next()?;
                let kind = RewriteKind::LeftOut(Rewrite { change: entry.message().clone(), code, text });
                Some(RecordedRewrite { place: Some(place), call, kind, before })
            }
            EventKind::Compacted { failure: None, .. } => {
                let (place, entry) = changes.next()?;
                let compaction = compaction(event.kind, event.seq, entry.message().summary())?;
                Some(RecordedRewrite { place: Some(place), call, kind: RewriteKind::Summarised(compaction), before })
            }
            kind => {
                let kind = RewriteKind::Summarised(compaction(kind, event.seq, None)?);
                Some(RecordedRewrite { place: None, call, kind, before })
            }
        });
        Self(recorded.collect())
    }

    /// Returns the next recorded change, if no other event was recorded before it. `call` is the step and the attempt
    /// that follow, if they are known.
    pub(super) fn next(&self, log: &TurnLog, call: Option<(u16, u16)>) -> Option<&RecordedRewrite> {
        let is_one = |recorded: &Recorded| match recorded {
            Recorded::Notice { code, .. } => is_of_rewrite(code),
            Recorded::Compacted { .. } => true,
            _ => false,
        };
        let done = log.entries().filter(|entry| is_one(&entry.kind)).count();
        let next = self.0.get(done)?;
        let is_here = next.place.is_none_or(|place| place == log.messages().len());
        (is_here && call.is_none_or(|call| call == next.call)).then_some(next)
    }
}

fn compaction(event: EventKind, seq: u32, summary: Option<&Summary>) -> Option<RecordedCompaction> {
    let EventKind::Compacted { messages, tokens_before, failure, provider, model, usage, ms, .. } = event else {
        return None;
    };
    let calls = provider.zip(model).map(|(provider, model)| CompactionCalls { provider, model, usage: *usage });
    let outcome = match failure {
        Some(message) if message == STOPPED => CompactionOutcome::Stopped(calls?.usage),
        Some(message) => CompactionOutcome::Done(Err(CompactError { message, calls })),
        None => CompactionOutcome::Done(Ok(Compacted { text: summary?.text.clone(), calls })),
    };
    Some(RecordedCompaction { cut: CompactionCut::recorded(summary, messages, tokens_before), outcome, ms, seq })
}
