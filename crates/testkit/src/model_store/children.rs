//! Turns of sub-agents.

use turnkit_core::{
    ChildReport, ClaimedTurn, Denial, Fence, NewChild, Resolution, SessionKey, StopReason, Timestamp, TurnId,
    TurnState, WaitKind,
};

use super::Flaw;
use super::disk::{Rows, TurnRow, WaitRow};

impl Rows {
    /// Begins a sub-agent's turn below a parent turn, in the child session that it continues or in a new one.
    pub(super) fn begin_child(&mut self, parent: usize, child: NewChild) -> ClaimedTurn {
        let NewChild { wait, mut accept } = child;
        let (above, worker, at) = (self.turns[parent].session, accept.worker.clone(), accept.at);
        let scope = self.sessions[above].scope.clone();
        let continued = match accept.session {
            SessionKey::Id(id) => self.session(&scope, id).ok().map(|(place, _)| place),
            _ => None,
        };
        let is_free = |session: &usize| {
            self.sessions[*session].parent == Some(above)
                && self.active(*session).is_none()
                && self.first_queued(*session).is_none()
        };
        let session = continued.filter(is_free);
        let session = session.unwrap_or_else(|| {
            accept.session = SessionKey::New;
            let session = self.make_session(&scope, &accept);
            (self.sessions[session].parent, self.sessions[session].ephemeral) = (Some(above), true);
            session
        });
        let turn = self.add_turn(session, accept, None);
        self.turns[turn].parent = Some(wait);
        self.turns[turn].chunks[0].fence = Fence(1);
        self.begin(turn, &worker, at)
    }

    /// Ends the wait of the parent turn with the report of a sub-agent's turn.
    pub(super) fn report(&mut self, turn: usize, mut report: ChildReport, at: Timestamp, flaw: Option<Flaw>) {
        let Some(wait) = self.turns[turn].parent else { return };
        let Some(parent) = self.place(wait.call.turn) else { return };
        let Some(row) = self.turns[parent].waits.get_mut(&wait).filter(|row| row.wait.decided.is_none()) else {
            return;
        };
        match flaw {
            Some(Flaw::ReportLost) => return,
            Some(Flaw::ReportWithoutText) => report.text.clear(),
            _ => {}
        }
        row.wait.decided = Some((Resolution::Child(Box::new(report)), at));
        self.turns[parent].make_ready(None);
    }

    /// Returns `true` if the turn, or one of its descendants, waits for a decision of a person or a program.
    pub(super) fn waits_for_decision(&self, turn: usize) -> bool {
        let id = self.turns[turn].id;
        let is_open = |row: &WaitRow| row.wait.decided.is_none() && row.wait.kind != WaitKind::Child;
        let below = |place: &usize| self.turns[*place].parent.is_some_and(|wait| wait.call.turn == id);
        self.turns[turn].waits.values().any(is_open)
            || (0..self.turns.len()).filter(below).any(|place| self.waits_for_decision(place))
    }

    /// Returns `true` if the turn is `above` itself or a turn below it.
    pub(super) fn is_in_family(&self, turn: &TurnRow, above: TurnId) -> bool {
        let mut family = std::iter::successors(Some(turn), |turn| {
            let parent = self.place(turn.parent?.call.turn)?;
            Some(&self.turns[parent])
        });
        family.any(|turn| turn.id == above)
    }

    /// Marks all descendants of a turn to stop, and returns those that have not ended.
    pub(super) fn stop_below(&mut self, parent: usize, at: Timestamp, flaw: Option<Flaw>) -> Vec<TurnId> {
        let (above, mut below) = (self.turns[parent].id, Vec::new());
        if flaw == Some(Flaw::StopLeavesChildren) {
            return below;
        }
        let children =
            (0..self.turns.len()).filter(|place| self.turns[*place].parent.is_some_and(|wait| wait.call.turn == above));
        for place in children.collect::<Vec<_>>() {
            let turn = &mut self.turns[place];
            if matches!(turn.state, TurnState::Running | TurnState::Waiting) {
                (turn.state, turn.stop) = (TurnState::Cancelling, Some(StopReason::Cancelled));
                turn.deny(Denial::Cancelled, at);
            }
            if !matches!(turn.state, TurnState::Ended(_)) {
                below.push(turn.id);
            }
            below.extend(self.stop_below(place, at, flaw));
        }
        below
    }
}
