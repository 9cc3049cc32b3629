//! The data of native events. OpenAPI cannot express the events of a stream, so the content of a response names them in
//! an extension: `x-events`, from the name of an event to its schema.

use serde_json::{Map, Value};

/// Operations that respond with native events.
const NATIVE: [&str; 4] = ["start_native", "regenerate_turn", "follow_turn", "follow_session"];
/// The event that only the stream of a session contains.
const OF_A_SESSION: &str = "queue";

/// Names the events of an operation's response, if they are native.
pub(super) fn name(operation: &mut Value, events: &Map<String, Value>) {
    let Some(id) = NATIVE.into_iter().find(|id| operation["operationId"] == *id) else { return };
    let named = events.iter().filter(|(event, _)| *event != OF_A_SESSION || id == "follow_session");
    let named: Map<String, Value> = named.map(|(event, schema)| (event.clone(), schema.clone())).collect();
    operation["responses"]["200"]["content"]["text/event-stream"]["x-events"] = named.into();
}
