//! Writing turns: checkpoints, ends, and stop requests.

use turnkit_core::{
    CancelOutcome, Checkpoint, CheckpointOutcome, Chunk, Claim, ClaimedTurn, Deaths, Denial, Fence, LogEntry,
    PartialSave, Recorded, Scope, StopReason, StoreError, Timestamp, TitleChange, TurnId, TurnState, TurnStatus, Usage,
    WorkerId,
};

use super::Flaw;
use super::changes::{counted, written};
use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn checkpoint(
        &mut self,
        claim: &Claim,
        checkpoint: Checkpoint,
        flaw: Option<Flaw>,
    ) -> Result<CheckpointOutcome, StoreError> {
        let place = self.written_turn(claim, flaw)?;
        if self.turns[place].state == TurnState::Cancelling
            && !checkpoint.despite_stop
            && flaw != Some(Flaw::StopIgnored)
            && !(self.turns[place].chore && flaw == Some(Flaw::StoppedChoreWrites))
        {
            return Ok(CheckpointOutcome::StopFirst(self.turns[place].stop.unwrap_or(StopReason::Cancelled)));
        }
        let taken = self.steering(self.turns[place].session);
        let taken: Vec<usize> = taken.into_iter().take(checkpoint.steered.len()).collect();
        if !taken.iter().map(|place| self.turns[*place].id).eq(checkpoint.steered.iter().copied()) {
            return Ok(CheckpointOutcome::SteeringChanged);
        }
        let changes = checkpoint.messages.iter().any(|entry| entry.message().changes_view());
        let is_early = match flaw {
            Some(Flaw::CheckpointedTooEarly) => checkpoint.end.is_none(),
            Some(Flaw::ChangeTooEarly) => changes,
            _ => false,
        };
        if is_early {
            self.begin_unsynced();
        } else {
            self.unsynced = None;
        }
        let agent = self.turns[place].agent.clone();
        self.consume(claim.scope(), &agent, &counted(&checkpoint, flaw));
        let session_id = self.session_of(&self.turns[place]).session.id;
        let turn = &mut self.turns[place];
        turn.add_waits(session_id, checkpoint.waits, checkpoint.at, flaw);
        let decided =
            Some(turn.decisions_for_owner(flaw)).filter(|decided| !turn.has_open_waits() && !decided.is_empty());
        let returns_decisions = flaw != Some(Flaw::EarlyDecisionsNotReturned);
        let decided = decided.filter(|_| checkpoint.waiting && returns_decisions);
        let is_released = checkpoint.waiting && decided.is_none();
        turn.attempts = u32::from(!is_released); // the owner continues and attempts the next step
        if !checkpoint.handed_over {
            turn.deaths = Deaths::default();
        }
        if flaw != Some(Flaw::LostMessages) {
            turn.messages.extend(written(checkpoint.messages, flaw));
        }
        if flaw != Some(Flaw::LostReceipts) {
            turn.calls.extend(checkpoint.calls.into_iter().map(|call| (call.uid, call)));
        }
        if checkpoint.removes_partials && flaw != Some(Flaw::PartialsKept) {
            turn.partials.clear();
        }
        if !checkpoint.chunk.entries.is_empty() {
            turn.chunks.push(checkpoint.chunk);
        }
        turn.blobs.extend(checkpoint.blobs);
        turn.anchor = checkpoint.anchor;
        let session = turn.session;
        self.sessions[session].session.merge_metadata(&checkpoint.metadata);
        if let Some(TitleChange { from, to }) = checkpoint.title {
            let title = &mut self.sessions[session].title;
            if title.is_empty() || *title == from {
                *title = to;
            }
        }
        self.end_steered(place, taken, checkpoint.at, flaw);
        let begun = checkpoint.children.into_iter().filter(|_| flaw != Some(Flaw::ChildNotStarted));
        let children = begun.map(|child| self.begin_child(place, child)).collect();
        let mut stops = Vec::new();
        let next = match checkpoint.end {
            Some((status, usage)) => {
                if checkpoint.has_waited {
                    self.turns[place].deny(Denial::of_end(status), checkpoint.at);
                    stops = self.stop_below(place, checkpoint.at, flaw);
                }
                if let Some(report) = checkpoint.report {
                    self.report(place, *report, checkpoint.at, flaw);
                }
                self.end(place, status, &usage, checkpoint.at, flaw)
            }
            None => {
                continue_turn(&mut self.turns[place], checkpoint.machine, is_released, checkpoint.handed_over);
                None
            }
        };
        let goes_on = self.turns[place].state == TurnState::Running && self.turns[place].owner.is_some();
        let is_steered = goes_on && !self.steering(session).is_empty();
        Ok(CheckpointOutcome::Committed { next: next.map(Box::new), decided, is_steered, children, stops })
    }

    /// Ends the queued turns whose messages were taken by the turn at `place`.
    fn end_steered(&mut self, place: usize, taken: Vec<usize>, at: Timestamp, flaw: Option<Flaw>) {
        let into = self.turns[place].id;
        for steered in taken.into_iter().filter(|_| flaw != Some(Flaw::SteeredStaysQueued)) {
            let steered = &mut self.turns[steered];
            steered.end_steered(into, at);
            let blobs = std::mem::take(&mut steered.blobs);
            self.turns[place].blobs.extend(blobs);
        }
    }

    pub(super) fn save_partial(
        &mut self,
        claim: &Claim,
        partial: PartialSave,
        flaw: Option<Flaw>,
    ) -> Result<(), StoreError> {
        let place = self.written_turn(claim, flaw)?;
        self.unsynced = None;
        let turn = &mut self.turns[place];
        turn.acknowledged_partials.push(partial.clone());
        if flaw != Some(Flaw::PartialLost) {
            turn.partials.push(partial);
        }
        Ok(())
    }

    /// Returns the place of the turn that the claim's holder is about to write, if it is the turn's owner.
    fn written_turn(&mut self, claim: &Claim, flaw: Option<Flaw>) -> Result<usize, StoreError> {
        let owned = |turn: &TurnRow| turn.is_owned(claim, flaw) && turn.state.is_active();
        let found = self.place(claim.turn()).filter(|place| owned(&self.turns[*place]) || flaw == Some(Flaw::NoFence));
        let place = found.ok_or(StoreError::Fenced)?;
        if !self.turns[place].is_owned(claim, None) {
            self.note_foreign_write(place, claim);
        }
        Ok(place)
    }

    fn end(
        &mut self,
        place: usize,
        status: TurnStatus,
        usage: &Usage,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Option<ClaimedTurn> {
        let turn = &mut self.turns[place];
        turn.machine = None;
        (turn.state, turn.ended_at) = (TurnState::Ended(status), Some(at));
        turn.usage = Some(Usage { raw: None, ..usage.clone() });
        let (session, owner) = (turn.session, turn.owner.clone());
        let row = &mut self.sessions[session].session;
        row.last_active = at;
        if flaw != Some(Flaw::LostUsage) {
            row.usage.add(usage);
        }
        let next = match flaw {
            Some(Flaw::LostPromotion) => None,
            Some(Flaw::LastComeFirst) => {
                self.turns.iter().rposition(|turn| turn.session == session && turn.state == TurnState::Queued)
            }
            _ => self.first_queued(session),
        };
        next.map(|next| self.begin(next, &owner.unwrap_or(WorkerId("".into())), at))
    }

    /// Begins the next turn of its session, with `worker` as its owner.
    pub(super) fn begin(&mut self, place: usize, worker: &WorkerId, at: Timestamp) -> ClaimedTurn {
        let turn = &mut self.turns[place];
        let session = &mut self.sessions[turn.session];
        if turn.continues_head {
            turn.after = session.head;
        }
        session.head = Some(turn.number);
        session.session.last_active = at;
        turn.state = TurnState::Running;
        turn.started_at = at;
        self.take(place, worker, None)
    }

    /// Makes a worker the owner of a turn.
    pub(super) fn take(&mut self, place: usize, worker: &WorkerId, flaw: Option<Flaw>) -> ClaimedTurn {
        let turn = &mut self.turns[place];
        if flaw != Some(Flaw::FenceKept) {
            turn.fence = turn.fence.next();
        }
        turn.attempts += 1;
        turn.suspended = false;
        turn.owner = Some(worker.clone());
        self.claimed(place, worker)
    }

    /// Returns the claim with the state that the new owner of a turn receives.
    pub(super) fn claimed(&self, place: usize, worker: &WorkerId) -> ClaimedTurn {
        let turn = &self.turns[place];
        let session = self.session_of(turn);
        let messages =
            self.branch(turn.session, Some(turn.number)).iter().map(|turn| turn.messages.len()).sum::<usize>();
        ClaimedTurn {
            claim: Claim::granted_by_store(turn.id, session.scope.clone(), turn.fence, worker.clone()),
            number: turn.number,
            attempts: turn.attempts,
            deaths: turn.deaths,
            agent: turn.agent.clone(),
            caps: turn.caps,
            session: session.session.clone(),
            messages: u32::try_from(messages).unwrap_or(u32::MAX),
            started_at: turn.started_at,
            stop: turn.stop,
            after: turn.after,
            chore: turn.chore,
        }
    }

    pub(super) fn request_stop(
        &mut self,
        scope: &Scope,
        turn: TurnId,
        reason: StopReason,
        at: Timestamp,
        flaw: Option<Flaw>,
    ) -> Result<CancelOutcome, StoreError> {
        self.of_user(scope, turn)?;
        self.unsynced = None;
        let place = self.place(turn).ok_or(StoreError::NotFound)?;
        let turn = &mut self.turns[place];
        match turn.state {
            TurnState::Queued => {
                turn.stop = Some(reason);
                turn.end_unstarted(reason, at);
                Ok(CancelOutcome::EndedUnstarted)
            }
            TurnState::Running if flaw == Some(Flaw::StopNotStored) => Ok(CancelOutcome::Stopping),
            TurnState::Running | TurnState::Waiting => {
                (turn.state, turn.stop) = (TurnState::Cancelling, Some(reason));
                if flaw != Some(Flaw::StopLeavesWaits) {
                    turn.deny(Denial::of_stop(reason), at);
                }
                self.stop_below(place, at, flaw);
                Ok(CancelOutcome::Stopping)
            }
            TurnState::Cancelling => Ok(CancelOutcome::Stopping),
            TurnState::Ended(_) => {
                if flaw == Some(Flaw::SecondEnd) {
                    turn.end_unstarted(reason, at);
                }
                Ok(CancelOutcome::AlreadyEnded)
            }
        }
    }
}

impl Rows {
    /// Ends every queued turn of a session, because an interrupting message replaces them.
    pub(super) fn supersede_queue(&mut self, session: usize, at: Timestamp) -> Vec<TurnId> {
        let queued: Vec<usize> = self.queued(session).collect();
        let end = |place: usize| {
            let turn = &mut self.turns[place];
            turn.stop = Some(StopReason::Superseded);
            turn.end_unstarted(StopReason::Superseded, at);
            turn.id
        };
        queued.into_iter().map(end).collect()
    }
}

fn continue_turn(turn: &mut TurnRow, machine: Option<turnkit_core::RawJson>, is_released: bool, handed_over: bool) {
    turn.machine = machine;
    if is_released {
        (turn.state, turn.owner) = (TurnState::Waiting, None);
    } else if handed_over {
        turn.owner = None;
    }
}

impl TurnRow {
    /// Returns `true` if the claim belongs to the turn's current owner.
    pub(super) fn is_owned(&self, claim: &Claim, flaw: Option<Flaw>) -> bool {
        let is_owner = self.owner.as_ref() == Some(claim.worker()) || flaw == Some(Flaw::OwnerNotChecked);
        self.fence == claim.fence() && is_owner
    }

    fn end_unstarted(&mut self, reason: StopReason, at: Timestamp) {
        self.end_in_queue(reason.status(), at);
    }

    /// Ends the queued turn, because another turn took its message.
    fn end_steered(&mut self, into: TurnId, at: Timestamp) {
        self.steered_into = Some(into);
        self.end_in_queue(TurnStatus::Completed, at);
    }

    fn end_in_queue(&mut self, status: TurnStatus, at: Timestamp) {
        let steered_into = self.steered_into;
        let kind = Recorded::TurnEnded { status, usage: Usage::default(), steps: 0, steered_into };
        let seq = self.chunks.last().map_or(0, |chunk| chunk.to_seq) + 1;
        let entries = vec![LogEntry { at, kind }];
        self.chunks.push(Chunk { fence: Fence(0), from_seq: seq, to_seq: seq, entries });
        (self.state, self.ended_at) = (TurnState::Ended(status), Some(at));
    }
}
