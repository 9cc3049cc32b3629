//! A log that is built from the operations of another log.

use super::{LogBatch, LogOperation, LogPosition, Slot, TurnLog};
use crate::{Fence, Fold, FoldError, LogEntry, Piece, Recorded, SessionId, Timestamp, TurnId};

/// Why operations were not applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MirrorError {
    /// Operations are missing. The sender must resend those after `expected`.
    #[error("operations are missing: expected those after {expected:?}, got those after {got:?}")]
    Gap {
        /// The position of the mirror.
        expected: LogPosition,
        /// The position that the operations follow.
        got: LogPosition,
    },
    /// The operations are from a later owner. The mirror has ended.
    #[error("the turn has a later owner, with fence {}", .0.0)]
    OtherOwner(Fence),
    /// The operations are inconsistent. The mirror has ended.
    #[error("the operations are not of one log: {0}")]
    Misfit(#[from] FoldError),
}

impl TurnLog {
    /// Creates a log that mirrors the log with this beginning.
    pub(crate) fn mirroring(turn: TurnId, fence: Fence, session: SessionId, number: u32, base: u32) -> Self {
        Self { base, ..Self::new(session, turn, number, fence) }
    }

    /// Returns the position in the mirrored log up to which operations were applied.
    pub(crate) fn position(&self) -> LogPosition {
        let messages = u32::try_from(self.messages.len()).unwrap_or(u32::MAX);
        LogPosition { seq: self.last_seq(), messages }
    }

    /// Applies the operations that are new to this log. Returns `true` if the owner of the mirrored log has stopped
    /// writing.
    ///
    /// # Errors
    /// `Gap` if operations are missing; `Misfit` if they are inconsistent. The operations before the error are applied.
    pub(crate) fn mirror(&mut self, batch: LogBatch) -> Result<bool, MirrorError> {
        let expected = self.position();
        if batch.after.seq > expected.seq || batch.after.messages > expected.messages {
            return Err(MirrorError::Gap { expected, got: batch.after });
        }
        let mut is_over = false;
        for operation in batch.operations {
            match operation {
                // Progress reports belong to the live turn, not to its log.
                LogOperation::Begin { .. } | LogOperation::Progress { .. } => {}
                LogOperation::Message { place, message } => match (place as usize).checked_sub(self.messages.len()) {
                    Some(0) => self.messages.push(message),
                    Some(_) => return Err(self.gap(LogPosition { messages: place, ..expected })),
                    None => {}
                },
                LogOperation::Entry { seq, fence, entry } => self.mirror_entry(seq, fence, *entry)?,
                LogOperation::Open { seq, fence, at, step, provider, model } => {
                    let (timeline, message, withdrawn) = (Default::default(), None, Vec::new());
                    let kind = Recorded::Attempt { step, provider, model, timeline, message, withdrawn };
                    self.mirror_open(seq, fence, at, step, kind)?;
                }
                LogOperation::Show { seq, pieces } => self.mirror_pieces(seq, pieces)?,
                LogOperation::Detach => is_over = true,
            }
            self.commit();
        }
        Ok(is_over)
    }

    fn mirror_entry(&mut self, seq: u32, fence: Fence, entry: LogEntry) -> Result<(), MirrorError> {
        let last = self.slots.last_mut();
        if let Some(open) = last.filter(|slot| slot.first == seq && self.open.is_some()) {
            open.entry = entry;
            self.open = None;
            return Ok(());
        }
        if seq > self.last_seq() {
            self.mirror_slot(Slot { first: seq, fence, entry })?;
        }
        Ok(())
    }

    fn mirror_open(
        &mut self,
        seq: u32,
        fence: Fence,
        at: Timestamp,
        step: u16,
        kind: Recorded,
    ) -> Result<(), MirrorError> {
        if seq > self.last_seq() {
            self.mirror_slot(Slot { first: seq, fence, entry: LogEntry { at, kind } })?;
            self.open = Some(Fold::new(self.turn, step));
        }
        Ok(())
    }

    fn mirror_pieces(&mut self, seq: u32, pieces: Vec<Piece>) -> Result<(), MirrorError> {
        for (seq, piece) in (seq..=u32::MAX).zip(pieces) {
            let last = self.last_seq();
            if seq > last {
                let open = self.open.as_mut().filter(|_| seq == last.saturating_add(1));
                let Some(open) = open else { return Err(self.gap(LogPosition { seq, ..self.position() })) };
                open.mirror(piece)?;
            }
        }
        Ok(())
    }

    /// Adds a slot. If an attempt is still open, the operation that closed it is missing.
    fn mirror_slot(&mut self, slot: Slot) -> Result<(), MirrorError> {
        if self.open.is_some() {
            return Err(self.gap(LogPosition { seq: slot.first, ..self.position() }));
        }
        self.slots.push(slot);
        Ok(())
    }

    fn gap(&self, got: LogPosition) -> MirrorError {
        MirrorError::Gap { expected: self.position(), got }
    }
}
