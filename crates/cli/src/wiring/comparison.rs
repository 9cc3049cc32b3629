//! Comparison of a replayed turn with the stored one, up to the first difference.

use std::sync::Arc;

use serde_json::Value;
use turnkit_core::ports::{ReplayDifference, ReplayReport};
use turnkit_core::{Entry, TurnEvent, TurnId};
use turnkit_engine::ReplayOutcome;
use turnkit_llm::recording::{Recordings, ReplayDifferences, first_difference};
use turnkit_server::native::event_json;

/// The number of characters shown before and after the first character that differs.
const BEFORE: usize = 20;
const AFTER: usize = 60;
/// The fields of every event that do not describe what happened.
const IGNORED_FIELDS: [&str; 3] = ["turn_id", "seq", "at"];

/// The value of one turn at the difference; `None` if the turn has ended, or has no such value.
type Side = Option<Value>;

/// Compares the replay of a turn from `recordings` with the stored turn and its `messages`.
pub(super) fn compare(
    turn: TurnId,
    replayed: &ReplayOutcome,
    messages: &[Arc<Entry>],
    recordings: &Recordings,
) -> ReplayReport {
    let ReplayOutcome { recorded_events: stored, replayed_events: events, messages: now } = replayed;
    let ReplayDifferences { missing, requests } = recordings.differences();
    ReplayReport {
        stored_events: stored.len(),
        replayed_events: events.len(),
        difference: of_events(turn, stored, events).or_else(|| of_messages(messages, now)),
        missing: missing.into_iter().collect(),
        requests: requests.into_iter().collect(),
    }
}

fn of_events(turn: TurnId, stored: &[TurnEvent], now: &[TurnEvent]) -> Option<ReplayDifference> {
    let reader_view = |event: &TurnEvent| {
        let mut json = event_json(turn, event);
        if let Some(fields) = json.as_object_mut() {
            IGNORED_FIELDS.iter().for_each(|name| drop(fields.remove(*name)));
        }
        json
    };
    let (mut stored, mut now) = (stored.iter(), now.iter());
    loop {
        let (one, other) = (stored.next(), now.next());
        let event = one.or(other)?;
        let (event, kind) = (Some(event.seq), Some(event.kind.name()));
        // Content that is not text for a reader, such as a signature, is compared in the messages.
        let same_kind = one.map(|one| one.kind.name()) == other.map(|other| other.kind.name());
        let (one, other) = (one.map(reader_view), other.map(reader_view));
        match (&one, &other) {
            (Some(one), Some(other)) if same_kind => {
                if let Some(at) = first_difference(one, other) {
                    let (stored, replayed) = around(one.pointer(&at), other.pointer(&at));
                    return Some(ReplayDifference { event, message: None, kind, at, stored, replayed });
                }
            }
            _ => {
                return Some(ReplayDifference {
                    event,
                    message: None,
                    kind,
                    at: String::new(),
                    stored: one,
                    replayed: other,
                });
            }
        }
    }
}

fn of_messages(stored: &[Arc<Entry>], now: &[Arc<Entry>]) -> Option<ReplayDifference> {
    let json = |entries: &[Arc<Entry>], at: usize| {
        entries.get(at).and_then(|entry| serde_json::to_value(entry.message()).ok())
    };
    (0..stored.len().max(now.len())).find_map(|place| {
        let (one, other) = (json(stored, place).unwrap_or_default(), json(now, place).unwrap_or_default());
        let at = first_difference(&one, &other)?;
        let (stored, replayed) = around(one.pointer(&at), other.pointer(&at));
        Some(ReplayDifference { event: None, message: Some(place), kind: None, at, stored, replayed })
    })
}

/// Returns both values. Of texts, returns the part around the first character that differs.
fn around(one: Option<&Value>, other: Option<&Value>) -> (Side, Side) {
    let (Some(Value::String(one)), Some(Value::String(other))) = (one, other) else {
        return (one.cloned(), other.cloned());
    };
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let part = |text: &str| {
        let from = same.saturating_sub(BEFORE);
        let shown: String = text.chars().skip(from).take(BEFORE + AFTER).collect();
        let cut = text.chars().count() > from + BEFORE + AFTER;
        let (before, after) = (if from > 0 { "…" } else { "" }, if cut { "…" } else { "" });
        Value::from(format!("{before}{shown}{after}"))
    };
    (Some(part(one)), Some(part(other)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::around;

    #[test]
    fn of_texts_the_part_that_differs_is_shown() {
        let long = "a".repeat(100);
        let (one, other) = around(Some(&json!(format!("{long}é and so on"))), Some(&json!(format!("{long}e"))));
        assert_eq!(one, Some(json!(format!("…{}é and so on", "a".repeat(20)))));
        assert_eq!(other, Some(json!(format!("…{}e", "a".repeat(20)))));
        assert_eq!(around(Some(&json!(1)), None), (Some(json!(1)), None));
    }
}
