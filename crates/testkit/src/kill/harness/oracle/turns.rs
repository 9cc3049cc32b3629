//! Checks that each acknowledged turn is present after each death, only grows, and ends once.

use turnkit_core::{LoggedTurn, Recorded, TurnId, TurnState, TurnStatus};

use super::Evidence;
use crate::kill::harness::client::TakeOver;
use crate::kill::harness::snapshot::{Contents, Stored};
use crate::kill::harness::violation::{Check, Violation};

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    let Some(last) = evidence.last() else { return };
    for (turn, watched) in &evidence.client.turns {
        for (life, stored) in evidence.stored.iter().enumerate().skip(watched.since) {
            if !stored.turns.contains_key(turn) {
                violations.push(Violation::new(Check::Lost, format!("turn {turn} is gone after life {}", life + 1)));
            }
        }
        let Some(stored) = last.turns.get(turn) else { continue };
        ended_once(*turn, stored, violations);
        for earlier in evidence.stored {
            only_grew(*turn, earlier, &stored.log, violations);
        }
        check_no_repeated_model_call(*turn, evidence, violations);
    }
    for over in &evidence.client.take_overs {
        if let Some(stored) = last.turns.get(&over.turn) {
            kept_out(over, &stored.log, violations);
        }
    }
}

fn ended_once(turn: TurnId, stored: &Stored, violations: &mut Vec<Violation>) {
    if stored.state != TurnState::Ended(TurnStatus::Completed) {
        violations.push(Violation::new(Check::Lost, format!("turn {turn} is {}, not completed", stored.state)));
    }
    let entries: Vec<&Recorded> = recorded(&stored.log).collect();
    let ends = entries.iter().filter(|entry| matches!(entry, Recorded::TurnEnded { .. })).count();
    let is_last = matches!(entries.last(), Some(Recorded::TurnEnded { .. }));
    if ends != 1 || !is_last {
        let place = if is_last { "last" } else { "not last" };
        violations.push(Violation::new(Check::Terminal, format!("turn {turn} has {ends} terminal events, {place}")));
    }
    let mut next = 1;
    for chunk in &stored.log.chunks {
        if chunk.from_seq != next {
            let found = format!("turn {turn}: event {} follows event {}", chunk.from_seq, next - 1);
            violations.push(Violation::new(Check::Stored, found));
        }
        next = chunk.to_seq + 1;
    }
}

/// Checks that what was durable earlier is still the beginning of the turn.
fn only_grew(turn: TurnId, earlier: &Contents, last: &LoggedTurn, violations: &mut Vec<Violation>) {
    let Some(Stored { log: earlier, .. }) = earlier.turns.get(&turn) else { return };
    let same_messages = earlier.messages.iter().map(|entry| entry.message()).eq(last
        .messages
        .iter()
        .take(earlier.messages.len())
        .map(|entry| entry.message()));
    if !last.chunks.starts_with(&earlier.chunks) || !same_messages {
        violations.push(Violation::new(Check::Stored, format!("turn {turn}: what was stored at a death has changed")));
    }
}

/// Checks that a step whose answer was durable at a death does not call the model again in a later life.
fn check_no_repeated_model_call(turn: TurnId, evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    for (life, stored) in evidence.stored.iter().enumerate() {
        let Some(stored) = stored.turns.get(&turn) else { continue };
        for entry in recorded(&stored.log) {
            let Recorded::StepEnded { step, .. } = entry else { continue };
            let later = evidence.questions.iter().skip(life + 1).flatten();
            let asked = later.filter(|question| question.turn == turn && question.step == *step).count();
            if asked > 0 {
                let found = format!("turn {turn}: step {step} was answered in life {} and asked again", life + 1);
                violations.push(Violation::new(Check::ModelCalledTwice, found));
            }
        }
    }
}

/// Checks that the old owner wrote nothing after another worker took the turn over.
fn kept_out(over: &TakeOver, log: &LoggedTurn, violations: &mut Vec<Violation>) {
    for chunk in log.chunks.iter().filter(|chunk| chunk.from_seq > over.seq && chunk.fence.0 < over.fence) {
        let found = format!(
            "turn {}: event {} was written with fence {} after fence {} was granted",
            over.turn, chunk.from_seq, chunk.fence.0, over.fence
        );
        violations.push(Violation::new(Check::Fence, found));
    }
}

fn recorded(log: &LoggedTurn) -> impl Iterator<Item = &Recorded> {
    log.chunks.iter().flat_map(|chunk| &chunk.entries).map(|entry| &entry.kind)
}
