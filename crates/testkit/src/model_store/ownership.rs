//! Ownership of turns.

use turnkit_core::{
    Claim, ClaimedTurn, Deaths, OrphanedTurn, Release, StoreError, SweepOutcome, Timestamp, TurnId, TurnState, WorkerId,
};

use super::Flaw;
use super::disk::{Rows, TurnRow};

impl Rows {
    /// Returns the turns without an owner that may run, oldest first.
    fn unowned(&self, flaw: Option<Flaw>) -> impl Iterator<Item = &TurnRow> {
        self.turns.iter().filter(move |turn| match turn.state {
            TurnState::Running | TurnState::Cancelling => turn.owner.is_none(),
            TurnState::Queued => self.is_next(turn, flaw),
            TurnState::Waiting | TurnState::Ended(_) => false,
        })
    }

    pub(super) fn swept(&self, worker: &WorkerId, flaw: Option<Flaw>) -> SweepOutcome {
        let own = self.turns.iter().filter(|turn| turn.owner.as_ref() == Some(worker));
        let is_named = |turn: &TurnRow| turn.state == TurnState::Cancelling && flaw != Some(Flaw::StopLostInSweep);
        let stops = own.filter(|turn| is_named(turn));
        let suspects = self.unowned(flaw).filter(|turn| is_suspicious(turn));
        SweepOutcome {
            stops: stops.filter_map(|turn| Some((turn.id, turn.stop?))).collect(),
            suspects: suspects.map(|turn| OrphanedTurn { turn: turn.id, deaths: turn.deaths }).collect(),
        }
    }

    pub(super) fn claim_oldest(
        &mut self,
        worker: &WorkerId,
        most: usize,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Vec<ClaimedTurn> {
        let mut found: Vec<TurnId> =
            self.unowned(flaw).filter(|turn| !is_suspicious(turn)).map(|turn| turn.id).take(most).collect();
        if flaw == Some(Flaw::DoubleClaim) {
            found.extend(found.clone());
        }
        found.into_iter().filter_map(|turn| self.claim(worker, turn, at, flaw)).collect()
    }

    pub(super) fn claim(
        &mut self,
        worker: &WorkerId,
        turn: TurnId,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Option<ClaimedTurn> {
        let place = self.place(turn)?;
        let row = &self.turns[place];
        match row.state {
            TurnState::Running | TurnState::Cancelling if row.owner.is_none() => {
                self.unsynced = None;
                if flaw == Some(Flaw::StopLostInHandOver) {
                    let turn = &mut self.turns[place];
                    (turn.state, turn.stop) = (TurnState::Running, None);
                }
                Some(self.take(place, worker, flaw))
            }
            TurnState::Running if flaw == Some(Flaw::DoubleClaim) => Some(self.claimed(place, worker)),
            TurnState::Queued if self.is_next(row, flaw) => {
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

    pub(super) fn release(&mut self, claim: &Claim, why: Release, flaw: Option<Flaw>) -> Result<(), StoreError> {
        let place = self.place(claim.turn()).ok_or(StoreError::Fenced)?;
        let turn = &mut self.turns[place];
        let is_owned_by_another = turn.owner.as_ref().is_some_and(|owner| owner != claim.worker());
        let is_owned_by_another = is_owned_by_another && flaw != Some(Flaw::OwnerNotChecked);
        if turn.fence != claim.fence()
            || is_owned_by_another
            || !matches!(turn.state, TurnState::Running | TurnState::Cancelling)
        {
            return Err(StoreError::Fenced);
        }
        let is_of_owner = turn.is_owned(claim, None) || turn.owner.is_none();
        if !is_of_owner {
            self.note_foreign_write(place, claim);
        }
        let turn = &mut self.turns[place];
        if turn.owner.take().is_some() && why == Release::Unsaved {
            turn.deaths = turn.deaths.and(Deaths::WHOLE);
        }
        Ok(())
    }

    /// Returns the turn of a claim that is still valid.
    pub(super) fn owned(&self, claim: &Claim, flaw: Option<Flaw>) -> Result<&TurnRow, StoreError> {
        let found = self.place(claim.turn()).map(|place| &self.turns[place]);
        found.filter(|turn| turn.is_owned(claim, flaw)).ok_or(StoreError::Fenced)
    }

    fn is_next(&self, turn: &TurnRow, flaw: Option<Flaw>) -> bool {
        let first = self.first_queued(turn.session).is_some_and(|place| self.turns[place].id == turn.id);
        first && (self.active(turn.session).is_none() || flaw == Some(Flaw::QueueIgnoredByClaim))
    }
}

/// Returns `true` if the turn saw several deaths, so that only a claim by its id takes it.
fn is_suspicious(turn: &TurnRow) -> bool {
    turn.deaths.count >= Deaths::SUSPICIOUS
}
