//! Waits of turns, and their decisions.

use turnkit_core::ports::{WaitList, WaitPage};
use turnkit_core::{
    DecidedWait, Denial, ExpiryOutcome, Grant, NewWait, Resolution, ResolveOutcome, Scope, SessionId, StoreError,
    Timestamp, TurnState, Wait, WaitId, WaitKind,
};

use super::Flaw;
use super::disk::{Rows, TurnRow, WaitRow};

impl Rows {
    pub(super) fn wait(&self, scope: &Scope, wait: WaitId) -> Result<Wait, StoreError> {
        let row = self.of_user(scope, wait.call.turn)?.waits.get(&wait);
        row.map(|row| row.wait.clone()).ok_or(StoreError::NotFound)
    }

    pub(super) fn waits(&self, scope: &Scope, page: &WaitPage) -> Result<WaitList, StoreError> {
        let session = page.session.map(|id| self.session(scope, id)).transpose()?.map(|(place, _)| place);
        page.turn.map(|turn| self.of_user(scope, turn)).transpose()?;
        let place_of = |wait: WaitId| (self.place(wait.call.turn), wait);
        let after =
            page.after.map(|after| self.of_user(scope, after.call.turn).map(|_| place_of(after))).transpose()?;
        let turns = self.turns.iter().filter(|turn| {
            let row = self.session_of(turn);
            row.scope == *scope
                && !row.deleted
                && session.is_none_or(|session| {
                    turn.session == session || (page.below && self.is_below(turn.session, session))
                })
                && page.turn.is_none_or(|id| turn.id == id || (page.below && self.is_in_family(turn, id)))
        });
        let mut found = turns.flat_map(|turn| turn.waits.values()).map(|row| &row.wait).filter(|wait| {
            let is_pending = wait.decided.is_none() && wait.kind != WaitKind::Child;
            (is_pending || !page.pending) && after.is_none_or(|after| place_of(wait.id) > after)
        });
        let waits: Vec<_> = found.by_ref().take(page.limit as usize).cloned().collect();
        let next = found.next().and(waits.last()).map(|last| last.id);
        Ok(WaitList { waits, unreadable: Vec::new(), next })
    }

    pub(super) fn resolve(
        &mut self,
        scope: &Scope,
        wait: WaitId,
        resolution: Resolution,
        grant: Option<Grant>,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Result<ResolveOutcome, StoreError> {
        let stored = self.wait(scope, wait)?;
        match stored.decided.filter(|_| flaw != Some(Flaw::DecisionReplaced)) {
            Some((decided, _)) if !decided.is_decision() => return Ok(ResolveOutcome::TooLate),
            Some((decided, _)) if decided == resolution => return Ok(ResolveOutcome::Repeated),
            Some((decided, _)) => return Ok(ResolveOutcome::AlreadyResolved(decided)),
            None => {}
        }
        let place = self.place(wait.call.turn).ok_or(StoreError::NotFound)?;
        let turn = &mut self.turns[place];
        let is_late = at >= stored.expires_at && flaw != Some(Flaw::LateDecisionCounts);
        if is_late || !matches!(turn.state, TurnState::Running | TurnState::Waiting) {
            return Ok(ResolveOutcome::TooLate);
        }
        self.unsynced = None;
        if let Some(grant) = grant {
            self.add_grant(scope, grant);
        }
        let turn = &mut self.turns[place];
        if let Some(row) = turn.waits.get_mut(&wait).filter(|_| flaw != Some(Flaw::DecisionLost)) {
            row.wait.decided = Some((resolution, at));
        }
        Ok(ResolveOutcome::Decided { ready: turn.make_ready(flaw) })
    }

    pub(super) fn expire(&mut self, at: Timestamp, flaw: Option<Flaw>) -> ExpiryOutcome {
        let mut expired = ExpiryOutcome::default();
        self.unsynced = None;
        for turn in &mut self.turns {
            let mut expired_of = None;
            for row in turn.waits.values_mut().filter(|row| row.wait.decided.is_none()) {
                let is_due = match flaw {
                    Some(Flaw::NothingExpires) => false,
                    Some(Flaw::ExpiresEarly) => true,
                    _ => row.wait.expires_at <= at,
                };
                if is_due {
                    row.wait.decided = Some((Resolution::Denied { by: Denial::Expired, note: None }, at));
                    expired_of = Some(row.wait.session);
                } else {
                    expired.next = expired.next.into_iter().chain([row.wait.expires_at]).min();
                }
            }
            expired.sessions.extend(expired_of);
            if expired_of.is_some() && turn.make_ready(flaw) {
                expired.ready.push(turn.id);
            }
        }
        expired
    }
}

impl TurnRow {
    /// Adds waits to the turn.
    pub(super) fn add_waits(&mut self, session: SessionId, waits: Vec<NewWait>, at: Timestamp, flaw: Option<Flaw>) {
        if flaw == Some(Flaw::WaitsLost) {
            return;
        }
        let parent = self.parent.map(|wait| wait.call.turn);
        for NewWait { id, kind, mut question, binding, expires_at } in waits {
            question.question = question.question.filter(|_| flaw != Some(Flaw::QuestionForgotten));
            let wait = Wait { id, session, parent, kind, question, created_at: at, expires_at, decided: None };
            self.waits.insert(id, WaitRow { wait, binding });
        }
    }

    /// Denies all undecided waits of the turn.
    pub(super) fn deny(&mut self, by: Denial, at: Timestamp) {
        for row in self.waits.values_mut() {
            row.wait.decided.get_or_insert((Resolution::Denied { by, note: None }, at));
        }
    }

    /// Returns `true` if the turn has an undecided wait.
    pub(super) fn has_open_waits(&self) -> bool {
        self.waits.values().any(|row| row.wait.decided.is_none())
    }

    /// Returns the decisions that the turn's owner receives from a store with `flaw`.
    pub(super) fn decisions_for_owner(&self, flaw: Option<Flaw>) -> Vec<DecidedWait> {
        let mut decided = self.decided();
        match flaw {
            Some(Flaw::DecisionsNotLoaded) => decided.clear(),
            Some(Flaw::BindingsForgotten) => decided.iter_mut().for_each(|decision| decision.binding = [0; 32]),
            Some(Flaw::DenialTakenForApproval) => {
                let approvals = decided.iter_mut().filter(|one| matches!(one.resolution, Resolution::Denied { .. }));
                approvals.for_each(|denied| denied.resolution = Resolution::APPROVED);
            }
            Some(Flaw::DecisionsExchanged) => {
                if let [first, second, ..] = &mut decided[..] {
                    std::mem::swap(&mut first.resolution, &mut second.resolution);
                }
            }
            _ => {}
        }
        decided
    }

    /// Returns the newest decision about each call of the last step that has waits.
    pub(super) fn decided(&self) -> Vec<DecidedWait> {
        let last = self.waits.keys().map(|id| id.call.step).max();
        let is_newest = |id: WaitId| !self.waits.keys().any(|other| other.call == id.call && other.number > id.number);
        let rows = self.waits.iter().filter(|(id, _)| Some(id.call.step) == last && is_newest(**id));
        rows.filter_map(|(id, row)| {
            let (resolution, _) = row.wait.decided.clone()?;
            Some(DecidedWait { id: *id, resolution, binding: row.binding })
        })
        .collect()
    }

    /// Makes the turn claimable if it waits and all its waits are decided. Returns `true` if so.
    pub(super) fn make_ready(&mut self, flaw: Option<Flaw>) -> bool {
        let is_decided = !self.has_open_waits() || flaw == Some(Flaw::FirstDecisionIsEnough);
        let is_ready = self.state == TurnState::Waiting && !self.waits.is_empty() && is_decided;
        if is_ready {
            self.state = TurnState::Running;
        }
        is_ready
    }
}
