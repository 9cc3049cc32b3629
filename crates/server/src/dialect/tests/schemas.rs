//! What the document says of native events, against the events that are written.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnkit_core::{
    CallUid, EventKind, Fence, FinishReason, PartId, PartKind, Timestamp, ToolErrorKind, TurnEvent, Usage,
};

use super::golden::cases;
use super::script::{SESSION, TURN};
use super::{frames, tell};
use crate::dialect::{DIALECTS, native};

fn document() -> Value {
    serde_json::from_str(crate::openapi()).unwrap()
}

/// The schemas of the events that an operation answers with, by name.
fn named<'a>(document: &'a Value, operation: &str) -> &'a serde_json::Map<String, Value> {
    let content = document.pointer(operation).unwrap().pointer("/responses/200/content/text~1event-stream").unwrap();
    content["x-events"].as_object().unwrap()
}

/// Everything about `value` that `schema` does not allow. Of JSON Schema it knows what the document uses.
fn faults(document: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
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
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(some) => some.iter().map(|one| one.as_str().unwrap()).collect(),
        _ => return found,
    };
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !types.contains(&kind) {
        found.push(format!("{place}: {value} is no {}", types.join(" or ")));
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

/// What the cases of the dialects lack: a kind of event, and every field that may be absent.
fn with_optional_fields() -> Vec<(EventKind, &'static [&'static str])> {
    let uid = CallUid { turn: TURN, step: 1, ordinal: 0 };
    let (name, text) = ("clock".to_owned(), "half".to_owned());
    let priced = Usage { prices: Some("2026-01".into()), ..Usage::default() };
    vec![
        (
            EventKind::TurnStarted { session: SESSION, agent: text.clone(), input: Vec::new(), parent: Some(TURN) },
            &["parent_turn_id"],
        ),
        (
            EventKind::PartStarted {
                id: PartId { step: 1, part: 0 },
                kind: PartKind::ToolCall,
                name: Some("clock".into()),
            },
            &["name"],
        ),
        (EventKind::StepEnded { step: 1, finish: FinishReason::Stop, usage: priced }, &["prices"]),
        (
            EventKind::ToolFinished {
                uid,
                name,
                ok: false,
                content: text,
                error: Some(ToolErrorKind::TimedOut),
                ms: 1,
            },
            &["error"],
        ),
        (EventKind::Retracted { from_seq: 2, attempt: 2, lost_calls: 1 }, &["lost_calls"]),
    ]
}

#[test]
fn the_document_says_where_the_events_of_other_protocols_are() {
    let document = document();
    let description = document["info"]["description"].as_str().unwrap();
    assert!(description.contains("x-events") && description.contains("docs/http.md"), "{description}");
}

#[test]
fn every_event_is_as_the_document_says() {
    let document = document();
    let schemas = named(&document, "/paths/~1api~1v1~1sessions~1{id}~1events/get");
    let native = DIALECTS.iter().find(|dialect| dialect.name == "native").unwrap();
    let mut told = BTreeSet::new();
    for (case, _, script) in cases() {
        for frame in frames(&tell(native, false, &script.told)) {
            let name = frame.event.as_deref().unwrap();
            let schema = schemas.get(name).unwrap_or_else(|| panic!("nothing is said of {name}"));
            assert_eq!(faults(&document, schema, &frame.json(), name), Vec::<String>::new(), "{case}");
            told.insert(name.to_owned());
        }
    }
    for (kind, optional) in with_optional_fields() {
        let name = kind.name();
        let event = TurnEvent { seq: 1, fence: Fence(1), at: Timestamp::default(), kind };
        let event = native::event_json(TURN, &event);
        assert_eq!(faults(&document, &schemas[name], &event, name), Vec::<String>::new());
        for field in optional {
            assert!(event.get(field).is_some(), "{name} has {field}: {event}");
        }
        told.insert(name.to_owned());
    }
    told.insert("queue".to_owned());
    let said: BTreeSet<String> = schemas.keys().cloned().collect();
    assert_eq!(told, said, "every kind of event is told in a case, and said something of");
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
        assert_eq!(named, listed, "{operation}");
    }
}

#[test]
fn what_a_schema_does_not_allow_is_found() {
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
