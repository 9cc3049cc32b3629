//! Comparison of a replayed turn with the stored one, up to the first difference.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use turnkit_core::{Entry, TurnEvent, TurnId};
use turnkit_engine::ReplayOutcome;
use turnkit_llm::recording::first_difference;
use turnkit_server::native::event_json;

/// The number of characters shown before and after the first character that differs.
const BEFORE: usize = 20;
const AFTER: usize = 60;
/// The fields of every event that do not describe what happened.
const IGNORED_FIELDS: [&str; 3] = ["turn_id", "seq", "at"];

/// The result of comparing a stored turn with its replay.
pub(super) struct Comparison {
    /// The number of stored events.
    pub(super) stored: usize,
    /// The number of replayed events.
    pub(super) replayed: usize,
    pub(super) difference: Option<Difference>,
}

/// The value of one turn at the difference; `None` if the turn has ended, or has no such value.
pub(super) type Side = Option<Value>;

/// The first difference.
#[derive(Serialize)]
pub(super) struct Difference {
    /// The number of the event, if events differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<u32>,
    /// The index of the message in its turn, from 0, if only a message differs: some of its content is in no event.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<usize>,
    /// The kind of the stored event, or else of the replayed one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    /// The location in the event or message, as a JSON pointer.
    at: String,
    pub(super) stored: Side,
    pub(super) replayed: Side,
}

impl Comparison {
    pub(super) fn new(turn: TurnId, replayed: &ReplayOutcome, messages: &[Arc<Entry>]) -> Self {
        let ReplayOutcome { recorded_events: stored, replayed_events: events, messages: now } = replayed;
        let difference = of_events(turn, stored, events).or_else(|| of_messages(messages, now));
        Self { stored: stored.len(), replayed: events.len(), difference }
    }
}

impl Difference {
    /// Returns the location, for people.
    pub(super) fn place(&self) -> String {
        let at = &self.at;
        match (self.event, self.message) {
            (Some(event), _) => format!("event {event}, {} {at}", self.kind.unwrap_or_default()).trim_end().to_owned(),
            (None, message) => format!("message {} {at}", message.unwrap_or_default()).trim_end().to_owned(),
        }
    }
}

fn of_events(turn: TurnId, stored: &[TurnEvent], now: &[TurnEvent]) -> Option<Difference> {
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
                    return Some(Difference { event, message: None, kind, at, stored, replayed });
                }
            }
            _ => {
                return Some(Difference {
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

fn of_messages(stored: &[Arc<Entry>], now: &[Arc<Entry>]) -> Option<Difference> {
    let json = |entries: &[Arc<Entry>], at: usize| {
        entries.get(at).and_then(|entry| serde_json::to_value(entry.message()).ok())
    };
    (0..stored.len().max(now.len())).find_map(|place| {
        let (one, other) = (json(stored, place).unwrap_or_default(), json(now, place).unwrap_or_default());
        let at = first_difference(&one, &other)?;
        let (stored, replayed) = around(one.pointer(&at), other.pointer(&at));
        Some(Difference { event: None, message: Some(place), kind: None, at, stored, replayed })
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
