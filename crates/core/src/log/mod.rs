//! The log of a turn: events numbered without gaps, and text stored only in the messages that the log refers to.
//!
//! The output of the running model attempt is *provisional*: it is visible at once and durable with the next
//! checkpoint. Boundaries are *staged* first and become visible when their checkpoint has been committed.

mod logged_turn;
mod mirrored;
mod operation;
mod record;
mod replay;
mod walk;

use std::sync::Arc;

pub use logged_turn::{LoggedTurn, replay};
pub use mirrored::MirrorError;
pub(crate) use operation::OperationWalk;
pub use operation::{LogBatch, LogOperation, LogPosition};
pub use record::{Chunk, LOST, LogEntry};
use replay::AttemptText;
pub(crate) use walk::Walk;

use crate::{
    Answer, CallUid, Delta, Entry, Fence, Fold, FoldError, Lineage, Part, PartialAnswer, ProviderError, Recorded,
    SamplingParams, SavedExtent, SavedText, SessionId, Timestamp, ToolDefinition, ToolUse, TraceId, TurnEvent, TurnId,
    TurnKind, TurnRoute,
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
}

/// A log entry, the number of its first event, and the fence under which it was written.
#[derive(Debug)]
struct Slot {
    first: u32,
    fence: Fence,
    entry: LogEntry,
}

/// A position at the end of a log, for a later [`unstage`](TurnLog::unstage). The default is the beginning of the log.
#[derive(Debug, Clone, Copy, Default)]
pub struct StagingMark {
    slots: usize,
    messages: usize,
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

    /// Returns the agent that answers.
    pub fn agent(&self) -> &str {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { agent, .. }) => agent,
            _ => "",
        }
    }

    /// Returns the provider and model that the client requested for this turn, if any.
    pub fn route(&self) -> Option<&TurnRoute> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { route, .. } => route.as_deref(),
            _ => None,
        }
    }

    /// Returns the sampling settings that the client sent for this turn, if any.
    pub fn params(&self) -> Option<&SamplingParams> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { params, .. } => params.as_deref(),
            _ => None,
        }
    }

    /// Returns whether the turn may use tools, if the client set that.
    pub fn tools(&self) -> Option<ToolUse> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { tools, .. } => *tools,
            _ => None,
        }
    }

    /// Returns the mode that the client selected for this turn, if any.
    pub fn mode(&self) -> Option<&str> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { mode, .. } => mode.as_deref(),
            _ => None,
        }
    }

    /// Returns the tools that the client runs itself.
    pub fn client_tools(&self) -> Arc<[ToolDefinition]> {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { client_tools, .. }) => Arc::clone(client_tools),
            _ => Arc::default(),
        }
    }

    /// Returns the parent turn and the inherited data, if this is a sub-agent turn.
    pub fn lineage(&self) -> Option<(TurnId, &Lineage)> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { parent: Some(parent), lineage: Some(lineage), .. } => Some((*parent, lineage)),
            _ => None,
        }
    }

    /// Returns the caller's trace, if the client sent one.
    pub fn caller_trace(&self) -> Option<TraceId> {
        self.slots.first()?.entry.trace()
    }

    /// Returns the purpose of the turn.
    pub fn kind(&self) -> TurnKind {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { kind, .. }) => *kind,
            _ => TurnKind::Message,
        }
    }

    /// Returns the messages of the turn, the user's first.
    pub fn messages(&self) -> &[Arc<Entry>] {
        &self.messages
    }

    /// Appends an entry that is not visible yet.
    pub fn stage(&mut self, at: Timestamp, kind: Recorded) {
        let first = self.last_seq().saturating_add(1);
        self.slots.push(Slot { first, fence: self.fence, entry: LogEntry { at, kind } });
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

    /// Adds a message for staged entries to refer to. Returns its index in the turn.
    pub fn stage_message(&mut self, message: Arc<Entry>) -> u32 {
        self.messages.push(message);
        u32::try_from(self.messages.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns a mark of the current end. [`unstage`](Self::unstage) removes everything that is staged after it.
    pub fn mark(&self) -> StagingMark {
        StagingMark { slots: self.slots.len(), messages: self.messages.len() }
    }

    /// Removes the entries and messages that were staged after `mark` and are not visible.
    pub fn unstage(&mut self, mark: StagingMark) {
        self.slots.truncate(mark.slots.max(self.visible));
        self.messages.truncate(mark.messages.max(self.visible_messages));
    }

    /// Makes staged entries visible before they are durable, as intended for provisional events.
    pub fn reveal(&mut self) {
        self.visible = self.slots.len();
        self.visible_messages = self.messages.len();
    }

    /// Marks all entries as stored and makes them visible.
    pub fn commit(&mut self) {
        self.reveal();
        self.durable = self.slots.len();
    }

    /// Returns the entries that are not stored yet, including staged ones.
    pub fn pending(&self) -> Chunk {
        let slots = &self.slots[self.durable..];
        Chunk {
            fence: self.fence,
            from_seq: slots.first().map_or(self.last_seq().saturating_add(1), |slot| slot.first),
            to_seq: self.last_seq(),
            entries: slots.iter().map(|slot| slot.entry.clone()).collect(),
        }
    }

    /// Begins the answer of a model attempt. It is visible at once.
    pub fn open_attempt(&mut self, at: Timestamp, step: u16, provider: &str, model: &str) {
        let (provider, model) = (provider.into(), model.into());
        self.stage(
            at,
            Recorded::Attempt {
                step,
                provider,
                model,
                timeline: Default::default(),
                message: None,
                withdrawn: Vec::new(),
            },
        );
        self.open = Some(Fold::new(self.turn, step));
        self.reveal();
    }

    /// Adds output of the running attempt. It is visible at once.
    ///
    /// # Errors
    /// The delta does not fit the earlier ones.
    pub fn show(&mut self, delta: &Delta) -> Result<(), FoldError> {
        self.open.as_mut().map_or(Ok(()), |fold| fold.push(delta))
    }

    /// Returns the number of the first event of the running attempt.
    pub fn attempt_seq(&self) -> Option<u32> {
        self.open.as_ref().and(self.slots.last()).map(|slot| slot.first)
    }

    /// Returns `true` if the running attempt has produced output.
    pub fn has_output(&self) -> bool {
        self.open.as_ref().is_some_and(Fold::has_output)
    }

    /// Returns the text that the running attempt added since `extent`, and advances `extent`.
    pub fn take_new_text(&self, extent: &mut SavedExtent) -> Vec<SavedText> {
        self.open.as_ref().map(|fold| fold.take_new_text(extent)).unwrap_or_default()
    }

    /// Returns the complete answer of the running attempt.
    ///
    /// # Errors
    /// The attempt has not reached its finish reason.
    pub fn answer(&self) -> Result<Answer, ProviderError> {
        self.open.clone().unwrap_or_else(|| Fold::new(self.turn, 0)).finish()
    }

    /// Ends the open parts of an interrupted attempt, and returns the parts received so far.
    pub fn break_off(&mut self) -> Option<PartialAnswer> {
        let fold = self.open.as_mut()?;
        fold.break_off();
        Some(fold.clone().abandon())
    }

    /// Closes the attempt. Its text is in message number `message_index` of the turn; without one, its output is void.
    pub fn close_attempt(&mut self, message_index: Option<u32>) {
        let Some(fold) = self.open.take() else { return };
        if let Some(Recorded::Attempt { timeline, message, withdrawn, .. }) =
            self.slots.last_mut().map(|slot| &mut slot.entry.kind)
        {
            if message_index.is_none() {
                *withdrawn = fold.clone().abandon().parts;
            }
            *timeline = fold.into_timeline();
            *message = message_index;
        }
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
