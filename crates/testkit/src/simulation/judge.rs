//! What must be true after every crash, and at the end.

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{
    BusyPolicy, CancelOutcome, Cursor, Day, EventKind, Fence, History, LoggedTurn, Part, Scope, SessionId, SessionName,
    ToolErrorKind, TurnEvent, TurnRecord, TurnState, TurnStatus, TurnView, Usage, replay,
};

use super::client::Intent;
use super::record::{Facts, Record, Told};
use super::watcher::Watched;
use crate::model_store::{Disk, ModelStore};
use crate::same_view::check_views;
use crate::transcript::check_history;

type Verdict = Result<(), String>;

/// A turn as it is on the disk.
struct Turn {
    record: TurnRecord,
    logged: LoggedTurn,
    events: Vec<TurnEvent>,
}

/// Checks all that must hold at any time; with `over`, also that everything came to its end.
pub(super) fn judge(disk: &Disk, record: &Record, intents: &[Intent], over: bool) -> Verdict {
    let facts = record.facts();
    if let Some(wrong) = &facts.wrong {
        return Err(wrong.clone());
    }
    if let Some(wrong) = disk.foreign_write() {
        return Err(wrong);
    }
    let turns = disk.turns().into_iter().map(|(record, logged)| Turn { events: replay(&logged, 0), record, logged });
    let turns: Vec<Turn> = turns.collect();
    for turn in &turns {
        let messages = turn.logged.messages.iter().map(|entry| entry.message());
        let whole = turn.log_is_whole(over).and_then(|()| check_views(&turn.record, &turn.events, messages));
        whole.and_then(|()| turn.effects_are_accounted_for(&facts, over)).map_err(|wrong| {
            let names: Vec<_> = turn.events.iter().map(|event| event.kind.name()).collect();
            format!("turn {} ({}): {wrong}; its log: {names:?}", turn.record.number, turn.text())
        })?;
    }
    in_order(&facts)?;
    for intent in intents {
        let told = facts.told.get(&intent.number).cloned().unwrap_or_default();
        kept(intent, &told, &turns, over).map_err(|wrong| format!("{}: {wrong}", intent.text()))?;
    }
    for (session, watched) in &facts.watched {
        was_so(watched, &turns.iter().filter(|turn| turn.record.session == *session).collect::<Vec<_>>())?;
    }
    effects_have_a_call(&facts, &turns)
}

/// What the watcher of a session was shown is in the logs of its turns, or did not have to be.
fn was_so(watched: &Watched, turns: &[&Turn]) -> Verdict {
    for (cursor, event) in &watched.seen {
        let Some(turn) = turns.iter().find(|turn| turn.record.number == cursor.turn) else {
            return Err(format!("the watcher of a session was shown {cursor}, and there is no such turn"));
        };
        turn.has_shown(*cursor, event)?;
    }
    Ok(())
}

/// Checks what is kept of the sessions, once everything is over.
pub(super) async fn judge_sessions(disk: &Disk, intents: &[Intent]) -> Verdict {
    let store = ModelStore::open(disk);
    let places: BTreeMap<(Scope, SessionName), ()> =
        intents.iter().map(|intent| ((intent.scope.clone(), intent.session.clone()), ())).collect();
    for (scope, name) in places.keys() {
        let Ok(session) = store.session_named(scope, name).await else { continue };
        let messages = store.messages(scope, session.id).await.map_err(|error| error.to_string())?;
        check_history(&History::of(messages)).map_err(|wrong| format!("{name}: malformed transcript: {wrong:?}"))?;
        let used = consumed(disk, session.id);
        if used != session.usage {
            return Err(format!("{name} consumed {:?}, its turns {used:?}", session.usage));
        }
    }
    let scopes: BTreeSet<&Scope> = intents.iter().map(|intent| &intent.scope).collect();
    let mut days = Usage::default();
    for scope in scopes {
        let rows =
            store.consumed(scope, Day::FIRST, Day::from_number(i64::MAX)).await.map_err(|error| error.to_string())?;
        rows.iter().for_each(|row| days.add(&row.usage));
    }
    let steps = steps(disk);
    if steps != days {
        return Err(format!("steps consumed {steps:?}, days {days:?}"));
    }
    Ok(())
}

/// What the steps in all logs consumed, with the calls that were lost.
fn steps(disk: &Disk) -> Usage {
    let mut sum = Usage::default();
    for (_, logged) in disk.turns() {
        for event in replay(&logged, 0) {
            match event.kind {
                EventKind::StepEnded { usage, .. } => sum.add(&usage),
                EventKind::Retracted { lost_calls, .. } => (0..lost_calls).for_each(|_| sum.add(&Usage::unmetered())),
                _ => {}
            }
        }
    }
    sum
}

fn consumed(disk: &Disk, session: SessionId) -> Usage {
    let mut sum = Usage::default();
    for (record, logged) in disk.turns() {
        if record.session == session
            && let Some(EventKind::TurnEnded { usage, .. }) = replay(&logged, 0).last().map(|event| event.kind.clone())
        {
            sum.add(&usage);
        }
    }
    sum
}

impl Turn {
    fn text(&self) -> String {
        self.logged.messages.first().map(|entry| entry.message().text()).unwrap_or_default()
    }

    fn status(&self) -> Option<TurnStatus> {
        self.events.iter().find_map(|event| match event.kind {
            EventKind::TurnEnded { status, .. } => Some(status),
            _ => None,
        })
    }

    fn fence_of(&self, seq: u32) -> Option<Fence> {
        let chunk = self.logged.chunks.iter().find(|chunk| (chunk.from_seq..=chunk.to_seq).contains(&seq));
        chunk.map(|chunk| chunk.fence)
    }

    /// What was shown is in the log, or did not have to be.
    fn has_shown(&self, cursor: Cursor, event: &TurnEvent) -> Verdict {
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

    fn log_is_whole(&self, over: bool) -> Verdict {
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

    /// A call that must not run twice had at most one effect; one whose effect is not in its result has no other result
    /// than "unknown".
    fn effects_are_accounted_for(&self, facts: &Facts, over: bool) -> Verdict {
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

/// Turns of a session ask their models in the order of their numbers.
fn in_order(facts: &Facts) -> Verdict {
    let mut last = BTreeMap::new();
    for (session, number, _) in &facts.begun {
        let before = last.insert(session, *number).unwrap_or(0);
        if before > *number {
            return Err(format!("turn {number} ran after turn {before} of its session"));
        }
    }
    Ok(())
}

/// An effect in the world belongs to a call that is on the disk.
fn effects_have_a_call(facts: &Facts, turns: &[Turn]) -> Verdict {
    for (uid, name) in &facts.effects {
        let messages = turns.iter().flat_map(|turn| &turn.logged.messages);
        if !messages.into_iter().flat_map(|entry| entry.message().calls()).any(|call| call.uid == *uid) {
            return Err(format!("{name} {uid} took effect and nobody called it"));
        }
    }
    Ok(())
}

/// What a client was told is so.
fn kept(intent: &Intent, told: &Told, turns: &[Turn], over: bool) -> Verdict {
    let text = intent.text();
    let mine: Vec<&Turn> = turns.iter().filter(|turn| turn.text() == text).collect();
    if mine.len() > 1 {
        return Err(format!("it became {} turns", mine.len()));
    }
    let Some(acknowledged) = told.turn else {
        let refused = told.refused && told.unanswered == 0 && !intent.may_overtake_itself();
        return if refused && !mine.is_empty() { Err("it was refused and runs".to_owned()) } else { Ok(()) };
    };
    let Some(turn) = mine.first().filter(|turn| turn.record.id == acknowledged) else {
        return Err("it was acknowledged and is gone".to_owned());
    };
    told.seen.iter().try_for_each(|(cursor, event)| turn.has_shown(*cursor, event))?;
    if told.ended && told.view != TurnView::of(&turn.events) {
        return Err(format!("its view is {:?}, its log makes {:?}", told.view, TurnView::of(&turn.events)));
    }
    if over && !told.ended && !told.refused {
        return Err("its client has not seen the end".to_owned());
    }
    stopped(intent, told, turn)
}

fn stopped(intent: &Intent, told: &Told, turn: &Turn) -> Verdict {
    let Some(status) = turn.status() else { return Ok(()) };
    let as_told = match told.cancel {
        Some(CancelOutcome::Stopping) => {
            matches!(status, TurnStatus::Cancelled | TurnStatus::Interrupted | TurnStatus::Expired)
        }
        Some(CancelOutcome::EndedUnstarted) => status == TurnStatus::Cancelled && turn.events.len() == 2,
        Some(CancelOutcome::AlreadyEnded) => true,
        // The answer to its cancel may have been lost with the process.
        None => true,
    };
    if as_told {
        Ok(())
    } else {
        let policy = if intent.busy == BusyPolicy::Interrupt { "interrupting" } else { "plain" };
        Err(format!("{policy}: its cancel was answered {:?} and it ended {}", told.cancel, status.as_str()))
    }
}

/// Shown only once it is stored. The rest of a log may be provisional.
fn is_durable(event: &TurnEvent) -> bool {
    match &event.kind {
        EventKind::TurnStarted { .. }
        | EventKind::ToolFinished { .. }
        | EventKind::Data { .. }
        | EventKind::TurnEnded { .. } => true,
        EventKind::ToolStarted { name, .. } => name == "pay" || name == "put",
        _ => false,
    }
}
