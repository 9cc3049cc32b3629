//! Who owns a turn.

use turnkit_core::{Claim, Claimed, Deaths, Release, StoreError, Timestamp, TurnId, TurnPhase, Unfinished, WorkerId};

use super::Flaw;
use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn unfinished(&self, worker: &WorkerId, flaw: Option<Flaw>) -> Vec<Unfinished> {
        let may = |turn: &TurnRow| match turn.state {
            TurnPhase::Running | TurnPhase::Cancelling => turn.owner.as_ref() != Some(worker),
            TurnPhase::Queued => self.is_next(turn),
            TurnPhase::Waiting | TurnPhase::Ended(_) => false,
        };
        let unfinished = |turn: &TurnRow| Unfinished { turn: turn.id, deaths: turn.deaths };
        let mut found: Vec<Unfinished> = self.turns.iter().filter(|turn| may(turn)).map(unfinished).collect();
        if flaw == Some(Flaw::DoubleClaim) {
            found.extend(found.clone());
        }
        found
    }

    pub(super) fn claim(
        &mut self,
        worker: &WorkerId,
        turn: TurnId,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Option<Claimed> {
        let place = self.place(turn)?;
        let row = &self.turns[place];
        match row.state {
            TurnPhase::Running | TurnPhase::Cancelling if row.owner.as_ref() != Some(worker) => {
                self.unsynced = None;
                Some(self.take(place, worker))
            }
            TurnPhase::Running if flaw == Some(Flaw::DoubleClaim) => Some(self.claimed(place, worker)),
            TurnPhase::Queued if self.is_next(row) => {
                self.unsynced = None;
                Some(self.begin(place, worker, at))
            }
            _ => None,
        }
    }

    pub(super) fn suspend(&mut self, turn: TurnId) {
        if let Some(place) = self.place(turn) {
            let turn = &mut self.turns[place];
            turn.suspended = turn.owner.is_none() && turn.state.is_active();
        }
    }

    pub(super) fn release(&mut self, claim: &Claim, why: Release) -> Result<(), StoreError> {
        let place = self.place(claim.turn()).ok_or(StoreError::Fenced)?;
        let turn = &mut self.turns[place];
        let is_owned_by_another = turn.owner.as_ref().is_some_and(|owner| owner != claim.worker());
        if turn.fence != claim.fence()
            || is_owned_by_another
            || !matches!(turn.state, TurnPhase::Running | TurnPhase::Cancelling)
        {
            return Err(StoreError::Fenced);
        }
        if turn.owner.take().is_some() && why == Release::Unsaved {
            turn.deaths = turn.deaths.and(Deaths::WHOLE);
        }
        Ok(())
    }

    /// The turn of a claim that still holds.
    pub(super) fn owned(&self, claim: &Claim) -> Result<&TurnRow, StoreError> {
        let found = self.place(claim.turn()).map(|place| &self.turns[place]);
        found.filter(|turn| turn.is_owned(claim)).ok_or(StoreError::Fenced)
    }

    fn is_next(&self, turn: &TurnRow) -> bool {
        let first = self.first_queued(turn.session).is_some_and(|place| self.turns[place].id == turn.id);
        first && self.active(turn.session).is_none()
    }
}
