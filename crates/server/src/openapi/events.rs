//! What the data of native events are. OpenAPI has no word for the events of a stream, so the content of a response names
//! them in an extension: `x-events`, from the name of an event to its schema.

use serde_json::{Map, Value, json};

/// The schema of each event's data, by its name.
const EVENTS: &str = include_str!("../dialect/native/events.json");
/// Operations that answer with native events.
const NATIVE: [&str; 3] = ["start_native", "follow_turn", "follow_session"];
/// What only the stream of a session has.
const OF_A_SESSION: &str = "queue";

/// The schemas of all events, by the names of their components.
pub(super) fn schemas() -> Value {
    events().into_iter().map(|(event, schema)| (component(&event), schema)).collect::<Map<_, _>>().into()
}

/// Names the events that an operation answers with, if these are native ones.
pub(super) fn name(operation: &mut Value) {
    let Some(id) = NATIVE.into_iter().find(|id| operation["operationId"] == *id) else { return };
    let told = events().into_iter().filter(|(event, _)| event != OF_A_SESSION || id == "follow_session");
    let named: Map<String, Value> = told
        .map(|(event, _)| {
            let schema = format!("#/components/schemas/{}", component(&event));
            (event, json!({ "$ref": schema }))
        })
        .collect();
    operation["responses"]["200"]["content"]["text/event-stream"]["x-events"] = named.into();
}

fn events() -> Map<String, Value> {
    serde_json::from_str(EVENTS).unwrap_or_default()
}

/// `turn.started` is `TurnStartedEvent`.
fn component(event: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    };
    event.split('.').map(capital).chain(["Event".to_owned()]).collect()
}
