//! Invariants of waits and decisions.

use std::collections::BTreeMap;

use turnkit_core::{
    Denial, EventKind, InteractionRequest, Part, Reply, Resolution, ToolErrorKind, ToolResult, TurnState, TurnStatus,
    Wait, WaitId, WaitKind,
};

use super::Verdict;
use super::turn::Turn;
use crate::model_store::Disk;
use crate::simulation::record::Facts;
use crate::simulation::tools::reply_text;

/// Checks that acknowledged decisions are stored, and that turns did what was decided.
pub(super) fn waits_are_decided_once(disk: &Disk, facts: &Facts, turns: &[Turn]) -> Verdict {
    let waits = disk.waits();
    for (wait, resolution) in &facts.decided {
        let stored = waits.get(wait).and_then(|wait| wait.decided.as_ref()).map(|(resolution, _)| resolution);
        if stored != Some(resolution) {
            return Err(format!("{resolution:?} was acknowledged for {wait}, and {stored:?} is stored"));
        }
    }
    for turn in turns {
        let own: BTreeMap<WaitId, &Wait> =
            waits.iter().filter(|(id, _)| id.call.turn == turn.record.id).map(|(id, wait)| (*id, wait)).collect();
        Waits { turn, own }
            .check()
            .map_err(|wrong| format!("turn {} ({}): {wrong}", turn.record.number, turn.text()))?;
    }
    payments_are_approved(facts, &waits)
}

/// Checks that no payment is made without approval.
fn payments_are_approved(facts: &Facts, waits: &BTreeMap<WaitId, Wait>) -> Verdict {
    let asked = waits.values().any(|wait| wait.kind == WaitKind::Approval);
    let is_approved = |wait: &Wait| matches!(wait.decided, Some((Resolution::Approved { .. }, _)));
    for (uid, _) in facts.effects.iter().filter(|(_, name)| asked && *name == "pay") {
        if !waits.iter().any(|(id, wait)| id.call == *uid && is_approved(wait)) {
            return Err(format!("{uid} paid without approval"));
        }
    }
    Ok(())
}

/// The stored waits of a turn, decided or not.
struct Waits<'a> {
    turn: &'a Turn,
    own: BTreeMap<WaitId, &'a Wait>,
}

impl Waits<'_> {
    fn check(&self) -> Verdict {
        let pending = self.own.values().filter(|wait| wait.decided.is_none()).count();
        match self.turn.record.state {
            TurnState::Ended(_) if pending > 0 => return Err("it is over, and waits for something".to_owned()),
            TurnState::Cancelling if pending > 0 => return Err("it is to stop, and waits for something".to_owned()),
            TurnState::Waiting if pending == 0 => return Err("it waits for nothing".to_owned()),
            _ => {}
        }
        let mut requested = 0;
        for event in &self.turn.events {
            match &event.kind {
                EventKind::Error { code, message, .. } if code == "internal" => return Err(message.clone()),
                EventKind::InteractionRequested { request } => {
                    requested += 1;
                    self.is_stored(request)?;
                }
                EventKind::InteractionResolved { id, decision } => {
                    self.is_taken_as_decided(*id, &(**decision).clone().into())?;
                }
                _ => {}
            }
        }
        if requested != self.own.len() {
            return Err(format!("its log has {requested} requests, and {} are stored", self.own.len()));
        }
        Ok(())
    }

    /// Checks that a wait shown to clients equals the stored one.
    fn is_stored(&self, request: &InteractionRequest) -> Verdict {
        let id = request.id;
        let wait = self.own.get(&id).ok_or_else(|| format!("{id} was shown and is not stored"))?;
        let question = &wait.question;
        let shown = (request.kind, &request.name, &request.question, request.expires_at);
        if shown == (wait.kind, &question.name, &question.question, wait.expires_at) {
            Ok(())
        } else {
            Err(format!("{id} was shown as {request:?} and is stored as {wait:?}"))
        }
    }

    /// Checks that the turn received the stored decision and acted on it. A turn that stops does not receive its
    /// decisions.
    fn is_taken_as_decided(&self, id: WaitId, taken: &Resolution) -> Verdict {
        if matches!(taken, Resolution::Denied { by: Denial::Cancelled | Denial::Superseded, .. }) {
            return Ok(());
        }
        let wait = self.own.get(&id).ok_or_else(|| format!("{id} was decided and is not stored"))?;
        let Some((stored, at)) = &wait.decided else { return Err(format!("{id} was taken as {taken:?} before that")) };
        if stored != taken {
            return Err(format!("{id} was taken as {taken:?} and decided as {stored:?}"));
        }
        let has_expired = matches!(stored, Resolution::Denied { by: Denial::Expired, .. });
        if has_expired != (*at >= wait.expires_at) {
            return Err(format!("{id} was decided as {stored:?} at {at:?}, and expires at {:?}", wait.expires_at));
        }
        let is_last = !self.own.keys().any(|other| other.call == id.call && other.number > id.number);
        match self.result(id).filter(|_| is_last) {
            Some(result) if !is_result_of(wait, stored, result) => {
                Err(format!("{id} was decided as {stored:?}, and its call has the result {result:?}"))
            }
            _ => Ok(()),
        }
    }

    fn result(&self, id: WaitId) -> Option<&ToolResult> {
        let mut parts = self.turn.logged.messages.iter().flat_map(|entry| &entry.message().parts);
        parts.find_map(|part| match part {
            Part::ToolResult(result) if result.uid == id.call => Some(result),
            _ => None,
        })
    }
}

/// Returns `true` if the decision may lead to this result. A call that was allowed to run may be interrupted, or fail.
fn is_result_of(wait: &Wait, decided: &Resolution, result: &ToolResult) -> bool {
    let is_cut = matches!(result.error, Some(ToolErrorKind::Cancelled | ToolErrorKind::TimedOut));
    match (wait.kind, decided) {
        _ if is_cut => true,
        (WaitKind::Approval, Resolution::Approved { .. }) => result.error != Some(ToolErrorKind::Denied),
        (WaitKind::Approval, _) => result.error == Some(ToolErrorKind::Denied),
        (WaitKind::Outcome, Resolution::Outcome { .. }) => result.ok,
        (WaitKind::Outcome, _) => result.error == Some(ToolErrorKind::OutcomeUnknown),
        (WaitKind::Question, decided) => reply(decided).is_some_and(|reply| result.content == reply_text(&reply)),
        (WaitKind::ClientTool, Resolution::Returned { ok, content, .. }) => {
            result.ok == *ok && result.content.ends_with(content.as_str())
        }
        (WaitKind::ClientTool, _) => !result.ok,
        (WaitKind::Child, Resolution::Child(report)) => match report.status {
            TurnStatus::Completed => result.ok && result.content == report.text,
            _ => !result.ok,
        },
        (WaitKind::Child, _) => false,
    }
}

/// Returns the reply that a tool receives for a decision about its question.
fn reply(decided: &Resolution) -> Option<Reply> {
    match decided {
        Resolution::Answered { answer } => Some(Reply::Answered(answer.clone())),
        Resolution::Denied { by: Denial::Person, note } => Some(Reply::Declined { note: note.clone() }),
        Resolution::Denied { by: Denial::Expired, .. } => Some(Reply::TimedOut),
        _ => None,
    }
}
