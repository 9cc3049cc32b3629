//! Invariants of sub-agents' turns.

use std::collections::BTreeMap;

use turnkit_core::{ChildReport, Denial, EventKind, Resolution, Role, TurnId, TurnStatus, Wait, WaitKind};

use super::Verdict;
use super::turn::Turn;
use crate::model_store::Disk;

/// Checks that each call starts at most one sub-agent, in a session of its own, and receives its report. Also checks
/// that a turn that stops also stops its sub-agents.
pub(super) fn children_belong_to_calls(disk: &Disk, turns: &[Turn]) -> Verdict {
    let waits = disk.waits();
    let of_children = waits.values().filter(|wait| wait.kind == WaitKind::Child);
    let mut callers: BTreeMap<TurnId, &Wait> = BTreeMap::new();
    for wait in of_children {
        let child = wait.question.child.as_ref().ok_or_else(|| format!("{} is about no sub-agent", wait.id))?;
        if let Some(other) = callers.insert(child.turn, wait) {
            return Err(format!("{} and {} are about one sub-agent", other.id, wait.id));
        }
    }
    for child in turns {
        match (parent_of(child), callers.remove(&child.record.id)) {
            (None, None) => {}
            (Some(parent), Some(wait)) if wait.id.call.turn == parent => {
                let above = turns.iter().find(|turn| turn.record.id == parent);
                let above = above.ok_or_else(|| format!("{} has no turn", wait.id))?;
                is_child_of(child, above, wait).map_err(|wrong| format!("the sub-agent of {}: {wrong}", wait.id))?;
            }
            (parent, wait) => {
                let wait = wait.map(|wait| wait.id);
                return Err(format!("turn {} has the parent {parent:?}, and {wait:?} is about it", child.record.id));
            }
        }
    }
    match callers.values().next() {
        Some(wait) => Err(format!("{} is about a sub-agent that is not there", wait.id)),
        None => Ok(()),
    }
}

fn is_child_of(child: &Turn, above: &Turn, wait: &Wait) -> Verdict {
    if child.record.session == above.record.session {
        return Err("it works in the session of the parent turn".to_owned());
    }
    match &wait.decided {
        Some((Resolution::Child(report), _)) => is_reported(child, report),
        Some((Resolution::Denied { by: Denial::Cancelled | Denial::Superseded | Denial::Expired, .. }, at)) => {
            let end = child.events.last().filter(|event| event.kind.is_terminal());
            let went_on = end.is_some_and(|end| end.at > *at) && child.status() != Some(TurnStatus::Cancelled);
            if went_on {
                Err(format!("it ended {:?} after the parent turn was stopped", child.status()))
            } else {
                Ok(())
            }
        }
        Some((decided, _)) => Err(format!("its call received {decided:?}")),
        None if child.status().is_some() => Err("it is over, and its call waits for it".to_owned()),
        None => Ok(()),
    }
}

/// Checks that the report contains the sub-agent's last answer and its status.
fn is_reported(child: &Turn, report: &ChildReport) -> Verdict {
    let messages = child.logged.messages.iter().rev().map(|entry| entry.message());
    let answers = messages.filter(|message| message.role == Role::Assistant && !message.is_notices_only());
    let text = answers.map(|message| message.text()).find(|text| !text.is_empty()).unwrap_or_default();
    let received = (report.turn, report.session, Some(report.status), &report.text);
    let expected = (child.record.id, child.record.session, child.status(), &text);
    if received == expected { Ok(()) } else { Err(format!("its call received {received:?}, and it is {expected:?}")) }
}

fn parent_of(turn: &Turn) -> Option<TurnId> {
    match turn.events.first().map(|event| &event.kind) {
        Some(EventKind::TurnStarted { parent, .. }) => *parent,
        _ => None,
    }
}
