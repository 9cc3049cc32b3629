//! Compares what the client was shown with the log.

use std::collections::BTreeMap;

use turnkit_core::{EventKind, LoggedTurn, TurnEvent, TurnId, TurnLog, TurnView, replay};

use super::Evidence;
use crate::kill::Task;
use crate::kill::harness::client::{Seen, Shown, Watched};
use crate::kill::harness::violation::{Check, Violation};
use crate::kill::protocol::content;

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    for (turn, watched) in &evidence.client.turns {
        let Some(stored) = evidence.last().and_then(|last| last.turns.get(turn)) else { continue };
        let mut broken = |found: String| violations.push(Violation::new(Check::Shown, format!("turn {turn}: {found}")));
        let log = Log::new(&stored.log);
        for seen in &watched.seen {
            if let Err(found) = log.agrees(seen) {
                broken(found);
            }
        }
        if let Err(found) = gapless(watched) {
            broken(found);
        }
        let ends = watched.seen.iter().filter(|seen| seen.is_event("turn.ended")).count();
        let resynced = watched.seen.iter().any(|seen| matches!(seen.what, Shown::View { .. }));
        if ends > 1 || (ends == 0 && !resynced) {
            broken(format!("turn.ended was shown {ends} times"));
        }
        durable_before_visible(evidence, *turn, watched, &watched.task, &mut broken);
    }
}

/// A stored log and its replayed events.
struct Log {
    log: TurnLog,
    events: BTreeMap<u32, TurnEvent>,
}

impl Log {
    fn new(stored: &LoggedTurn) -> Self {
        let events = replay(stored, 0).into_iter().map(|event| (event.seq, event)).collect();
        let fence = stored.chunks.last().map(|chunk| chunk.fence).unwrap_or_default();
        Self { log: TurnLog::restore(stored.clone(), fence), events }
    }

    /// Checks that what was shown is in the log, or was retracted by a later owner.
    fn agrees(&self, seen: &Seen) -> Result<(), String> {
        let (seq, fence) = (seen.cursor.seq, seen.cursor.fence);
        if self.log.fence_of(seq) == Some(fence) {
            let (shown, logged) = match &seen.what {
                Shown::Event { content: shown, .. } => (shown, self.events.get(&seq).map(|event| content(&event.kind))),
                Shown::View { content: shown } => (shown, Some(content(&self.view(seq)))),
            };
            return if logged.as_ref() == Some(shown) {
                Ok(())
            } else {
                Err(format!("{} was shown as {shown}, and the log has {logged:?}", seen.cursor))
            };
        }
        let retracted = self.events.values().any(|event| {
            let later = self.log.fence_of(event.seq).is_some_and(|owner| owner > fence);
            later && matches!(event.kind, EventKind::Retracted { from_seq, .. } if from_seq <= seq)
        });
        if retracted { Ok(()) } else { Err(format!("{} was shown, is not in the log, and not retracted", seen.cursor)) }
    }

    fn view(&self, seq: u32) -> TurnView {
        TurnView::of(self.events.range(..=seq).map(|(_, event)| event))
    }
}

/// Checks that events follow each other without a gap across all lives. Only a snapshot may skip events.
fn gapless(watched: &Watched) -> Result<(), String> {
    let mut next = 1;
    for seen in &watched.seen {
        let seq = seen.cursor.seq;
        if matches!(seen.what, Shown::Event { .. }) && seq != next {
            return Err(format!("event {} was shown, and {next} should have been", seen.cursor));
        }
        next = seq + 1;
    }
    Ok(())
}

/// Checks that every boundary event shown in a life was in the database when that life ended.
fn durable_before_visible(
    evidence: &Evidence<'_>,
    turn: TurnId,
    watched: &Watched,
    task: &Task,
    broken: &mut impl FnMut(String),
) {
    for (life, stored) in evidence.stored.iter().enumerate() {
        let log = stored.turns.get(&turn).map(|stored| Log::new(&stored.log));
        for seen in watched.seen.iter().filter(|seen| seen.life == life) {
            let Shown::Event { name, step, .. } = &seen.what else { continue };
            let durable = log.as_ref().is_some_and(|log| log.events.contains_key(&seen.cursor.seq));
            if is_boundary(name, *step, task) && !durable {
                broken(format!("{name} {} was shown in life {} before it was durable", seen.cursor, life + 1));
            }
        }
    }
}

/// Returns `true` if the event must be durable before any client sees it.
fn is_boundary(name: &str, step: Option<u16>, task: &Task) -> bool {
    match name {
        "turn.started" | "tool.finished" | "data" | "error" | "turn.ended" => true,
        "interaction.requested" | "interaction.resolved" => true,
        // A step without changes is stored with the checkpoint that follows.
        "step.ended" | "tool.started" => step.is_some_and(|step| !task.only_looks(step)),
        _ => false,
    }
}

impl Seen {
    fn is_event(&self, wanted: &str) -> bool {
        matches!(&self.what, Shown::Event { name, .. } if name == wanted)
    }
}
