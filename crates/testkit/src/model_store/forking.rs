//! Sessions that start with the history of another session, or with given messages.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnkit_core::ports::{Fork, ImportedTurns, NewSession};
use turnkit_core::{
    ClientCaps, ConflictKind, Deaths, Entry, Fence, Message, Part, Scope, Session, SessionSummary, StoreError,
    Timestamp, TurnId, TurnKind, TurnState, TurnStatus,
};

use super::disk::{Rows, SessionRow, TurnRow};

impl Rows {
    pub(super) fn fork(&mut self, scope: &Scope, fork: Fork) -> Result<SessionSummary, StoreError> {
        let (place, from) = self.session(scope, fork.from)?;
        if from.parent.is_some() {
            return Err(StoreError::Conflict(ConflictKind::OwnedBySubAgent));
        }
        let last = match fork.after {
            Some(turn) => Some(self.over(place, turn)?.ok_or(StoreError::NotFound)?),
            None => self.last_over(place),
        };
        let branch: Vec<TurnRow> = self.branch(place, last).into_iter().cloned().collect();
        let mut session = Session::new(fork.new, from.session.agent.clone(), fork.at);
        session.metadata = from.session.metadata.clone();
        (session.prompt, session.params) = (from.session.prompt.clone(), from.session.params.clone());
        (session.tools, session.mode) = (from.session.tools, from.session.mode.clone());
        let title = fork.title.clone().unwrap_or_else(|| from.title.clone());
        self.unsynced = None;
        self.sessions.push(SessionRow {
            scope: scope.clone(),
            session,
            title,
            head: None,
            ephemeral: false,
            parent: None,
            pinned: false,
            archived: false,
            deleted: false,
        });
        let new = self.sessions.len() - 1;
        for (number, turn) in (1..).zip(branch) {
            let row = &mut self.sessions[new];
            (row.session.turns, row.head) = (number, Some(number));
            self.turns.push(turn.copied_to(new, number, fork.turn_number(number)));
        }
        Ok(self.summary(&self.sessions[new]))
    }

    pub(super) fn import(
        &mut self,
        scope: &Scope,
        session: NewSession,
        imported: ImportedTurns,
    ) -> Result<SessionSummary, StoreError> {
        let ImportedTurns { turns, head } = imported;
        let mut count = 0;
        for turn in &turns {
            if turn.after.is_some_and(|after| after == 0 || after > count) {
                return Err(StoreError::Conflict(ConflictKind::NotInSession));
            }
            self.check_blobs(scope, &turn.blobs)?;
            count += 1;
        }
        if head.is_some_and(|head| head == 0 || head > count) {
            return Err(StoreError::Conflict(ConflictKind::NotInSession));
        }
        self.create(scope, session)?;
        let new = self.sessions.len() - 1;
        for (number, turn) in (1..).zip(turns) {
            let messages = turn.messages.into_iter().map(Entry::new).collect();
            self.turns.push(TurnRow {
                number,
                after: turn.after,
                state: TurnState::Ended(turn.status),
                blobs: turn.blobs,
                trace: turn.trace,
                kind: turn.kind,
                ended_at: Some(turn.ended_at),
                ..TurnRow::finished(turn.id, new, turn.agent, turn.accepted_at, messages)
            });
        }
        let row = &mut self.sessions[new];
        (row.session.turns, row.head) = (count, head);
        Ok(self.summary(&self.sessions[new]))
    }

    /// Adds a finished first turn without a log that contains the earlier messages of a session. Adds nothing if there
    /// are none.
    pub(super) fn add_prologue(&mut self, session: usize, id: TurnId, messages: Vec<Arc<Entry>>, at: Timestamp) {
        if messages.is_empty() {
            return;
        }
        let row = &mut self.sessions[session];
        (row.session.turns, row.head) = (1, Some(1));
        let agent = row.session.agent.as_str().into();
        self.turns.push(TurnRow::finished(id, session, agent, at, messages));
    }

    /// Returns the number of a finished turn, or `None` if the session has no such turn. For a turn dropped from the
    /// queue, returns the turn it asked to continue, or else the last one that began before it.
    fn over(&self, session: usize, turn: TurnId) -> Result<Option<u32>, StoreError> {
        let Some(asked) = self.turns.iter().find(|row| row.id == turn && row.session == session) else {
            return Ok(None);
        };
        let dropped = !asked.has_begun() && asked.ended_at.is_some();
        let most = match asked.after {
            Some(after) if dropped => after,
            None if dropped && !asked.continues_head => 0,
            _ => asked.number,
        };
        let begun = self.turns.iter().filter(|row| row.session == session && row.has_begun());
        let Some(last) = begun.filter(|row| row.number <= most).max_by_key(|row| row.number) else {
            return Ok(None);
        };
        match [asked, last].iter().all(|row| row.ended_at.is_some()) {
            true => Ok(Some(last.number)),
            false => Err(StoreError::Conflict(ConflictKind::TurnNotEnded)),
        }
    }

    /// Returns the number of an ended turn, which the session must contain.
    pub(super) fn in_session(&self, session: usize, turn: TurnId) -> Result<u32, StoreError> {
        self.over(session, turn)?.ok_or(StoreError::Conflict(ConflictKind::NotInSession))
    }

    /// Returns the last turn that began, or the turn it continues while it has not ended.
    fn last_over(&self, session: usize) -> Option<u32> {
        let head = self.sessions[session].head?;
        match self.active(session) {
            Some(active) => self.turns[active].after,
            None => Some(head),
        }
    }
}

impl TurnRow {
    /// Creates the finished first turn of a session, without a log.
    fn finished(id: TurnId, session: usize, agent: Box<str>, at: Timestamp, messages: Vec<Arc<Entry>>) -> Self {
        Self {
            id,
            session,
            number: 1,
            after: None,
            continues_head: true,
            agent,
            caps: ClientCaps { interact: false, resume: false },
            state: TurnState::Ended(TurnStatus::Completed),
            stop: None,
            fence: Fence(0),
            owner: None,
            attempts: 0,
            deaths: Deaths::default(),
            suspended: false,
            messages,
            blobs: Vec::new(),
            machine: None,
            calls: BTreeMap::new(),
            chunks: Vec::new(),
            partials: Vec::new(),
            acknowledged_partials: Vec::new(),
            accepted_at: at,
            started_at: at,
            ended_at: Some(at),
            usage: None,
            trace: None,
            anchor: None,
            waits: BTreeMap::new(),
            kind: TurnKind::Message,
            chore: false,
            steering: false,
            steered_into: None,
            parent: None,
            outline: None,
        }
    }

    /// Copies the turn with its messages, as turn `number` of another session. The log stays with the original.
    fn copied_to(self, session: usize, number: u32, id: TurnId) -> Self {
        let messages = self.messages.iter().map(|entry| Entry::new(with_calls_of(entry.message(), id))).collect();
        let caps = ClientCaps { interact: false, resume: false };
        Self {
            id,
            session,
            number,
            after: number.checked_sub(1).filter(|after| *after > 0),
            caps,
            messages,
            waits: BTreeMap::new(),
            stop: None,
            fence: Fence(0),
            owner: None,
            attempts: 0,
            calls: BTreeMap::new(),
            chunks: Vec::new(),
            partials: Vec::new(),
            acknowledged_partials: Vec::new(),
            usage: None,
            chore: false,
            steering: false,
            steered_into: None,
            parent: None,
            outline: None,
            ..self
        }
    }
}

fn with_calls_of(message: &Message, turn: TurnId) -> Message {
    let mut message = message.clone();
    for part in &mut message.parts {
        match part {
            Part::ToolCall(call) => call.uid.turn = turn,
            Part::ToolResult(result) => result.uid.turn = turn,
            _ => {}
        }
    }
    message
}
