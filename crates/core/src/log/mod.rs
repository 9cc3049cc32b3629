//! The one log of a turn: numbered without gaps, text kept only in the messages it refers to.
//!
//! What the running model attempt shows is *provisional*: visible at once, durable with the next checkpoint. Boundaries
//! are *staged* first and become visible when their checkpoint has committed.

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
    Answer, CallUid, Delta, Entry, Fence, Fold, FoldError, Lineage, Part, Partial, ProviderError, Recorded,
    SamplingParams, SavedExtent, SavedText, SessionId, Timestamp, ToolDefinition, ToolUse, TraceId, TurnEvent, TurnId,
    TurnKind, TurnRoute,
};

/// For how many events room is made before they are read.
const MOST_RESERVED: u32 = 1_024;
/// What a message occupies besides its text, in bytes.
const MESSAGE_OVERHEAD: usize = 512;
/// What a log occupies besides what is in it, in bytes: it is shared, and found by its turn.
const LOG_OVERHEAD: usize = 1_024;

/// The log of one turn in memory, as its owner writes it and its followers read it.
#[derive(Debug)]
pub struct TurnLog {
    session: SessionId,
    turn: TurnId,
    number: u32,
    fence: Fence,
    messages: Vec<Arc<Entry>>,
    visible_messages: usize,
    /// The last event before the first slot.
    base: u32,
    slots: Vec<Slot>,
    /// Slots below this index are visible.
    visible: usize,
    /// Slots below this index are in the store.
    durable: usize,
    open: Option<Fold>,
}

/// One entry, the number of its first event, and who owned the turn when it was written.
#[derive(Debug)]
struct Slot {
    first: u32,
    fence: Fence,
    entry: LogEntry,
}

/// The end of a log at one moment; by default its beginning.
#[derive(Debug, Clone, Copy, Default)]
pub struct StagingMark {
    slots: usize,
    messages: usize,
}

impl TurnLog {
    /// An empty log.
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

    /// A log as the store has it, owned by `fence` from now on.
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

    /// A log that goes on after event `last_seq`, for a host that keeps the turn's messages but not its events.
    pub fn go_on(self, messages: Vec<Arc<Entry>>, last_seq: u32) -> Self {
        Self { visible_messages: messages.len(), messages, base: last_seq, ..self }
    }

    /// The turn.
    pub fn turn(&self) -> TurnId {
        self.turn
    }

    /// Its session.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// The turn's number in its session.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Who owns the turn.
    pub fn fence(&self) -> Fence {
        self.fence
    }

    /// Hands the log to its next owner.
    pub fn set_fence(&mut self, fence: Fence) {
        self.fence = fence;
    }

    /// When the last entry was written.
    pub fn last_at(&self) -> Option<Timestamp> {
        self.slots.last().map(|slot| slot.entry.at)
    }

    /// The number of the last event written, visible or not.
    pub fn last_seq(&self) -> u32 {
        self.slots.len().checked_sub(1).map_or(self.base, |index| self.last_seq_of(index))
    }

    /// The number of the last event a follower may see.
    pub fn last_visible_seq(&self) -> u32 {
        self.visible.checked_sub(1).map_or(self.base, |index| self.last_seq_of(index))
    }

    /// Whether the terminal event is visible.
    pub fn has_ended(&self) -> bool {
        self.slots[..self.visible].last().is_some_and(|slot| matches!(slot.entry.kind, Recorded::TurnEnded { .. }))
    }

    /// The agent that answers.
    pub fn agent(&self) -> &str {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { agent, .. }) => agent,
            _ => "",
        }
    }

    /// Who is to answer, if the client said so.
    pub fn route(&self) -> Option<&TurnRoute> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { route, .. } => route.as_deref(),
            _ => None,
        }
    }

    /// The sampling settings that the client gave for this turn, if any.
    pub fn params(&self) -> Option<&SamplingParams> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { params, .. } => params.as_deref(),
            _ => None,
        }
    }

    /// Whether the turn may use tools, if the client said so.
    pub fn tools(&self) -> Option<ToolUse> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { tools, .. } => *tools,
            _ => None,
        }
    }

    /// The mode that the client selected for this turn, if any.
    pub fn mode(&self) -> Option<&str> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { mode, .. } => mode.as_deref(),
            _ => None,
        }
    }

    /// The tools that the client runs itself.
    pub fn client_tools(&self) -> Arc<[ToolDefinition]> {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { client_tools, .. }) => Arc::clone(client_tools),
            _ => Arc::default(),
        }
    }

    /// The turn above it and what it inherits, if it is the turn of a sub-agent.
    pub fn lineage(&self) -> Option<(TurnId, &Lineage)> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { parent: Some(parent), lineage: Some(lineage), .. } => Some((*parent, lineage)),
            _ => None,
        }
    }

    /// The caller's trace, if the client named one.
    pub fn caller_trace(&self) -> Option<TraceId> {
        self.slots.first()?.entry.trace()
    }

    /// The purpose of the turn.
    pub fn kind(&self) -> TurnKind {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { kind, .. }) => *kind,
            _ => TurnKind::Message,
        }
    }

    /// The turn's messages, the user's first.
    pub fn messages(&self) -> &[Arc<Entry>] {
        &self.messages
    }

    /// Writes an entry that is not visible yet.
    pub fn stage(&mut self, at: Timestamp, kind: Recorded) {
        let first = self.last_seq().saturating_add(1);
        self.slots.push(Slot { first, fence: self.fence, entry: LogEntry { at, kind } });
    }

    /// Reports whether a call runs, as far as followers may see: `None` before its start.
    pub fn shows_running(&self, call: CallUid) -> Option<bool> {
        self.slots[..self.visible].iter().rev().find_map(|slot| match &slot.entry.kind {
            Recorded::ToolStarted { uid } if *uid == call => Some(true),
            Recorded::ToolFinished { uid, .. } if *uid == call => Some(false),
            _ => None,
        })
    }

    /// Reports whether the turn has this notice already.
    pub fn has_notice(&self, code: &str, text: &str) -> bool {
        let is_same = |entry: &LogEntry| match &entry.kind {
            Recorded::Notice { code: before, text: said } => (&**before, &**said) == (code, text),
            _ => false,
        };
        self.slots.iter().any(|slot| is_same(&slot.entry))
    }

    /// Adds a message that staged entries refer to; gives its place in the turn.
    pub fn stage_message(&mut self, message: Arc<Entry>) -> u32 {
        self.messages.push(message);
        u32::try_from(self.messages.len() - 1).unwrap_or(u32::MAX)
    }

    /// The place at which [`unstage`](Self::unstage) cuts what is staged from now on.
    pub fn mark(&self) -> StagingMark {
        StagingMark { slots: self.slots.len(), messages: self.messages.len() }
    }

    /// Removes what was staged after `mark` and is not visible.
    pub fn unstage(&mut self, mark: StagingMark) {
        self.slots.truncate(mark.slots.max(self.visible));
        self.messages.truncate(mark.messages.max(self.visible_messages));
    }

    /// Shows what was staged before it is durable, as is right for provisional events.
    pub fn reveal(&mut self) {
        self.visible = self.slots.len();
        self.visible_messages = self.messages.len();
    }

    /// The store has everything up to here: shows it.
    pub fn commit(&mut self) {
        self.reveal();
        self.durable = self.slots.len();
    }

    /// What the store does not have yet, staged entries included.
    pub fn pending(&self) -> Chunk {
        let slots = &self.slots[self.durable..];
        Chunk {
            fence: self.fence,
            from_seq: slots.first().map_or(self.last_seq().saturating_add(1), |slot| slot.first),
            to_seq: self.last_seq(),
            entries: slots.iter().map(|slot| slot.entry.clone()).collect(),
        }
    }

    /// A model attempt begins to answer: shown at once.
    pub fn open_attempt(&mut self, at: Timestamp, step: u16, provider: &str, model: &str) {
        let (provider, model) = (provider.into(), model.into());
        self.stage(
            at,
            Recorded::Attempt { step, provider, model, flow: Default::default(), message: None, withdrawn: Vec::new() },
        );
        self.open = Some(Fold::new(self.turn, step));
        self.reveal();
    }

    /// The running attempt says something: shown at once.
    ///
    /// # Errors
    /// The delta does not fit what came before.
    pub fn show(&mut self, delta: &Delta) -> Result<(), FoldError> {
        self.open.as_mut().map_or(Ok(()), |fold| fold.push(delta))
    }

    /// The first event of the running attempt.
    pub fn attempt_seq(&self) -> Option<u32> {
        self.open.as_ref().and(self.slots.last()).map(|slot| slot.first)
    }

    /// Whether the running attempt has said anything.
    pub fn has_output(&self) -> bool {
        self.open.as_ref().is_some_and(Fold::has_output)
    }

    /// Returns what the running attempt added since `extent`, and advances `extent`.
    pub fn grown(&self, extent: &mut SavedExtent) -> Vec<SavedText> {
        self.open.as_ref().map(|fold| fold.grown(extent)).unwrap_or_default()
    }

    /// The whole answer of the running attempt.
    ///
    /// # Errors
    /// It has not come to its finish reason.
    pub fn answer(&self) -> Result<Answer, ProviderError> {
        self.open.clone().unwrap_or_else(|| Fold::new(self.turn, 0)).finish()
    }

    /// Ends the parts of an attempt that broke off, and gives what is there.
    pub fn break_off(&mut self) -> Option<Partial> {
        let fold = self.open.as_mut()?;
        fold.break_off();
        Some(fold.clone().abandon())
    }

    /// The attempt is over; its text is in the turn's message number `said_in`. Without one, what it said does not count.
    pub fn close_attempt(&mut self, said_in: Option<u32>) {
        let Some(fold) = self.open.take() else { return };
        if let Some(Recorded::Attempt { flow, message, withdrawn, .. }) =
            self.slots.last_mut().map(|slot| &mut slot.entry.kind)
        {
            if said_in.is_none() {
                *withdrawn = fold.clone().abandon().parts;
            }
            *flow = fold.into_flow();
            *message = said_in;
        }
    }

    /// About how many bytes the log occupies, with what is around it.
    pub fn bytes(&self) -> usize {
        let text: usize = self.messages.iter().flat_map(|entry| &entry.message().parts).map(Part::text_bytes).sum();
        let open = self.open.as_ref().map_or(0, Fold::bytes);
        let own: usize = self.slots.iter().map(|slot| slot.entry.text_bytes()).sum();
        let pieces = self.last_seq() as usize * size_of::<u32>() + self.slots.len() * size_of::<Slot>();
        text + own + open + pieces + self.messages.len() * MESSAGE_OVERHEAD + LOG_OVERHEAD
    }

    /// The entries, in order, staged ones included.
    pub fn entries(&self) -> impl Iterator<Item = &LogEntry> {
        self.slots.iter().map(|slot| &slot.entry)
    }

    /// Everything a follower may see.
    pub fn events(&self) -> Vec<TurnEvent> {
        let mut events = Vec::new();
        self.read(&mut Walk::after(self.base), &mut events);
        events
    }

    /// Visible events after `walk`, as many as it may read; it moves to the last of them.
    pub(crate) fn read(&self, walk: &mut Walk, out: &mut Vec<TurnEvent>) {
        let ahead = walk.ahead(self.last_visible_seq());
        if ahead == 0 {
            return;
        }
        // No more room than for what is read: an idle reader keeps it. A damaged log may say that there is more than memory
        // holds.
        out.reserve_exact(ahead.min(MOST_RESERVED) as usize);
        let visible = &self.slots[..self.visible];
        let from = visible.partition_point(|slot| slot.first <= walk.next_seq()).saturating_sub(1);
        let trace = self.caller_trace().unwrap_or(TraceId::of(self.turn));
        for (index, slot) in visible.iter().enumerate().skip(from) {
            if walk.is_done() {
                return;
            }
            let open = self.open.as_ref().filter(|_| index + 1 == self.slots.len());
            walk.expand((slot.first, slot.fence), &slot.entry, open, (self.session, trace), &self.messages, out);
        }
    }

    /// Under which ownership a visible event was shown.
    pub fn fence_of(&self, seq: u32) -> Option<Fence> {
        let index = self.slots[..self.visible].partition_point(|slot| slot.first <= seq).checked_sub(1)?;
        (seq <= self.last_visible_seq()).then(|| self.slots[index].fence)
    }

    /// The last event of the entry in a slot.
    fn last_seq_of(&self, index: usize) -> u32 {
        let open = self.open.as_ref().filter(|_| index + 1 == self.slots.len());
        let events = open.map_or_else(|| self.slots[index].entry.events(), |fold| 1 + fold.flow().events());
        self.slots[index].first.saturating_add(events - 1)
    }
}
