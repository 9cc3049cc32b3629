//! Invariants of sessions and of recorded usage at the end of a simulation.

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{Day, EventKind, History, Scope, SessionId, SessionName, Usage, replay};

use super::Verdict;
use crate::model_store::{Disk, ModelStore};
use crate::simulation::client::Intent;
use crate::transcript::check_history;

/// Checks the stored sessions at the end of a simulation.
pub(in crate::simulation) async fn judge_sessions(disk: &Disk, intents: &[Intent]) -> Verdict {
    let store = ModelStore::open(disk);
    let places: BTreeMap<(Scope, SessionName), ()> =
        intents.iter().map(|intent| ((intent.scope.clone(), intent.session.clone()), ())).collect();
    for (scope, name) in places.keys() {
        let Ok(session) = store.session_named(scope, name).await else { continue };
        let messages = store.messages(scope, session.id).await.map_err(|error| error.to_string())?;
        check_history(&History::of(messages).in_call_order())
            .map_err(|wrong| format!("{name}: malformed transcript: {wrong:?}"))?;
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

/// Returns the usage of the steps in all logs, including lost calls.
fn steps(disk: &Disk) -> Usage {
    let mut sum = Usage::default();
    for (_, logged) in disk.turns() {
        for event in replay(&logged, 0) {
            match event.kind {
                EventKind::StepEnded { usage, .. } => sum.add(&usage),
                EventKind::Compacted { usage, .. } => sum.add(&usage),
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
