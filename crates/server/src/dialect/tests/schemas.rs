//! Tests of the schema of native frames against the written frames.

use std::collections::{BTreeMap, BTreeSet};

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use turnkit_core::{Fence, Frames, Message, QueuedTurn, Timestamp, TurnEvent};

use super::golden::cases;
use super::reading::kinds;
use super::script::{TURN, half_done, wait};
use super::{frames, stream_of};
use crate::dialect::{DIALECTS, native};
use crate::{ApiError, ErrorCode};

/// The number of generated events: about a hundred of each kind.
const SAMPLES: usize = 1_500;

/// Returns the output of `turnkit schema events`.
fn printed() -> Value {
    serde_json::from_str(&native::event_schema()).unwrap()
}

pub(super) fn document() -> Value {
    serde_json::from_str(crate::openapi()).unwrap()
}

/// Returns the schemas of the events in an operation's response, by name.
fn named<'a>(document: &'a Value, operation: &str) -> &'a serde_json::Map<String, Value> {
    let content = document.pointer(operation).unwrap().pointer("/responses/200/content/text~1event-stream").unwrap();
    content["x-events"].as_object().unwrap()
}

/// Returns every violation of `schema` by `value`. Supports only the parts of JSON Schema that the document uses.
pub(super) fn faults(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return faults(document, document.pointer(reference.trim_start_matches('#')).unwrap(), value, place);
    }
    for all in ["oneOf", "anyOf"] {
        if let Some(schemas) = schema[all].as_array() {
            let fits = schemas.iter().any(|schema| faults(document, schema, value, place).is_empty());
            return if fits { Vec::new() } else { vec![format!("{place}: {value} is none of what it may be")] };
        }
    }
    let mut found = Vec::new();
    for schema in schema["allOf"].as_array().into_iter().flatten() {
        found.extend(faults(document, schema, value, place));
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().map(|one| one.as_str().unwrap()).collect(),
        _ => return found,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() || types.contains(&"number") => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.contains(&kind) {
        found.push(format!("{place}: {value} is not of type {}", types.join(" or ")));
    }
    if schema.get("const").is_some_and(|word| word != value) {
        found.push(format!("{place}: {value} is not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        found.push(format!("{place}: {value} is none of {}", schema["enum"]));
    }
    for item in value.as_array().into_iter().flatten() {
        found.extend(faults(document, &schema["items"], item, place));
    }
    let Some((properties, value)) = schema["properties"].as_object().zip(value.as_object()) else { return found };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !value.contains_key(name) {
            found.push(format!("{place} lacks {name}"));
        }
    }
    for (name, value) in value {
        match properties.get(name) {
            Some(schema) => found.extend(faults(document, schema, value, &format!("{place}.{name}"))),
            None => found.push(format!("{place}: nothing is said of {name}")),
        }
    }
    found
}

#[test]
fn the_document_links_to_the_events_of_other_protocols() {
    let document = document();
    let description = document["info"]["description"].as_str().unwrap();
    assert!(description.contains("x-events") && description.contains("docs/http.md"), "{description}");
}

#[test]
fn every_golden_frame_is_as_the_schema_says() {
    let printed = printed();
    let native = DIALECTS.iter().find(|dialect| dialect.name == "native").unwrap();
    let mut sent: Vec<_> = cases().iter().map(|(_, _, script)| stream_of(native, false, &script.happenings)).collect();
    let mut queue = Frames::new(true);
    native::write_queue(
        &[QueuedTurn { id: TURN, number: 4, input: Message::user("And?"), steering: false }],
        &mut queue,
    );
    sent.push(String::from_utf8(queue.take().to_vec()).unwrap());
    let mut pending = Frames::new(true);
    native::write_pending(TURN, &[wait()], &mut pending);
    sent.push(String::from_utf8(pending.take().to_vec()).unwrap());
    let mut progress = Frames::new(true);
    native::write_progress(TURN, &half_done(), &mut progress);
    sent.push(String::from_utf8(progress.take().to_vec()).unwrap());
    let mut names = BTreeSet::new();
    for frame in sent.iter().flat_map(|stream| frames(stream)) {
        let name = frame.event.as_deref().unwrap();
        assert_eq!(faults(&printed, &printed["properties"][name], &frame.json(), name), Vec::<String>::new());
        names.insert(name.to_owned());
    }
    let described: BTreeSet<String> = printed["properties"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(names, described, "every frame is in a golden case, and described");
}

#[test]
fn every_field_of_every_event_is_written_as_the_schema_says() {
    let printed = printed();
    let mut runner = TestRunner::deterministic();
    let mut written: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for _ in 0..SAMPLES {
        let kind = kinds().new_tree(&mut runner).unwrap().current();
        let name = kind.name();
        let event = TurnEvent { seq: 1, fence: Fence(1), at: Timestamp::default(), kind };
        let event = native::event_json(TURN, &event);
        assert_eq!(faults(&printed, &printed["properties"][name], &event, name), Vec::<String>::new());
        written.entry(name).or_default().extend(event.as_object().unwrap().keys().cloned());
    }
    for (name, schema) in printed["properties"].as_object().unwrap() {
        if ["resync", "queue", "pending", "tool.progress"].contains(&name.as_str()) {
            continue;
        }
        let schema = printed.pointer(schema["$ref"].as_str().unwrap().trim_start_matches('#')).unwrap();
        let described: BTreeSet<String> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        assert_eq!(written.get(name.as_str()), Some(&described), "{name}");
    }
}

#[test]
fn the_document_has_the_schemas_that_are_printed() {
    let (printed, document) = (printed(), document());
    let moved = printed.to_string().replace("#/$defs/", "#/components/schemas/");
    let moved: Value = serde_json::from_str(&moved).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in moved["$defs"].as_object().unwrap() {
        assert_eq!(schemas.get(name), Some(schema), "{name}");
    }
    for (name, schema) in schemas {
        assert!(schema.get("$ref").is_none(), "{name} is only a name");
    }
    let feed = named(&document, "/paths/~1api~1v1~1sessions~1{id}~1events/get");
    assert_eq!(Some(feed), moved["properties"].as_object());
}

#[test]
fn every_refusal_is_as_the_document_says() {
    let document = document();
    let schema = &document["components"]["schemas"]["Error"];
    let refusals = ErrorCode::ALL.map(|code| ApiError::new(code, "why"));
    for refusal in refusals.into_iter().chain([ApiError::field("message", "must not be empty")]) {
        let body = json!(refusal.body("id"));
        assert_eq!(faults(&document, schema, &body, "error"), Vec::<String>::new());
    }
}

#[test]
fn the_page_and_the_document_name_the_same_events() {
    let page = include_str!("../../../../../docs/http.md");
    let table = page.split("| event | data |").nth(1).unwrap().split("\n\n").next().unwrap();
    let listed: BTreeSet<&str> = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let document = document();
    for (operation, with_queue) in [
        ("/paths/~1api~1v1~1turns/post", false),
        ("/paths/~1api~1v1~1turns~1{id}~1events/get", false),
        ("/paths/~1api~1v1~1sessions~1{id}~1events/get", true),
    ] {
        let mut named: BTreeSet<&str> = named(&document, operation).keys().map(String::as_str).collect();
        assert_eq!(named.remove("queue"), with_queue, "{operation}");
        assert!(named.remove("pending"), "{operation}");
        assert_eq!(named, listed, "{operation}");
    }
}

#[test]
fn values_that_a_schema_does_not_allow_are_found() {
    let document = document();
    let schemas = named(&document, "/paths/~1api~1v1~1turns/post");
    let event = |change: fn(&mut Value)| {
        let mut event = json!({ "turn_id": "t", "seq": 3, "at": "now", "code": "c", "message": "m", "retryable": false, "scope": "turn" });
        change(&mut event);
        faults(&document, &schemas["error"], &event, "error").len()
    };
    assert_eq!(event(|_| {}), 0);
    assert_eq!(event(|event| event["scope"] = json!("model")), 1);
    assert_eq!(event(|event| event["seq"] = json!("3")), 1);
    assert_eq!(event(|event| event["more"] = json!(1)), 1);
    assert_eq!(event(|event| drop(event.as_object_mut().unwrap().remove("code"))), 1);
}

#[test]
fn the_readme_lists_the_protocols() {
    let readme = include_str!("../../../../../README.md");
    let row = readme.lines().find_map(|line| line.strip_prefix("| Protocols | ")).unwrap();
    let listed: BTreeSet<_> = row.split('`').skip(1).step_by(2).collect();
    assert_eq!(listed, DIALECTS.iter().map(|dialect| dialect.name).collect());
}
