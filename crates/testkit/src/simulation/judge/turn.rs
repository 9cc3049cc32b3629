//! Invariants of a stored turn.

use std::collections::BTreeMap;

use turnkit_core::{
    Cursor, EventKind, Fence, LoggedTurn, Mark, Message, Part, Role, ToolErrorKind, TurnEvent, TurnRecord, TurnState,
    TurnStatus, replay,
};

use super::Verdict;
use crate::model_store::Disk;
use crate::simulation::record::Facts;

/// A turn as it is stored on the disk.
pub(super) struct Turn {
    pub(super) record: TurnRecord,
    pub(super) logged: LoggedTurn,
    pub(super) events: Vec<TurnEvent>,
}

impl Turn {
    pub(super) fn new((record, logged): (TurnRecord, LoggedTurn)) -> Self {
        Self { events: replay(&logged, 0), record, logged }
    }

    pub(super) fn text(&self) -> String {
        self.logged.messages.first().map(|entry| entry.message().text()).unwrap_or_default()
    }

    pub(super) fn status(&self) -> Option<TurnStatus> {
        self.events.iter().find_map(|event| match event.kind {
            EventKind::TurnEnded { status, .. } => Some(status),
            _ => None,
        })
    }

    /// Returns `true` if the turn ended in the queue, because it was dropped or another turn took its message.
    pub(super) fn ended_in_queue(&self) -> bool {
        matches!(self.events.last().map(|event| &event.kind), Some(EventKind::TurnEnded { steps: 0, .. }))
    }

    /// Counts the user messages of the turn with this text. The input of a turn that ended in the queue is not counted.
    pub(super) fn said_by_user(&self, text: &str) -> usize {
        let messages = self.logged.messages.iter().map(|entry| entry.message()).filter(|_| !self.ended_in_queue());
        messages.filter(|message| message.role == Role::User && message.text() == text).count()
    }

    pub(super) fn has_summary(&self) -> bool {
        self.logged.messages.iter().any(|entry| entry.message().summary().is_some())
    }

    fn fence_of(&self, seq: u32) -> Option<Fence> {
        let chunk = self.logged.chunks.iter().find(|chunk| (chunk.from_seq..=chunk.to_seq).contains(&seq));
        chunk.map(|chunk| chunk.fence)
    }

    /// Checks that a shown event is in the log, unless it was provisional.
    pub(super) fn has_shown(&self, cursor: Cursor, event: &TurnEvent) -> Verdict {
        if self.fence_of(event.seq) == Some(cursor.fence) {
            let stored = &self.events[event.seq as usize - 1];
            if stored != event {
                return Err(format!("it was shown {event:?} at {cursor}, and the log has {stored:?}"));
            }
        } else if is_durable(event) {
            return Err(format!("it was shown {event:?} at {cursor}, which is not in the log"));
        }
        Ok(())
    }

    pub(super) fn log_is_whole(&self, over: bool) -> Verdict {
        let mut next = 1;
        for chunk in &self.logged.chunks {
            let events: u32 = chunk.entries.iter().map(turnkit_core::LogEntry::events).sum();
            if chunk.from_seq != next || chunk.to_seq + 1 != next + events {
                return Err(format!(
                    "a chunk of {events} events has the numbers {}..={}",
                    chunk.from_seq, chunk.to_seq
                ));
            }
            next += events;
        }
        let ends = self.events.iter().filter(|event| event.kind.is_terminal()).count();
        let last = self.events.last().is_some_and(|event| event.kind.is_terminal());
        if ends > 1 || (ends == 1) != last {
            return Err(format!("{ends} terminal events, the last event is one: {last}"));
        }
        match self.status() {
            Some(status) if self.record.state != TurnState::Ended(status) => {
                Err(format!("it is {} and its log says {}", self.record.state, status.as_str()))
            }
            None if over => Err(format!("it has not ended; it is {}", self.record.state)),
            _ => Ok(()),
        }?;
        let malformed =
            |event: &TurnEvent| matches!(&event.kind, EventKind::Error { code, .. } if code == "provider_bad_request");
        if self.events.iter().any(malformed) {
            return Err("the model was sent a malformed transcript".to_owned());
        }
        Ok(())
    }

    /// Checks that there is at most one compaction before each step, and that a summary is smaller than the messages it
    /// covers.
    pub(super) fn compactions_are_in_bounds(&self) -> Verdict {
        let mut before_step = 0;
        for event in &self.events {
            match &event.kind {
                // The next step follows, so the count restarts.
                EventKind::ToolFinished { .. } => before_step = 0,
                EventKind::Compacted { tokens_before, tokens_after, failure, .. } => {
                    before_step += u32::from(failure.as_deref() != Some("it was stopped"));
                    if before_step > 1 {
                        return Err(format!("event {} is another compaction before the same step", event.seq));
                    }
                    if tokens_after.is_some_and(|after| after * 100 > tokens_before * 70) {
                        return Err(format!("a summary of {tokens_after:?} tokens took the place of {tokens_before}"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that the answer to the last step is present if any of it was saved, even if the answer was lost and no
    /// other followed. An interrupted answer must contain each word once. An ended turn must have no partial saves.
    pub(super) fn saved_text_is_kept(&self, disk: &Disk) -> Verdict {
        let Some(EventKind::TurnEnded { steps, .. }) = self.events.last().map(|event| &event.kind) else {
            return Ok(());
        };
        if disk.has_partials(self.record.id) {
            return Err("it is over, and saves of its answers are left".to_owned());
        }
        let answers = self.logged.messages.iter().map(|entry| entry.message());
        let answers: Vec<&Message> = answers
            .filter(|message| message.role == Role::Assistant && !message.is_notices_only() && !message.changes_view())
            .collect();
        let saved = disk.acknowledged_partial(self.record.id, *steps);
        if !saved.is_empty() && answers.len() < usize::from(*steps) {
            return Err(format!("{saved:?} was saved, and the answer of step {steps} is lost"));
        }
        for broken in answers.iter().filter(|answer| answer.mark == Some(Mark::Interrupted)) {
            let text = broken.text();
            let mut words: Vec<&str> = text.split_whitespace().collect();
            words.dedup();
            if !(0..).zip(&words).all(|(number, word)| *word == format!("word{number}")) {
                return Err(format!("an answer that broke off says {text:?}"));
            }
        }
        Ok(())
    }

    /// Checks that a call that must not run twice had at most one effect. If the effect is not in the call's result,
    /// the result must be "unknown".
    pub(super) fn effects_are_accounted_for(&self, facts: &Facts, over: bool) -> Verdict {
        let mut counts = BTreeMap::new();
        for (uid, name) in facts.effects.iter().filter(|(uid, name)| uid.turn == self.record.id && *name == "pay") {
            *counts.entry(uid).or_insert(0) += 1;
            let results = self.logged.messages.iter().flat_map(|entry| &entry.message().parts);
            let result = results.into_iter().find_map(|part| match part {
                Part::ToolResult(result) if result.uid == *uid => Some(result),
                _ => None,
            });
            let honest = [ToolErrorKind::OutcomeUnknown, ToolErrorKind::Cancelled, ToolErrorKind::TimedOut];
            match result {
                Some(result) if result.ok || result.error.is_some_and(|kind| honest.contains(&kind)) => {}
                Some(result) => return Err(format!("{name} {uid} took effect and its result is {result:?}")),
                None if over => return Err(format!("{name} {uid} took effect and has no result")),
                None => {}
            }
        }
        match counts.iter().find(|(_, count)| **count > 1) {
            Some((uid, count)) => Err(format!("call {uid} took effect {count} times")),
            None => Ok(()),
        }
    }
}

/// Returns `true` if the event may be shown only after it is stored. Other events may be provisional.
fn is_durable(event: &TurnEvent) -> bool {
    match &event.kind {
        EventKind::TurnStarted { .. }
        | EventKind::InteractionRequested { .. }
        | EventKind::InteractionResolved { .. }
        | EventKind::Compacted { .. }
        | EventKind::Steered { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::Data { .. }
        | EventKind::TurnEnded { .. } => true,
        EventKind::ToolStarted { name, .. } => name == "pay" || name == "put",
        _ => false,
    }
}
