//! The invariants checked after every crash and at the end of a simulation.

mod children;
mod chores;
mod client;
mod sessions;
mod turn;
mod waits;

use std::collections::BTreeMap;

pub(super) use self::sessions::judge_sessions;

use self::children::children_belong_to_calls;
use self::chores::chores_give_way;
use self::client::{check_intent, check_watched};
use self::turn::Turn;
use self::waits::waits_are_decided_once;
use super::client::Intent;
use super::record::{Facts, Record};
use crate::model_store::Disk;
use crate::same_view::check_views;

type Verdict = Result<(), String>;

/// Checks everything that must hold at any time. With `over`, also checks that every turn has ended.
pub(super) fn judge(disk: &Disk, record: &Record, intents: &[Intent], over: bool) -> Verdict {
    let facts = record.facts();
    if let Some(wrong) = &facts.violation {
        return Err(wrong.clone());
    }
    if let Some(wrong) = disk.foreign_write() {
        return Err(wrong);
    }
    let turns: Vec<Turn> = disk.turns().into_iter().map(Turn::new).collect();
    for turn in &turns {
        let messages = turn.logged.messages.iter().map(|entry| entry.message());
        let whole = turn.log_is_whole(over).and_then(|()| check_views(&turn.record, &turn.events, messages));
        let whole = whole.and_then(|()| turn.compactions_are_in_bounds());
        let whole = whole.and_then(|()| turn.saved_text_is_kept(disk));
        whole.and_then(|()| turn.effects_are_accounted_for(&facts, over)).map_err(|wrong| {
            let names: Vec<_> = turn.events.iter().map(|event| event.kind.name()).collect();
            format!("turn {} ({}): {wrong}; its log: {names:?}", turn.record.number, turn.text())
        })?;
    }
    in_order(&facts)?;
    waits_are_decided_once(disk, &facts, &turns)?;
    children_belong_to_calls(disk, &turns)?;
    chores_give_way(disk, &turns)?;
    for intent in intents {
        let client = facts.clients.get(&intent.number).cloned().unwrap_or_default();
        check_intent(intent, &client, &turns, over).map_err(|wrong| format!("{}: {wrong}", intent.text()))?;
    }
    for (session, watched) in &facts.watched {
        check_watched(watched, &turns.iter().filter(|turn| turn.record.session == *session).collect::<Vec<_>>())?;
    }
    effects_have_a_call(&facts, &turns)
}

/// Checks that the turns of a session call their models in the order of their numbers.
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

/// Checks that every effect belongs to a call that is on the disk.
fn effects_have_a_call(facts: &Facts, turns: &[Turn]) -> Verdict {
    for (uid, name) in &facts.effects {
        let messages = turns.iter().flat_map(|turn| &turn.logged.messages);
        if !messages.into_iter().flat_map(|entry| entry.message().calls()).any(|call| call.uid == *uid) {
            return Err(format!("{name} {uid} took effect without a call"));
        }
    }
    Ok(())
}
