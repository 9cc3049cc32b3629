//! The log of a turn: events numbered without gaps, and text stored only in the messages that the log refers to.
//!
//! The output of the running model attempt is *provisional*: it is visible at once and durable with the next
//! checkpoint. Boundaries are *staged* first and become visible when their checkpoint has been committed.

mod attempt;
mod logged_turn;
mod mirrored;
mod operation;
mod record;
mod replay;
mod staging;
mod start;
mod walk;

use std::sync::Arc;

pub use logged_turn::{LoggedTurn, replay};
pub use mirrored::MirrorError;
pub(crate) use operation::OperationWalk;
pub use operation::{LogBatch, LogOperation, LogPosition};
pub use record::{Chunk, LOST, LogEntry};
use replay::AttemptText;
pub use staging::StagingMark;
pub(crate) use walk::Walk;

use crate::{
    CallUid, Entry, FailedAttempt, Fence, Fold, Part, Recorded, SessionId, Timestamp, TraceId, TurnEvent, TurnId,
};

/// The most events for which space is reserved before they are read.
const MAX_RESERVED: u32 = 1_024;
/// The memory overhead of a message besides its text, in bytes.
const MESSAGE_OVERHEAD: usize = 512;
/// The memory overhead of a log besides its contents, in bytes: the shared allocation and its entry in the registry.
const LOG_OVERHEAD: usize = 1_024;

/// The in-memory log of one turn. Its owner writes it, and its followers read it.
#[derive(Debug)]
pub struct TurnLog {
    session: SessionId,
    turn: TurnId,
    number: u32,
    fence: Fence,
    messages: Vec<Arc<Entry>>,
    visible_messages: usize,
    /// The number of the last event before the first slot.
    base: u32,
    slots: Vec<Slot>,
    /// Slots below this index are visible.
    visible: usize,
    /// Slots below this index are stored.
    durable: usize,
    open: Option<Fold>,
    /// The last step with failed attempts at its model call, and these attempts.
    failed: Option<(u16, Vec<FailedAttempt>)>,
}

/// A log entry, the number of its first event, and the fence under which it was written.
#[derive(Debug)]
struct Slot {
    first: u32,
    fence: Fence,
    entry: LogEntry,
}

impl TurnLog {
    /// Creates an empty log.
    pub fn new(session: SessionId, turn: TurnId, number: u32, fence: Fence) -> Self {
        Self {
            session,
            turn,
            number,
            fence,
            messages: Vec::new(),
            visible_messages: 0,
            base: 0,
            slots: Vec::new(),
            visible: 0,
            durable: 0,
            open: None,
            failed: None,
        }
    }

    /// Restores a stored log. Its new owner writes with `fence`.
    pub fn restore(stored: LoggedTurn, fence: Fence) -> Self {
        let mut log = Self::new(stored.session, stored.turn, stored.number, fence);
        log.messages = stored.messages;
        for chunk in stored.chunks {
            let mut first = chunk.from_seq;
            for entry in chunk.entries {
                let events = entry.events();
                log.slots.push(Slot { first, fence: chunk.fence, entry });
                first = first.saturating_add(events);
            }
        }
        log.commit();
        log
    }

    /// Continues the log after event `last_seq`, for a host that stores the messages of a turn but not its events.
    pub fn resume_after(self, messages: Vec<Arc<Entry>>, last_seq: u32) -> Self {
        Self { visible_messages: messages.len(), messages, base: last_seq, ..self }
    }

    /// Returns the id of the turn.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Returns the id of the turn's session.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Returns the number of the turn in its session.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the fence of the turn's owner.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// Hands the log over to the next owner.
    pub fn set_fence(&mut self, fence: Fence) {
        self.fence = fence;
    }

    /// Returns the time at which the last entry was written.
    pub fn last_at(&self) -> Option<Timestamp> {
        self.slots.last().map(|slot| slot.entry.at)
    }

    /// Returns the number of the last event, visible or not.
    pub fn last_seq(&self) -> u32 {
        self.slots.len().checked_sub(1).map_or(self.base, |index| self.last_seq_of(index))
    }

    /// Returns the number of the last visible event.
    pub fn last_visible_seq(&self) -> u32 {
        self.visible.checked_sub(1).map_or(self.base, |index| self.last_seq_of(index))
    }

    /// Returns `true` if the terminal event is visible.
    pub fn has_ended(&self) -> bool {
        self.slots[..self.visible].last().is_some_and(|slot| matches!(slot.entry.kind, Recorded::TurnEnded { .. }))
    }

    /// Returns the messages of the turn, the user's first.
    pub fn messages(&self) -> &[Arc<Entry>] {
        &self.messages
    }

    /// Reports whether a call is running, according to the visible entries. Returns `None` before its start is visible.
    pub fn is_call_running(&self, call: CallUid) -> Option<bool> {
        self.slots[..self.visible].iter().rev().find_map(|slot| match &slot.entry.kind {
            Recorded::ToolStarted { uid } if *uid == call => Some(true),
            Recorded::ToolFinished { uid, .. } if *uid == call => Some(false),
            _ => None,
        })
    }

    /// Reports whether the log already contains this notice.
    pub fn has_notice(&self, code: &str, text: &str) -> bool {
        let is_same = |entry: &LogEntry| match &entry.kind {
            Recorded::Notice { code: before, text: said } => (&**before, &**said) == (code, text),
            _ => false,
        };
        self.slots.iter().any(|slot| is_same(&slot.entry))
    }

    /// Returns the approximate memory use of the log in bytes, including its overhead.
    pub fn bytes(&self) -> usize {
        let text: usize = self.messages.iter().flat_map(|entry| &entry.message().parts).map(Part::text_bytes).sum();
        let open = self.open.as_ref().map_or(0, Fold::bytes);
        let own: usize = self.slots.iter().map(|slot| slot.entry.text_bytes()).sum();
        let pieces = self.last_seq() as usize * size_of::<u32>() + self.slots.len() * size_of::<Slot>();
        text + own + open + pieces + self.messages.len() * MESSAGE_OVERHEAD + LOG_OVERHEAD
    }

    /// Returns all entries, in order, including staged ones.
    pub fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.slots.iter().map(|slot| &slot.entry)
    }

    /// Returns all visible events.
    pub fn events(&self) -> Vec<TurnEvent> {
        let mut events = Vec::new();
        self.read(&mut Walk::after(self.base), &mut events);
        events
    }

    /// Appends the visible events after `walk` to `out`, up to the limit of the walk, and moves `walk` to the last of
    /// them.
    pub(crate) fn read(&self, walk: &mut Walk, out: &mut Vec<TurnEvent>) {
        let ahead = walk.ahead(self.last_visible_seq());
        if ahead == 0 {
            return;
        }
        // Reserve no more than what is read, because an idle reader keeps the allocation. The cap protects against a
        // damaged log that claims more events than fit in memory.
        out.reserve_exact(ahead.min(MAX_RESERVED) as usize);
        let visible = &self.slots[..self.visible];
        let from = visible.partition_point(|slot| slot.first <= walk.next_seq()).saturating_sub(1);
        let trace = self.caller_trace().unwrap_or(TraceId::of(self.turn));
        for (index, slot) in visible.iter().enumerate().skip(from) {
            if walk.is_done() {
                return;
            }
            let open = self.open.as_ref().filter(|_| index + 1 == self.slots.len());
            let before = index.checked_sub(1).and_then(|before| visible.get(before)).map(|slot| &slot.entry);
            let about = (self.session, trace);
            walk.expand((slot.first, slot.fence), (before, &slot.entry), open, about, &self.messages, out);
        }
    }

    /// Returns the fence under which a visible event was written.
    pub fn fence_of(&self, seq: u32) -> Option<Fence> {
        let index = self.slots[..self.visible].partition_point(|slot| slot.first <= seq).checked_sub(1)?;
        (seq <= self.last_visible_seq()).then(|| self.slots[index].fence)
    }

    /// Returns the number of the last event of the entry in a slot.
    fn last_seq_of(&self, index: usize) -> u32 {
        let open = self.open.as_ref().filter(|_| index + 1 == self.slots.len());
        let events = open.map_or_else(|| self.slots[index].entry.events(), |fold| 1 + fold.timeline().events());
        self.slots[index].first.saturating_add(events - 1)
    }
}
