//! Mirrors: live turns of another process that can be read locally.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::{LiveTurn, LogBatch, LogOperation, LogPosition, MirrorError, ToolProgress, TurnLog};

/// Builds a live turn from the operations of another one. Its events, fences, cursors and order equal those of the
/// original.
///
/// ```
/// use turnkit_core::{Fence, LiveTurn, LogPosition, Mirror, Recorded, SessionId, Timestamp, TurnId, TurnLog};
///
/// let original = LiveTurn::new(TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1)));
/// original.write(|log| {
///     log.stage(Timestamp::default(), Recorded::turn_started("a"));
///     log.commit();
/// });
/// let mut operations = original.operations(LogPosition::default());
/// let mirror = Mirror::begin(operations.batch().unwrap()).unwrap();
/// assert_eq!(mirror.live().read(TurnLog::events), original.read(TurnLog::events));
/// ```
#[derive(Debug)]
pub struct Mirror {
    live: Arc<LiveTurn>,
}

impl Mirror {
    /// Creates a mirror of the log that begins with this batch.
    ///
    /// # Errors
    /// As for [`apply`](Self::apply).
    pub fn begin(batch: LogBatch) -> Result<Self, MirrorError> {
        let Some(LogOperation::Begin { session, number, base }) = batch.operations.first() else {
            return Err(MirrorError::Gap { expected: LogPosition::default(), got: batch.after });
        };
        let log = TurnLog::mirroring(batch.turn, batch.fence, *session, *number, *base);
        let mut mirror = Self { live: LiveTurn::new(log) };
        mirror.apply(batch)?;
        Ok(mirror)
    }

    /// Applies the operations that are new to the mirror. Ignores those of an earlier owner, and all operations after
    /// the end.
    ///
    /// # Errors
    /// `Gap` if operations are missing: the mirror continues once it gets those after its [`position`](Self::position).
    /// After any other error, the mirror has ended.
    pub fn apply(&mut self, mut batch: LogBatch) -> Result<(), MirrorError> {
        if self.live.is_closed() {
            return Ok(());
        }
        let is_of_owner = batch.fence == self.live.read(TurnLog::fence);
        let is_report = |operation: &mut LogOperation| matches!(operation, LogOperation::Progress { .. });
        let reports = batch.operations.extract_if(.., is_report).filter_map(|operation| match operation {
            LogOperation::Progress { number, progress } => Some((number, progress)),
            _ => None,
        });
        let reports: Vec<(u32, ToolProgress)> = reports.collect();
        let applied = self.live.write(|log| match batch.fence.cmp(&log.fence()) {
            Ordering::Less => Ok(false),
            Ordering::Equal => log.mirror(batch),
            Ordering::Greater => Err(MirrorError::OtherOwner(batch.fence)),
        });
        let is_over = applied.as_ref().map_or_else(|error| !matches!(error, MirrorError::Gap { .. }), |over| *over);
        if is_of_owner && applied.is_ok() {
            reports.into_iter().for_each(|(number, progress)| self.live.report_numbered(number, progress));
        }
        if is_over || self.live.read(TurnLog::has_ended) {
            self.live.close();
        }
        applied.map(drop)
    }

    /// Returns the mirrored turn.
    pub fn live(&self) -> &Arc<LiveTurn> {
        &self.live
    }

    /// Returns the position up to which the original was mirrored.
    pub fn position(&self) -> LogPosition {
        self.live.read(TurnLog::position)
    }

    /// Ends the mirror, because the original cannot be reached. Its followers look up the owner of the turn again.
    pub fn detach(self) {
        self.live.close();
    }
}
