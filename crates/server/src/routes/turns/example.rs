//! Examples of turns for the OpenAPI document.

use serde_json::{Value, json};

/// Returns an example of a turn in a list.
pub(super) fn listed() -> Value {
    let mut turn = shown();
    let overview = json!({
        "title": "A week in Lisbon",
        "models": [{ "provider": "main", "model": "gpt-5-mini" }],
        "provider": "main",
        "model": "gpt-5-mini",
        "first_ms": 640,
        "steps": 2,
        "calls": 1,
    });
    if let (Some(turn), Value::Object(overview)) = (turn.as_object_mut(), overview) {
        turn.extend(overview);
    }
    turn
}

/// Returns an example of a turn.
pub(super) fn shown() -> Value {
    json!({
        "id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        "session_id": "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a02",
        "number": 1,
        "agent": "assistant",
        "state": "completed",
        "accepted_at": "2026-01-01T12:00:00.000Z",
        "ended_at": "2026-01-01T12:00:04.000Z",
        "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
        "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
        "after": null,
        "trace_id": "0199a1f05d1c7cc09d8e2f8f4c1b7a01",
    })
}
