//! Compares what turns waited for with the decisions of the person and the reports of sub-agents.

use turnkit_core::{CallUid, Recorded, Resolution, TurnId, WaitKind};

use super::Evidence;
use super::effects::results;
use crate::kill::HostTool;
use crate::kill::harness::client::Watched;
use crate::kill::harness::snapshot::Stored;
use crate::kill::harness::violation::{Check, Violation};

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    let mut broken = |found: String| violations.push(Violation::new(Check::Decisions, found));
    listed(evidence, &mut broken);
    counted(evidence, &mut broken);
    let mut broken = |found: String| violations.push(Violation::new(Check::Reports, found));
    let Some(last) = evidence.last() else { return };
    for (turn, watched) in &evidence.client.turns {
        if let Some(stored) = last.turns.get(turn) {
            reported(*turn, watched, stored, &mut broken);
            answered(*turn, watched, stored, &mut broken);
        }
    }
    known(evidence, &mut broken);
}

/// Checks that every wait pending at a death is in the first list of the next life. A life has no list if its host died
/// before sending one.
fn listed(evidence: &Evidence<'_>, broken: &mut impl FnMut(String)) {
    for (life, before) in (1..).zip(evidence.stored) {
        let Some(list) = evidence.client.person.listed.get(&life) else { continue };
        for wait in before.pending().filter(|wait| !list.contains(wait)) {
            broken(format!("{wait} was to be decided after life {life}, and the next one did not list it"));
        }
    }
}

/// Checks that an acknowledged decision is in the database after its life and after all later ones.
fn counted(evidence: &Evidence<'_>, broken: &mut impl FnMut(String)) {
    for (wait, sent) in &evidence.client.person.decisions {
        let Some(acknowledged_in) = sent.acknowledged_in else { continue };
        for (life, stored) in evidence.stored.iter().enumerate().skip(acknowledged_in) {
            let stored = stored.waits.get(wait).and_then(|wait| wait.decided.as_ref());
            if !stored.is_some_and(|(resolution, _)| *resolution == sent.resolution) {
                let found = format!("in life {} {wait} was answered to be {:?}", acknowledged_in + 1, sent.resolution);
                broken(format!("{found}, and after life {} it is {stored:?}", life + 1));
            }
        }
    }
}

/// Checks that each call for a sub-agent started exactly one, received its report once, and returned the report as its
/// result.
fn reported(turn: TurnId, watched: &Watched, stored: &Stored, broken: &mut impl FnMut(String)) {
    let results = results(stored);
    let of_call = |uid: CallUid| {
        stored.log.chunks.iter().flat_map(|chunk| &chunk.entries).filter(move |entry| {
        matches!(&entry.kind, Recorded::InteractionRequested { id, .. } | Recorded::InteractionResolved { id, .. } if id.call == uid)
    })
    };
    let delegated = watched.task.all_results(turn).filter(|(_, tool, _)| *tool == HostTool::Delegate);
    for (uid, _, said) in delegated {
        let (mut started, mut ended) = (0, 0);
        for entry in of_call(uid) {
            match &entry.kind {
                Recorded::InteractionRequested { kind: WaitKind::Child, .. } => started += 1,
                Recorded::InteractionResolved { resolution, .. } => {
                    ended += usize::from(matches!(**resolution, Resolution::Child(_)));
                }
                _ => {}
            }
        }
        let gave = results.get(&uid).map(|result| result.content.as_str());
        if (started, ended) != (1, 1) || gave != Some(said.as_str()) {
            broken(format!("call {uid} started {started} sub-agents, heard {ended} reports, and gave {gave:?}"));
        }
    }
}

/// Checks that each call answered by the person or the client asked once, and returned the answer as its result.
fn answered(turn: TurnId, watched: &Watched, stored: &Stored, broken: &mut impl FnMut(String)) {
    let results = results(stored);
    for (uid, tool, answer) in watched.task.all_results(turn).filter(|(_, tool, _)| tool.is_answered()) {
        let entries = stored.log.chunks.iter().flat_map(|chunk| &chunk.entries);
        let asked =
            entries.filter(|entry| matches!(&entry.kind, Recorded::InteractionRequested { id, .. } if id.call == uid));
        let (asked, gave) = (asked.count(), results.get(&uid).map(|result| result.content.as_str()));
        if asked != 1 || gave != Some(answer.as_str()) {
            broken(format!("{} {uid} asked {asked} times, and gave {gave:?}", tool.name()));
        }
    }
}

/// Checks that the model works only on turns that a client knows. A sub-agent that was started twice would violate
/// this.
fn known(evidence: &Evidence<'_>, broken: &mut impl FnMut(String)) {
    // A request without a key may have started a turn although its response was lost.
    if evidence.client.orders.iter().any(|order| order.request.key.is_none()) {
        return;
    }
    for question in evidence.questions.iter().flatten() {
        if !evidence.client.turns.contains_key(&question.turn) {
            broken(format!("the model was asked in turn {}, which no client knows", question.turn));
        }
    }
}

#[cfg(test)]
mod tests;
