//! Reading a session's state at one moment, and pages of its messages and turns.

use std::ops::Range;

use turnkit_core::ports::{MessagePage, SessionState, StoredMessage, TurnList, TurnPage, UnfinishedTurns};
use turnkit_core::{QueuedTurn, Scope, SessionId, StoreError, TraceId, TurnId, TurnOverview, TurnRecord, TurnState};

use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn session_state(&self, scope: &Scope, session: SessionId) -> Result<SessionState, StoreError> {
        let (place, row) = self.session(scope, session)?;
        let head = self.branch(place, row.head).pop();
        let begun = self.turns.iter().filter(|turn| turn.session == place && turn.has_begun());
        let named = |turn: &TurnRow| (turn.id, turn.number);
        Ok(SessionState {
            session: self.summary(row),
            active: head.filter(|turn| turn.state.is_active()).map(named),
            last_begun: begun.max_by_key(|turn| turn.number).map(named),
            head: head.map(named),
            queue: self.queue(place),
        })
    }

    pub(super) fn queue(&self, session: usize) -> Vec<QueuedTurn> {
        let mut queue: Vec<_> = self.queued(session).map(|place| &self.turns[place]).map(TurnRow::queued).collect();
        queue.sort_by_key(|turn| turn.number);
        queue
    }

    pub(super) fn unfinished_turns(&self, scope: &Scope, session: SessionId) -> Result<UnfinishedTurns, StoreError> {
        let place = self.session(scope, session)?.0;
        let active = self.active(place).map(|active| self.turns[active].id);
        Ok(UnfinishedTurns { active, queue: self.queue(place).into_iter().map(|turn| turn.id).collect() })
    }

    pub(super) fn message_page(
        &self,
        scope: &Scope,
        session: SessionId,
        page: MessagePage,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let (place, row) = self.session(scope, session)?;
        let before = page.before.unwrap_or((u32::MAX, u32::MAX));
        let last = page.before.map_or(row.head, |(number, _)| Some(number));
        let branch = self.branch(place, last).into_iter().rev().filter(|turn| turn.state != TurnState::Queued);
        let messages = branch.flat_map(TurnRow::newest_first);
        let messages = messages.filter(|one| page.context || !one.message.is_hidden());
        Ok(messages.filter(|one| (one.turn_number, one.place) < before).take(page.limit as usize).collect())
    }

    pub(super) fn turn_page(&self, scope: &Scope, page: &TurnPage) -> Result<TurnList, StoreError> {
        let session = page.session.map(|id| self.session(scope, id)).transpose()?.map(|(place, _)| place);
        let of_user = |turn: &&TurnRow| self.session_of(turn).scope == *scope && !self.session_of(turn).deleted;
        let mut turns: Vec<_> = self.turns.iter().filter(of_user).collect();
        turns.retain(|turn| session.is_none_or(|session| turn.session == session));
        turns.reverse();
        let first = match page.after {
            Some(after) => 1 + turns.iter().position(|turn| turn.id == after).ok_or(StoreError::NotFound)?,
            None => 0,
        };
        let mut rest = turns.into_iter().skip(first).filter_map(|turn| self.listed(turn, page));
        let turns: Vec<_> = rest.by_ref().take(page.limit as usize).collect();
        let next = rest.next().and(turns.last()).map(|last| last.id);
        Ok(TurnList { turns, unreadable: Vec::new(), next })
    }

    /// Returns a turn as the page shows it, if it meets the conditions.
    fn listed(&self, turn: &TurnRow, page: &TurnPage) -> Option<TurnRecord> {
        let record = self.record(turn);
        let of_log = match &turn.outline {
            Some(outline) => TurnOverview::of_outline(outline),
            None => TurnOverview::of_log(&turn.chunks),
        };
        let overview = TurnOverview { title: self.session_of(turn).title.clone(), ..of_log };
        let is_wanted = page.state.is_none_or(|state| turn.state == state)
            && page.filter.accepts(&record)
            && page.filter.accepts_overview(&overview);
        is_wanted.then(|| TurnRecord { overview: page.overviews.then(|| Box::new(overview)), ..record })
    }

    pub(super) fn numbered_turns(
        &self,
        scope: &Scope,
        session: SessionId,
        numbers: &Range<u32>,
    ) -> Result<TurnList, StoreError> {
        let place = self.session(scope, session)?.0;
        let wanted = |turn: &&TurnRow| turn.session == place && numbers.contains(&turn.number);
        let mut turns: Vec<_> = self.turns.iter().filter(wanted).map(|turn| self.record(turn)).collect();
        turns.sort_by_key(|turn| turn.number);
        Ok(TurnList { turns, ..TurnList::default() })
    }

    pub(super) fn turn_after(
        &self,
        scope: &Scope,
        session: SessionId,
        number: u32,
    ) -> Result<Option<(TurnId, u32)>, StoreError> {
        let place = self.session(scope, session)?.0;
        let later = self.turns.iter().filter(|turn| turn.session == place && turn.number > number);
        let next = later.filter(|turn| turn.state != TurnState::Queued).min_by_key(|turn| turn.number);
        Ok(next.map(|turn| (turn.id, turn.number)))
    }
}

impl TurnRow {
    fn queued(&self) -> QueuedTurn {
        let input = self.messages.first().map(|entry| entry.message().clone());
        let input = input.unwrap_or_else(|| turnkit_core::Message::user(""));
        QueuedTurn { id: self.id, number: self.number, input, steering: self.steering }
    }

    fn newest_first(&self) -> impl Iterator<Item = StoredMessage> {
        let places = (0..).zip(&self.messages).map(|(place, entry)| StoredMessage {
            turn: self.id,
            turn_number: self.number,
            place,
            message: entry.message().clone(),
            trace: self.trace.unwrap_or(TraceId::of(self.id)),
        });
        places.collect::<Vec<_>>().into_iter().rev()
    }
}
