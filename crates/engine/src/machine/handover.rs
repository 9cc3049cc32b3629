//! Handing a turn over when its process stops, and keeping the answer that was cut off by it.

use serde::{Deserialize, Serialize};
use turnkit_core::{FinishReason, Mark, Message, Part, Recorded, Role, Usage};

use super::{Effects, FinishedCall, InterruptedCall, State, TurnMachine};

/// The output of a model up to the end of its process, without calls: all of it after a stop, the saved text after a
/// crash. The next owner asks the model again. If no other answer arrives, this one is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct UnfinishedAnswer {
    parts: Vec<Part>,
}

impl TurnMachine {
    /// Withdraws what the running attempt has shown, accounts for its usage, and keeps the results of finished calls.
    pub(super) fn hand_over(
        &mut self,
        call: Option<&InterruptedCall>,
        finished: &[FinishedCall],
        effects: &mut Effects,
    ) {
        if let Some(call) = call.filter(|_| self.state == State::Ready) {
            self.withdraw(call, effects);
        }
        self.tools_finished(finished, effects);
        effects.commit = true;
        effects.handed_over = effects.end.is_none() && !effects.waiting;
    }

    fn withdraw(&mut self, call: &InterruptedCall, effects: &mut Effects) {
        let usage = call.partial.as_ref().and_then(|partial| partial.usage.clone()).unwrap_or_else(Usage::unmetered);
        self.consume(&usage);
        let begun = call.partial.is_some();
        if begun {
            self.step_ended(FinishReason::Interrupted, usage, effects);
        }
        let parts =
            call.partial.iter().flat_map(|partial| &partial.parts).filter(|part| is_output(part)).cloned().collect();
        self.remember(UnfinishedAnswer { parts });
        let (attempt, lost_calls) = (self.attempt.saturating_add(1), u32::from(!begun));
        effects.log.push(Recorded::Retracted { from_seq: call.since, attempt, lost_calls });
    }

    /// Returns the turn with the output of a lost attempt at the running step, as far as it was saved.
    #[must_use]
    pub fn with_unfinished(mut self, parts: Vec<Part>) -> Self {
        self.remember(UnfinishedAnswer { parts });
        self
    }

    /// Keeps the longest of several unfinished answers: a later stop may have cut one off after its first word.
    fn remember(&mut self, answer: UnfinishedAnswer) {
        let before = self.unfinished.as_ref().map_or(0, UnfinishedAnswer::bytes);
        if answer.bytes() > before {
            self.unfinished = Some(answer);
        }
    }

    /// Keeps the unfinished answer of an earlier owner, because the turn ends without another one.
    pub(super) fn keep_unfinished(&mut self, effects: &mut Effects) {
        if let Some(answer) = self.unfinished.take().filter(|_| self.state == State::Ready) {
            effects.add_message(Message::new(Role::Assistant, answer.parts), Some(Mark::Interrupted));
        }
    }
}

impl UnfinishedAnswer {
    fn bytes(&self) -> usize {
        self.parts.iter().map(Part::text_bytes).sum()
    }
}

fn is_output(part: &Part) -> bool {
    matches!(part, Part::Text(_) | Part::Reasoning(_))
}
