//! Compares the effects of tools with the results in the transcript.

use std::collections::BTreeMap;

use turnkit_core::{CallUid, Part, Recorded, ToolErrorKind, ToolResult};

use super::Evidence;
use crate::kill::HostTool;
use crate::kill::harness::person::Person;
use crate::kill::harness::snapshot::{Contents, Stored};
use crate::kill::harness::violation::{Check, Violation};

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    let Some(last) = evidence.last() else { return };
    let mut broken = |found: String| violations.push(Violation::new(Check::Effects, found));
    for (uid, times) in evidence.effects {
        if !last.turns.contains_key(&uid.turn) && !is_unkeyed(evidence) {
            broken(format!("call {uid} of a turn that no client started had {times} effects"));
        }
    }
    for (turn, watched) in &evidence.client.turns {
        let Some(stored) = last.turns.get(turn) else { continue };
        let results = results(stored);
        for (uid, tool, what) in watched.task.changes(*turn) {
            let times = evidence.effects.get(&uid).copied().unwrap_or(0);
            let Some(result) = results.get(&uid) else {
                broken(format!("call {uid} has no result"));
                continue;
            };
            let agrees = match watched.task.person {
                true => as_decided(tool, times, result, &what, uid, &evidence.client.person),
                false => agrees(tool, times, result, &what),
            };
            if let Err(why) = agrees {
                broken(format!("{} {uid}: {why}", tool.name()));
            }
            if is_unknown(result) && !evidence.stored.iter().any(|stored| was_running(stored, uid)) {
                broken(format!(
                    "{} {uid}: its outcome is said to be unknown, and no death found it running",
                    tool.name()
                ));
            }
        }
    }
}

/// Checks that a result is consistent with a call that had `times` effects.
fn agrees(tool: HostTool, times: usize, result: &ToolResult, what: &str) -> Result<(), String> {
    let succeeded = result.ok && result.content == what;
    match tool {
        HostTool::Lookup => Ok(()),
        HostTool::Upsert if succeeded && times > 0 => Ok(()),
        HostTool::Pay if times > 1 => Err(format!("{times} effects")),
        HostTool::Pay if succeeded && times == 0 => Err("said to be done, and nothing happened".to_owned()),
        HostTool::Pay if succeeded || is_unknown(result) => Ok(()),
        _ => Err(format!("{times} effects, and its result is {:?}", result.content)),
    }
}

/// Checks that a call did what the person decided: no effect if it was denied, otherwise its intended effect, exactly
/// once. If asked about an interrupted call, the person knows its effect.
fn as_decided(
    tool: HostTool,
    times: usize,
    result: &ToolResult,
    what: &str,
    uid: CallUid,
    person: &Person,
) -> Result<(), String> {
    let is_denied = person.denied(uid);
    let ran = match is_denied {
        true => times == 0,
        false => times == 1 || (tool.may_repeat() && times > 1),
    };
    let said = match is_denied {
        true => result.error == Some(ToolErrorKind::Denied),
        false => result.ok && (result.content == what || person.knows_effect(uid)),
    };
    match ran && said {
        true => Ok(()),
        false => Err(format!("denied: {is_denied}, {times} effects, and its result is {:?}", result.content)),
    }
}

fn is_unknown(result: &ToolResult) -> bool {
    result.error == Some(ToolErrorKind::OutcomeUnknown)
}

/// Returns `true` if the call was stored as started and its result was not stored.
fn was_running(stored: &Contents, uid: CallUid) -> bool {
    let Some(turn) = stored.turns.get(&uid.turn) else { return false };
    let entries = || turn.log.chunks.iter().flat_map(|chunk| &chunk.entries).map(|entry| &entry.kind);
    let started = entries().any(|entry| matches!(entry, Recorded::ToolStarted { uid: of } if *of == uid));
    started && !entries().any(|entry| matches!(entry, Recorded::ToolFinished { uid: of, .. } if *of == uid))
}

/// Returns the results of a turn's calls. If a call has two results, the last one counts.
pub(super) fn results(stored: &Stored) -> BTreeMap<CallUid, &ToolResult> {
    let parts = stored.log.messages.iter().flat_map(|entry| &entry.message().parts);
    let results = parts.filter_map(|part| match part {
        Part::ToolResult(result) => Some((result.uid, result)),
        _ => None,
    });
    results.collect()
}

/// Returns `true` if a turn may be stored that the client does not know.
fn is_unkeyed(evidence: &Evidence<'_>) -> bool {
    evidence.client.orders.iter().any(|order| order.turn.is_none() && order.request.key.is_none())
}
