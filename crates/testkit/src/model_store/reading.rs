//! Reading turns, and deleting what has expired.

use turnkit_core::ports::DeletedData;
use turnkit_core::{
    Claim, History, LogOutline, LoggedTurn, Message, Scope, SessionId, SteeringMessage, StoreError, StoredTurn,
    Timestamp, TraceId, TurnId, TurnRecord, TurnState, TurnView, replay,
};

use super::Flaw;
use super::changes;
use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn load(&self, claim: &Claim, flaw: Option<Flaw>) -> Result<StoredTurn, StoreError> {
        let turn = self.owned(claim, flaw)?;
        let mut log = self.logged(turn);
        if flaw == Some(Flaw::NumbersReused) && log.chunks.len() > 1 {
            log.chunks.pop();
        }
        let (machine, calls) = (turn.machine.clone(), turn.calls.values().cloned().collect());
        let mut partials = turn.partials.clone();
        partials.sort_by_key(|save| (save.step, save.attempt, save.order));
        let anchor = turn.anchor.clone();
        let is_steered = !self.steering(turn.session).is_empty();
        Ok(StoredTurn { machine, calls, log, partials, anchor, decided: turn.decisions_for_owner(flaw), is_steered })
    }

    /// Returns the messages at the head of the session's queue that steer the claimed turn.
    pub(super) fn steering_messages(
        &self,
        claim: &Claim,
        flaw: Option<Flaw>,
    ) -> Result<Vec<SteeringMessage>, StoreError> {
        let turn = Some(self.owned(claim, flaw)?).filter(|turn| turn.state.is_active());
        let queue = self.steering(turn.ok_or(StoreError::Fenced)?.session);
        let message = |turn: &TurnRow| {
            let message = turn.messages.first()?.message().clone();
            Some(SteeringMessage { turn: turn.id, message })
        };
        Ok(queue.into_iter().filter_map(|place| message(&self.turns[place])).collect())
    }

    pub(super) fn history(&self, claim: &Claim, flaw: Option<Flaw>) -> Result<History, StoreError> {
        let turn = self.owned(claim, flaw)?;
        Ok(match flaw {
            Some(flaw) if Flaw::OF_SMALL_WINDOWS.contains(&flaw) => {
                changes::read(&self.branch(turn.session, turn.after), turn.id, flaw)
            }
            _ => self.model_history(turn.session, turn.after),
        })
    }

    /// Returns the history that a model is sent for a session up to turn number `last`.
    pub(super) fn model_history(&self, session: usize, last: Option<u32>) -> History {
        let messages = self.branch(session, last).into_iter().flat_map(|turn| &turn.messages);
        let mut history = History::of(messages.map(|entry| entry.message().clone()));
        history.restore_anchor(self.numbered(session, last).and_then(|turn| turn.anchor.clone()));
        history
    }

    pub(super) fn log(&self, scope: &Scope, turn: TurnId) -> Result<LoggedTurn, StoreError> {
        let logged = self.logged(self.of_user(scope, turn)?);
        if logged.chunks.is_empty() { Err(StoreError::NotFound) } else { Ok(logged) }
    }

    pub(super) fn record(&self, turn: &TurnRow) -> TurnRecord {
        TurnRecord {
            id: turn.id,
            session: self.session_of(turn).session.id,
            number: turn.number,
            agent: turn.agent.clone(),
            state: turn.state,
            accepted_at: turn.accepted_at,
            ended_at: turn.ended_at,
            usage: turn.usage.clone(),
            owner: turn.owner.clone().filter(|_| turn.ended_at.is_none()),
            after: self.numbered(turn.session, turn.after).map(|after| after.id),
            trace: turn.trace.unwrap_or(TraceId::of(turn.id)),
            kind: turn.kind,
            steering: turn.steering && turn.state == TurnState::Queued,
            steered_into: turn.steered_into,
            parent: turn.parent.map(|wait| wait.call.turn),
            outline: turn.outline.clone(),
            overview: None,
        }
    }

    pub(super) fn logged(&self, turn: &TurnRow) -> LoggedTurn {
        LoggedTurn {
            session: self.session_of(turn).session.id,
            turn: turn.id,
            number: turn.number,
            caps: turn.caps,
            messages: turn.messages.clone(),
            chunks: turn.chunks.clone(),
        }
    }

    /// Returns the visible messages of a session up to turn number `last`.
    pub(super) fn visible_messages(&self, session: usize, last: Option<u32>) -> Vec<Message> {
        let entries = self.branch(session, last).into_iter().flat_map(|turn| &turn.messages);
        entries.map(|entry| entry.message().clone()).filter(|message| !message.is_hidden()).collect()
    }

    pub(super) fn delete_expired(&mut self, before: Timestamp) -> DeletedData {
        let mut deleted = DeletedData::default();
        let over = |turn: &&mut TurnRow| turn.ended_at.is_some_and(|at| at < before) && !turn.chunks.is_empty();
        for turn in self.turns.iter_mut().filter(over) {
            turn.outline = outline(turn);
            turn.chunks.clear();
            turn.calls.clear();
            turn.waits.clear();
            deleted.turns += 1;
        }
        let turns = &self.turns;
        let old = |id| turns.iter().any(|turn| turn.id == id && turn.accepted_at < before);
        self.keys.retain(|_, key| !old(key.turn));
        let over = |turn: &TurnRow| turn.ended_at.is_some_and(|at| at < before);
        for place in 0..self.sessions.len() {
            let row = &self.sessions[place];
            let gone = row.ephemeral && !row.deleted;
            if gone && self.turns.iter().filter(|turn| turn.session == place).all(over) {
                deleted.sessions.push(row.session.id);
                self.remove(place);
            }
        }
        deleted
    }
}

/// Returns what is to be kept of the log of an ended turn.
fn outline(turn: &TurnRow) -> Option<Box<LogOutline>> {
    let logged = LoggedTurn {
        session: SessionId::default(),
        turn: turn.id,
        number: turn.number,
        caps: turn.caps,
        messages: turn.messages.clone(),
        chunks: turn.chunks.clone(),
    };
    serde_json::from_str(&TurnView::of(&replay(&logged, 0)).outline().to_json()?).ok()
}
