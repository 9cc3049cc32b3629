//! Writing a boundary: effects are staged, then committed, then shown.

use std::sync::Arc;
use std::time::Instant;

use turnkit_core::{
    Anchor, BlobId, Checkpoint, CheckpointOutcome, Chunk, ClaimedTurn, DecidedWait, Entry, Message, NewChild, NewWait,
    OpenTurn, RawJson, Recorded, Role, StagingMark, StopReason, StoreError, TurnId, TurnStatus, WaitKind,
};

use super::environment::Environment;
use super::{Driver, Exit};
use crate::context::push;
use crate::machine::{Effects, Input};

/// Effects that are neither stored nor visible yet: the answer that began a round which changes nothing. Its messages
/// are already entries, and its log is staged. They are stored with the results of the round or, if the round takes
/// longer, while its calls run.
#[derive(Debug, Clone, Default)]
pub(crate) struct UncommittedEffects {
    effects: Effects,
    pub(super) entries: Vec<Arc<Entry>>,
    waits: Vec<NewWait>,
    children: Vec<NewChild>,
}

/// The consequences of a checkpoint that was written.
#[derive(Default)]
struct CheckpointConsequences {
    next: Option<Box<ClaimedTurn>>,
    decided: Option<Vec<DecidedWait>>,
    stops: Vec<TurnId>,
}

impl UncommittedEffects {
    /// Reports whether the effects include the model's answer.
    pub(super) fn has_answer(&self) -> bool {
        !self.entries.is_empty()
    }
}

impl<E: Environment> Driver<'_, E> {
    /// Applies `input` to the machine and writes the effects. Returns `Some` if the run has ended.
    pub(super) async fn settle(&mut self, input: Input) -> Option<Exit> {
        let mut input = input;
        let mark = self.live.read(turnkit_core::TurnLog::mark);
        loop {
            let before = self.machine.clone();
            let mut effects = self.machine.apply(&input);
            self.failpoints.hit("machine.applied");
            let messages = std::mem::take(&mut effects.messages);
            let entries: Vec<Arc<Entry>> = messages.into_iter().map(Entry::new).collect();
            let (waits, children) = self.request_decisions(&mut effects, &entries);
            let pending = self.stage(std::mem::take(&mut effects.log), &entries, mark);
            let held = self.held.take().unwrap_or_default();
            let combined = UncommittedEffects {
                effects: held.effects.clone().then(effects),
                entries: held.entries.iter().chain(&entries).cloned().collect(),
                waits,
                children,
            };
            if !combined.effects.commit {
                self.held = Some(combined);
                return None;
            }
            if combined.effects.end.is_some() {
                self.failpoints.hit("turn.ending");
            }
            let despite_stop = matches!(input, Input::Stop { .. } | Input::CompactionStopped { .. });
            match self.commit(&combined, pending, despite_stop).await {
                Ok(CheckpointOutcome::Committed { next, decided, is_steered, children, stops }) => {
                    self.failpoints.hit("checkpoint.committed");
                    if !combined.waits.is_empty() {
                        self.failpoints.hit("wait.stored");
                    }
                    self.live.write(turnkit_core::TurnLog::commit);
                    if combined.waits.iter().any(|wait| wait.kind != WaitKind::Child) {
                        self.environment.asked();
                    }
                    // Messages that arrived after these were read join the turn at its next boundary. Otherwise the
                    // turn might never get past this one.
                    self.is_steered = is_steered && !matches!(input, Input::Steered { .. });
                    self.end_steered(&combined.effects.steered);
                    if matches!(
                        input,
                        Input::ViewChanged { .. } | Input::Overflowed { .. } | Input::CompactionFinished(_)
                    ) {
                        self.failpoints.hit("fit.applied");
                    }
                    children.into_iter().for_each(|child| self.environment.start(child));
                    return self.take_over(combined, CheckpointConsequences { next, decided, stops });
                }
                Ok(CheckpointOutcome::StopFirst(reason)) => {
                    self.raise_stop(reason);
                    self.machine = before;
                    self.held = Some(held);
                    input = input.stopped(reason.status());
                }
                Ok(CheckpointOutcome::SteeringChanged) => {
                    // The queue is read again before the model is called.
                    self.live.write(|log| log.unstage(mark));
                    (self.machine, self.held, self.is_steered) = (before, Some(held), true);
                    return None;
                }
                Err(StoreError::Fenced) => return Some(Exit::Fenced),
                Err(error) => return Some(Exit::Unsaved(error)),
            }
        }
    }

    /// Stages effects in the log without showing them, in place of those that a store rejected after `mark`. Returns
    /// the part of the log that is not stored yet.
    fn stage(&self, recorded: Vec<Recorded>, entries: &[Arc<Entry>], mark: StagingMark) -> Chunk {
        let now = self.clock.now();
        self.live.write(|log| {
            log.unstage(mark);
            let place = u32::try_from(log.messages().len()).unwrap_or(u32::MAX);
            let model_spoke = entries.first().map(|entry| entry.message()).is_some_and(is_answer);
            log.close_attempt(model_spoke.then_some(place));
            for entry in entries {
                log.stage_message(Arc::clone(entry));
            }
            for mut recorded in recorded {
                if let Recorded::StepEnded { step, attempts, .. } = &mut recorded {
                    *attempts = log.failed_attempts(*step);
                }
                log.stage(now, recorded);
            }
            log.pending()
        })
    }

    /// Stores the held effects while the calls of their round run, and makes them visible. If the turn is to stop
    /// first, interrupts the running calls and returns `false`.
    pub(super) async fn save(&self, held: &UncommittedEffects) -> Result<bool, Exit> {
        let chunk = self.live.read(turnkit_core::TurnLog::pending);
        match self.commit(held, chunk, false).await {
            Ok(CheckpointOutcome::Committed { .. }) => {
                self.failpoints.hit("checkpoint.committed");
                self.live.write(turnkit_core::TurnLog::commit);
                Ok(true)
            }
            Ok(CheckpointOutcome::StopFirst(reason)) => {
                self.raise_stop(reason);
                Ok(false)
            }
            // Held effects take no messages.
            Ok(CheckpointOutcome::SteeringChanged) => Ok(false),
            Err(StoreError::Fenced) => Err(Exit::Fenced),
            Err(error) => Err(Exit::Unsaved(error)),
        }
    }

    /// Adds the effects that [`save`](Self::save) has stored to the session.
    pub(super) fn take_over_saved(&mut self) {
        let Some(saved) = self.held.take() else { return };
        // Only an end or a wait leads to an exit, and neither is held.
        let _ = self.take_over(saved, CheckpointConsequences::default());
    }

    fn raise_stop(&self, reason: StopReason) {
        if let Some(stop) = self.stop {
            stop.raise(reason);
        }
    }

    async fn commit(
        &self,
        held: &UncommittedEffects,
        chunk: Chunk,
        despite_stop: bool,
    ) -> Result<CheckpointOutcome, StoreError> {
        let Some((store, claim)) = self.store else { return Ok(CheckpointOutcome::committed()) };
        let effects = &held.effects;
        // A turn ends at the time of its terminal event. The turns whose messages it takes end at the time of its last
        // event.
        let ends = effects.end.is_some() || !effects.steered.is_empty();
        let ended_at = chunk.entries.last().filter(|_| ends).map(|last| last.at);
        let checkpoint = Checkpoint {
            machine: if effects.end.is_some() { None } else { Some(self.machine_json()?) },
            messages: held.entries.clone(),
            calls: effects.receipts.clone(),
            chunk,
            metadata: effects.metadata.clone(),
            title: effects.title.clone(),
            blobs: result_files(&held.entries),
            waits: held.waits.clone(),
            children: held.children.clone(),
            waiting: effects.waiting,
            has_waited: self.machine.has_waited(),
            handed_over: effects.handed_over,
            end: effects.end.clone(),
            report: self.report(effects, &held.entries),
            anchor: self.anchor_after(&held.entries),
            despite_stop,
            removes_partials: self.has_partials,
            steered: effects.steered.clone(),
            at: ended_at.unwrap_or_else(|| self.clock.now()),
        };
        let began = Instant::now();
        let written = store.checkpoint(claim, checkpoint).await;
        if let (Ok(_), Some(timings)) = (&written, self.timings) {
            timings.commits.record_time(began.elapsed());
        }
        written
    }

    /// Returns the size of the last request that its provider counted, as it is once `entries` are part of the history.
    fn anchor_after(&self, entries: &[Arc<Entry>]) -> Option<Anchor> {
        let history = &self.session.history;
        if !entries.iter().any(|entry| entry.message().changes_view()) {
            return history.anchor().cloned();
        }
        let mut after = history.clone();
        entries.iter().for_each(|entry| push(&mut after, Arc::clone(entry)));
        after.anchor().cloned()
    }

    /// Adds durable effects to the session. Returns how the run ends, if it does.
    fn take_over(&mut self, written: UncommittedEffects, outcome: CheckpointConsequences) -> Option<Exit> {
        let CheckpointConsequences { next, decided, stops } = outcome;
        self.has_partials = false;
        for entry in written.entries {
            push(&mut self.session.history, entry);
        }
        self.session.merge_metadata(&written.effects.metadata);
        self.session.last_active = self.clock.now();
        match written.effects.end {
            Some((status, usage)) => {
                let is_idle = status == TurnStatus::Completed && next.is_none();
                let chore = if is_idle { self.next_chore() } else { None };
                self.session.usage.add(&usage);
                self.session.history.end_turn();
                self.session.open_turn = None;
                Some(Exit::Ended { status, next, chore, stops })
            }
            None => {
                if self.store.is_none() {
                    self.keep_open_turn();
                }
                if written.effects.handed_over {
                    return Some(Exit::HandedOver);
                }
                if let Some(decided) = decided {
                    self.decided = decided;
                    return None;
                }
                // This checkpoint ended the claim, so nothing more may be written under it.
                written.effects.waiting.then(|| Exit::Waiting(self.pending()))
            }
        }
    }

    fn keep_open_turn(&mut self) {
        let Ok(machine) = self.machine_json() else { return };
        let (last_seq, fence) = self.live.read(|log| (log.last_visible_seq(), log.fence()));
        if let Some(open) = &mut self.session.open_turn {
            *open = OpenTurn { machine, last_seq, fence, ..open.clone() };
        }
    }

    fn machine_json(&self) -> Result<RawJson, StoreError> {
        self.machine.store().map_err(|error| StoreError::Unavailable(error.to_string()))
    }
}

/// Returns the files of the results in these messages.
fn result_files(entries: &[Arc<Entry>]) -> Vec<BlobId> {
    entries.iter().flat_map(|entry| entry.message().result_files()).collect()
}

/// Reports whether the message is an answer of the model. A message with notices only is not.
fn is_answer(message: &Message) -> bool {
    message.role == Role::Assistant && !message.is_notices_only()
}
