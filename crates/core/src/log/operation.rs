//! Log operations: changes of a log that can be sent to another process, which builds a [`Mirror`](crate::Mirror) from
//! them.
//!
//! Operations are read from the log itself, as events are. The log does not collect them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AttemptText, LogEntry, TurnLog, Walk};
use crate::{Entry, Fence, Fold, Part, Piece, Recorded, SessionId, Str, Timestamp, ToolProgress, TurnId};

/// Consecutive operations of one log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogBatch {
    /// The id of the turn.
    pub turn: TurnId,
    /// The fence of the owner that sends the operations.
    pub fence: Fence,
    /// The position that the first operation follows.
    pub after: LogPosition,
    /// The operations.
    pub operations: Vec<LogOperation>,
}

/// The position up to which a log has been read. The default is the beginning of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogPosition {
    /// The number of the last event.
    pub seq: u32,
    /// The number of messages.
    pub messages: u32,
}

/// A visible change of a log. A boundary becomes an operation once it is committed; the pieces of the running attempt
/// are provisional.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogOperation {
    /// The log begins.
    Begin {
        /// The turn's session.
        session: SessionId,
        /// The number of the turn in its session.
        number: u32,
        /// The number of the event before the first one.
        base: u32,
    },
    /// A message is added to the turn.
    Message {
        /// The index of the message in the turn, from 0.
        place: u32,
        /// The message.
        message: Arc<Entry>,
    },
    /// An entry is added to the log. A closed attempt replaces the open attempt with the same first event.
    Entry {
        /// The number of the entry's first event.
        seq: u32,
        /// The fence under which the entry was written.
        fence: Fence,
        /// The entry.
        entry: Box<LogEntry>,
    },
    /// The answer of a model attempt begins.
    Open {
        /// The number of the attempt's first event.
        seq: u32,
        /// The fence of the owner that made the attempt.
        fence: Fence,
        /// When it began.
        at: Timestamp,
        /// The step.
        step: u16,
        /// The provider that answers.
        provider: Str,
        /// The model that answers.
        model: Str,
    },
    /// The open attempt produces more output.
    Show {
        /// The number of the first piece's event. Each piece is one event.
        seq: u32,
        /// The pieces.
        pieces: Vec<Piece>,
    },
    /// A progress report of a running call. It does not change the log.
    Progress {
        /// The number of the report.
        number: u32,
        /// The report.
        progress: ToolProgress,
    },
    /// The owner stops writing although the turn has not ended.
    Detach,
}

/// The position of a reader that reads a log as operations.
#[derive(Debug)]
pub(crate) struct OperationWalk {
    walk: Walk,
    messages: usize,
    /// The first event of the last closed attempt that was read.
    closed: u32,
    has_begun: bool,
}

impl OperationWalk {
    /// The most events per read. A closed attempt counts as one.
    const MAX_AT_ONCE: u32 = 256;
    /// The number of bytes of messages and entries after which a read stops.
    const MAX_BYTES: usize = 256 * 1024;

    pub(crate) fn after(position: LogPosition) -> Self {
        Self {
            walk: Walk::after(position.seq),
            messages: position.messages as usize,
            closed: 0,
            has_begun: position != LogPosition::default(),
        }
    }

    pub(crate) fn position(&self) -> LogPosition {
        LogPosition { seq: self.walk.seq(), messages: u32::try_from(self.messages).unwrap_or(u32::MAX) }
    }
}

impl TurnLog {
    /// Appends the visible operations after `place` to `out`, and moves `place` to the last of them.
    pub(crate) fn read_operations(&self, place: &mut OperationWalk, out: &mut Vec<LogOperation>) {
        if !place.has_begun {
            out.push(LogOperation::Begin { session: self.session, number: self.number, base: self.base });
            place.has_begun = true;
            place.walk.skip_to(self.base);
        }
        place.walk.at_most(OperationWalk::MAX_AT_ONCE);
        if place.walk.ahead(self.last_visible_seq()) == 0 {
            return;
        }
        let mut bytes = 0;
        for message in self.messages[..self.visible_messages].iter().skip(place.messages) {
            bytes += message.message().parts.iter().map(Part::text_bytes).sum::<usize>();
            let message = Arc::clone(message);
            out.push(LogOperation::Message { place: place.position().messages, message });
            place.messages += 1;
            if bytes >= OperationWalk::MAX_BYTES {
                return;
            }
        }
        // Start at the entry of the last event that was read. If that is an attempt, it may have been closed since.
        let visible = &self.slots[..self.visible];
        let from = visible.partition_point(|slot| slot.first <= place.walk.seq()).saturating_sub(1);
        for (index, slot) in visible.iter().enumerate().skip(from) {
            if place.walk.is_done() || bytes >= OperationWalk::MAX_BYTES {
                return;
            }
            bytes += slot.entry.text_bytes();
            let (seq, fence, is_new) = (slot.first, slot.fence, slot.first > place.walk.seq());
            let is_attempt = matches!(slot.entry.kind, Recorded::Attempt { .. });
            if is_attempt && index + 1 == self.visible {
                self.read_pieces(index, place, out);
            } else if is_new || (is_attempt && place.closed != seq) {
                out.push(LogOperation::Entry { seq, fence, entry: Box::new(slot.entry.clone()) });
                place.walk.skip_to(self.last_seq_of(index));
                place.closed = if is_attempt { seq } else { place.closed };
            }
        }
    }

    /// Reads the last attempt piece by piece. Even if it is closed, its closing is not committed before another entry
    /// follows.
    fn read_pieces(&self, index: usize, place: &mut OperationWalk, out: &mut Vec<LogOperation>) {
        let slot = &self.slots[index];
        let Recorded::Attempt { step, provider, model, timeline, message, withdrawn } = &slot.entry.kind else {
            return;
        };
        if slot.first > place.walk.seq() {
            let (seq, fence, at) = (slot.first, slot.fence, slot.entry.at);
            let (provider, model) = (provider.clone(), model.clone());
            out.push(LogOperation::Open { seq, fence, at, step: *step, provider, model });
            place.walk.skip_to(seq);
        }
        let open = self.open.as_ref().filter(|_| index + 1 == self.slots.len());
        let text = AttemptText::of_attempt(*message, withdrawn, open, &self.messages);
        let (seq, mut pieces) = (place.walk.next_seq(), Vec::new());
        let show = |_, shown| pieces.push(text.piece(shown));
        place.walk.pieces(slot.first, open.map_or(timeline, Fold::timeline), &text, show);
        if !pieces.is_empty() {
            out.push(LogOperation::Show { seq, pieces });
        }
    }
}
