//! Checks that responses to clients and events shown to watchers are true.

use turnkit_core::{BusyPolicy, CancelOutcome, TurnStatus, TurnView};

use super::Verdict;
use super::turn::Turn;
use crate::simulation::client::Intent;
use crate::simulation::record::ClientView;
use crate::simulation::watched::Watched;

/// Checks that the responses and events a client received for an intent are true.
pub(super) fn check_intent(intent: &Intent, client: &ClientView, turns: &[Turn], over: bool) -> Verdict {
    let text = intent.text();
    let mine: Vec<&Turn> = turns.iter().filter(|turn| turn.text() == text).collect();
    if mine.len() > 1 {
        return Err(format!("it became {} turns", mine.len()));
    }
    let Some(acknowledged) = client.turn else {
        let refused = client.refused && client.unanswered == 0 && !intent.may_overtake_itself();
        return if refused && !mine.is_empty() { Err("it was refused and runs".to_owned()) } else { Ok(()) };
    };
    let Some(turn) = mine.first().filter(|turn| turn.record.id == acknowledged) else {
        return Err("it was acknowledged and is gone".to_owned());
    };
    check_message_is_in_one_turn(turn, turns)?;
    client.seen.iter().try_for_each(|(cursor, event)| turn.has_shown(*cursor, event))?;
    if client.ended && client.view != TurnView::of(&turn.events) {
        return Err(format!("its view is {:?}, its log makes {:?}", client.view, TurnView::of(&turn.events)));
    }
    if over && !client.ended && !client.refused {
        return Err("its client has not seen the end".to_owned());
    }
    check_stop(intent, client, turn)
}

/// Checks that the user's message is in exactly one turn: its own, or the turn that took it. If the turn was dropped
/// from the queue, the message is in none.
fn check_message_is_in_one_turn(turn: &Turn, turns: &[Turn]) -> Verdict {
    let into = turn.record.steered_into;
    let expected = usize::from(!turn.ended_in_queue() || into.is_some());
    let said: usize = turns.iter().map(|other| other.said_by_user(&turn.text())).sum();
    let taker = turns.iter().find(|other| Some(other.record.id) == into);
    match said == expected && taker.is_none_or(|taker| taker.said_by_user(&turn.text()) == 1) {
        true => Ok(()),
        false => {
            Err(format!("its message is {said} times in turns, its turn is {}, taken by {into:?}", turn.record.state))
        }
    }
}

fn check_stop(intent: &Intent, client: &ClientView, turn: &Turn) -> Verdict {
    let Some(status) = turn.status() else { return Ok(()) };
    let is_allowed = match client.cancel {
        Some(CancelOutcome::Stopping) => {
            matches!(status, TurnStatus::Cancelled | TurnStatus::Interrupted | TurnStatus::Expired)
        }
        Some(CancelOutcome::EndedUnstarted) => status == TurnStatus::Cancelled && turn.events.len() == 2,
        Some(CancelOutcome::AlreadyEnded) => true,
        // The response to a cancel request may have been lost with the process.
        None => true,
    };
    if is_allowed {
        Ok(())
    } else {
        let policy = if intent.busy == BusyPolicy::Interrupt { "interrupting" } else { "plain" };
        Err(format!("{policy}: its cancel was answered {:?} and it ended {}", client.cancel, status.as_str()))
    }
}

/// Checks that every event shown to a session's watcher is in the log of its turn, unless the event was provisional.
pub(super) fn check_watched(watched: &Watched, turns: &[&Turn]) -> Verdict {
    for (cursor, event) in &watched.seen {
        let Some(turn) = turns.iter().find(|turn| turn.record.number == cursor.turn) else {
            return Err(format!("the watcher of a session was shown {cursor}, and there is no such turn"));
        };
        turn.has_shown(*cursor, event)?;
    }
    Ok(())
}
