//! The life of a log as values that can be sent to another process, which makes a [`Mirror`](crate::Mirror) of them.
//!
//! Operations are read from the log itself, as events are: no log collects them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AttemptText, LogEntry, TurnLog, Walk};
use crate::{Entry, Fence, Fold, Part, Piece, Recorded, SessionId, Str, Timestamp, ToolProgress, TurnId};

/// Operations of one log that follow on each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogBatch {
    /// The turn.
    pub turn: TurnId,
    /// The owner that sends them.
    pub fence: Fence,
    /// The position that the first operation follows.
    pub after: LogPosition,
    /// The operations.
    pub operations: Vec<LogOperation>,
}

/// How much of a log has been read. By default nothing has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LogPosition {
    /// The last event.
    pub seq: u32,
    /// The number of messages.
    pub messages: u32,
}

/// One change of a log that its followers may see. A boundary becomes an operation once it is committed; the pieces of
/// the running attempt are provisional.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogOperation {
    /// The log begins.
    Begin {
        /// The turn's session.
        session: SessionId,
        /// The turn's number in it.
        number: u32,
        /// The event before the first one.
        base: u32,
    },
    /// The turn has one more message.
    Message {
        /// Its place in the turn, from 0.
        place: u32,
        /// The message.
        message: Arc<Entry>,
    },
    /// The log has one more entry. A closed attempt takes the place of the open one with the same first event.
    Entry {
        /// Its first event.
        seq: u32,
        /// The owner that wrote it.
        fence: Fence,
        /// The entry.
        entry: Box<LogEntry>,
    },
    /// A model attempt begins to answer.
    Open {
        /// Its first event.
        seq: u32,
        /// The owner that made it.
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
    /// The open attempt shows more.
    Show {
        /// The event of the first piece; each piece is one event.
        seq: u32,
        /// The pieces.
        pieces: Vec<Piece>,
    },
    /// A call that runs has reported how far it has come. That is no change of the log.
    Progress {
        /// The number of the report.
        number: u32,
        /// The report.
        progress: ToolProgress,
    },
    /// The owner writes no more, and the turn is not over.
    Detach,
}

/// A reader's place in a log that is read as operations.
#[derive(Debug)]
pub(crate) struct OperationWalk {
    walk: Walk,
    messages: usize,
    /// The first event of the last attempt that was read closed.
    closed: u32,
    has_begun: bool,
}

impl OperationWalk {
    /// The most events that are read at once; a closed attempt counts once.
    const MOST_AT_ONCE: u32 = 256;
    /// From how many bytes of messages and entries on nothing more is read at once.
    const MOST_BYTES: usize = 256 * 1024;

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
    /// Visible operations after `place`, which moves to the last of them.
    pub(crate) fn read_operations(&self, place: &mut OperationWalk, out: &mut Vec<LogOperation>) {
        if !place.has_begun {
            out.push(LogOperation::Begin { session: self.session, number: self.number, base: self.base });
            place.has_begun = true;
            place.walk.skip_to(self.base);
        }
        place.walk.at_most(OperationWalk::MOST_AT_ONCE);
        if place.walk.ahead(self.last_visible_seq()) == 0 {
            return;
        }
        let mut bytes = 0;
        for message in self.messages[..self.visible_messages].iter().skip(place.messages) {
            bytes += message.message().parts.iter().map(Part::text_bytes).sum::<usize>();
            let message = Arc::clone(message);
            out.push(LogOperation::Message { place: place.position().messages, message });
            place.messages += 1;
            if bytes >= OperationWalk::MOST_BYTES {
                return;
            }
        }
        // From the entry of the last event that was read: if that is an attempt, it may have been closed since.
        let visible = &self.slots[..self.visible];
        let from = visible.partition_point(|slot| slot.first <= place.walk.seq()).saturating_sub(1);
        for (index, slot) in visible.iter().enumerate().skip(from) {
            if place.walk.is_done() || bytes >= OperationWalk::MOST_BYTES {
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

    /// Reads the last attempt piece by piece. It may be closed, but that is not committed before an entry follows it.
    fn read_pieces(&self, index: usize, place: &mut OperationWalk, out: &mut Vec<LogOperation>) {
        let slot = &self.slots[index];
        let Recorded::Attempt { step, provider, model, flow, message, withdrawn } = &slot.entry.kind else { return };
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
        place.walk.pieces(slot.first, open.map_or(flow, Fold::flow), &text, show);
        if !pieces.is_empty() {
            out.push(LogOperation::Show { seq, pieces });
        }
    }
}
