//! Writing a boundary: staged, committed, then shown.

use std::sync::Arc;

use turnkit_core::{Checkpoint, Checkpointed, Chunk, Claimed, Entry, OpenTurn, RawJson, Recorded, Role, StoreError};

use super::interruption::status_of;
use super::{Driver, Exit};
use crate::machine::{Effects, Input};

/// Effects that are shown but are written with what follows: those of a round that changes nothing. Its messages are
/// entries by now, its log is in the live log.
#[derive(Debug, Clone, Default)]
pub(crate) struct Held {
    effects: Effects,
    pub(super) entries: Vec<Arc<Entry>>,
}

impl Driver<'_> {
    /// Lets the machine take `input` and writes what follows from it. `Some` when the run has come to its end.
    pub(super) async fn settle(&mut self, input: Input) -> Option<Exit> {
        let mut input = input;
        loop {
            let before = self.machine.clone();
            let mut effects = self.machine.apply(&input);
            self.failpoints.hit("machine.applied");
            let messages = std::mem::take(&mut effects.messages);
            let entries: Vec<Arc<Entry>> = messages.into_iter().map(Entry::new).collect();
            let pending = self.stage(std::mem::take(&mut effects.log), &entries);
            let held = self.held.take().unwrap_or_default();
            let together = Held {
                effects: held.effects.clone().then(effects),
                entries: held.entries.iter().chain(&entries).cloned().collect(),
            };
            if !together.effects.commit {
                self.live.write(turnkit_core::TurnLog::reveal);
                self.held = Some(together);
                return None;
            }
            if together.effects.end.is_some() {
                self.failpoints.hit("turn.ending");
            }
            match self.commit(&together, pending, matches!(input, Input::Stop { .. })).await {
                Ok(Checkpointed::Committed { next }) => {
                    self.failpoints.hit("checkpoint.committed");
                    return self.committed(together, next);
                }
                Ok(Checkpointed::StopFirst(reason)) => {
                    self.machine = before;
                    self.held = Some(held);
                    input = input.stopped(status_of(reason));
                }
                Err(StoreError::Fenced) => return Some(Exit::Fenced),
                Err(error) => return Some(Exit::Unsaved(error)),
            }
        }
    }

    /// Writes effects to the log without showing them; gives all of the log that is not stored yet.
    fn stage(&self, recorded: Vec<Recorded>, entries: &[Arc<Entry>]) -> Chunk {
        let now = self.clock.now();
        self.live.write(|log| {
            log.unstage(); // what was refused because the turn was to stop first
            let place = u32::try_from(log.messages().len()).unwrap_or(u32::MAX);
            let model_spoke = entries.first().is_some_and(|entry| entry.message().role == Role::Assistant);
            log.close_attempt(model_spoke.then_some(place));
            for entry in entries {
                log.stage_message(Arc::clone(entry));
            }
            for recorded in recorded {
                log.stage(now, recorded);
            }
            log.pending()
        })
    }

    async fn commit(&self, held: &Held, chunk: Chunk, despite_stop: bool) -> Result<Checkpointed, StoreError> {
        let Some((store, claim)) = self.store else { return Ok(Checkpointed::Committed { next: None }) };
        let effects = &held.effects;
        let checkpoint = Checkpoint {
            machine: if effects.end.is_some() { None } else { Some(self.machine_json()?) },
            messages: held.entries.clone(),
            calls: effects.receipts.clone(),
            chunk,
            metadata: effects.metadata.clone(),
            waiting: effects.waiting,
            end: effects.end.clone(),
            despite_stop,
            at: self.clock.now(),
        };
        store.checkpoint(claim, checkpoint).await
    }

    /// It is durable: the session takes it over, and everyone may see it.
    fn committed(&mut self, written: Held, next: Option<Box<Claimed>>) -> Option<Exit> {
        self.live.write(turnkit_core::TurnLog::commit);
        for entry in written.entries {
            self.session.history.push(entry);
        }
        self.session.merge_metadata(&written.effects.metadata);
        self.session.last_active = self.clock.now();
        match written.effects.end {
            Some((status, usage)) => {
                self.session.usage.add(&usage);
                self.session.history.end_turn();
                self.session.open_turn = None;
                Some(Exit::Ended { status, next })
            }
            None => {
                if self.store.is_none() {
                    self.keep_open_turn();
                }
                // With this checkpoint the claim ended: nothing more may be written under it.
                written.effects.waiting.then(|| Exit::Waiting(self.calls(&self.machine.asked())))
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
