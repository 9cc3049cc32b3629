//! Tests of invalid requests: each gets the right response from the same process, and leaves no partial effect.

use std::time::Duration;

use serde::Deserialize;
use turnkit_testkit::Reply;

use crate::document::{document, operations};
use crate::running::Setup;

/// A request for the events of a turn.
#[derive(Deserialize)]
struct ResumeVector {
    name: String,
    /// `ended`, `foreign`, `expired` or `unknown`.
    turn: String,
    last_event_id: Option<String>,
    after: Option<String>,
    /// `start`, `resync`, `rest`, or the code of an error.
    answer: String,
    status: u16,
}

/// A request about sessions. `SESSION` and `TURN` in it stand for ids of the caller.
#[derive(Deserialize)]
struct SessionVector {
    name: String,
    method: String,
    path: String,
    body: Option<String>,
    status: u16,
    code: Option<String>,
    field: Option<String>,
}

/// A request that starts a turn. The bytes come from `body`, from `hex`, or from `repeat`: a head, a text that is
/// repeated a number of times, and a tail.
#[derive(Deserialize)]
struct ChatVector {
    name: String,
    dialect: String,
    body: Option<String>,
    hex: Option<String>,
    repeat: Option<(String, String, usize, String)>,
    status: u16,
    code: Option<String>,
    field: Option<String>,
}

impl ChatVector {
    fn bytes(&self) -> Vec<u8> {
        if let Some((head, unit, times, tail)) = &self.repeat {
            return format!("{head}{}{tail}", unit.repeat(*times)).into_bytes();
        }
        let Some(hex) = &self.hex else { return self.body.clone().unwrap().into_bytes() };
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    }
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn for_any_cursor_a_reader_receives_every_missing_event_once() {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (expired, _) = ada.run_turn(None, "Long ago").await;
    server.clock.advance(Duration::from_secs(25 * 60 * 60));
    server.service.delete_expired().await.unwrap();
    let (ended, _) = ada.run_turn(None, "Hello").await;
    let (foreign, _) = bob.run_turn(None, "Hello").await;
    for vector in read::<ResumeVector>(include_str!("../vectors/get_events.json")) {
        let ResumeVector { name, turn, last_event_id, after, answer, status } = vector;
        let turn = match turn.as_str() {
            "ended" => &ended,
            "foreign" => &foreign,
            "expired" => &expired,
            _ => "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01",
        };
        let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
        let mut request = ada.request("GET", &format!("/api/v1/turns/{turn}/events{query}"));
        if let Some(id) = last_event_id {
            request = request.header("last-event-id", id.replace("LONG", &"9".repeat(8192)));
        }
        let reply = request.send().await;
        assert_eq!(reply.status, status, "{name}: {}", reply.body);
        let is_expected = match answer.as_str() {
            "start" => reply.body.starts_with("event: turn.started\n"),
            "rest" => reply.body.starts_with("event: ") && !reply.body.contains("turn.started"),
            "resync" => reply.body.starts_with("event: resync\n") && reply.body.matches("event: ").count() == 1,
            "nothing" => reply.body.is_empty(),
            code => reply.code() == code,
        };
        assert!(is_expected, "{name}: {}", reply.body);
    }
    assert_eq!(ada.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn any_request_about_sessions_gets_a_response_and_none_takes_partial_effect() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (turn, session) = server.client.run_turn(None, "Hello").await;
    let before = server.client.get("/api/v1/sessions").await.body;
    let document = document();
    for vector in read::<SessionVector>(include_str!("../vectors/sessions.json")) {
        let SessionVector { name, method, path, body, status, code, field } = vector;
        let fill = |text: String| {
            let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
            let filled = text.replace("SESSION", &session).replace("TURN", &turn);
            filled.replace("LONG", &"x".repeat(10_000)).replace("\"DEEP\"", &deep)
        };
        let request = server.client.request(&method, &fill(path.clone()));
        let request = match body {
            Some(body) => request.body(fill(body)),
            None => request,
        };
        let reply = request.send().await;
        assert_eq!(reply.status, status, "{name}: {}", reply.body);
        assert_eq!(reply.code(), code.clone().unwrap_or_default(), "{name}: {}", reply.body);
        if let Some(field) = field {
            assert_eq!(reply.field(), field, "{name}: {}", reply.body);
        }
        let pattern = path.split('?').next().unwrap().replace("SESSION", "{id}").replace("no-id", "{id}");
        let pattern = pattern.replace("TURN", "{id}");
        let documented = &document["paths"][&pattern][method.to_lowercase()]["responses"][status.to_string()];
        assert!(documented.is_object(), "{name}: {method} {pattern} does not say that it may answer {status}");
        if let Some(code) = code {
            let codes = &documented["content"]["application/json"]["examples"];
            assert!(codes.get(&code).is_some(), "{name}: {method} {pattern} does not say {code}");
        }
    }
    assert_eq!(server.client.get("/api/v1/sessions").await.body, before, "a refused request changed something");
    assert_eq!(server.client.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_refused_leaves_no_turn() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let newest = async || server.client.get("/api/v1/turns?limit=1").await.json()["data"][0]["id"].clone();
    let (mut before, document) = (newest().await, document());
    let operations = operations(&document);
    for vector in read::<ChatVector>(include_str!("../vectors/post_chat.json")) {
        let id = format!("start_{}", vector.dialect);
        let (_, path, _) = *operations.iter().find(|(_, _, operation)| operation["operationId"] == *id).unwrap();
        let reply = server.client.request("POST", path).body(vector.bytes()).send().await;
        let name = format!("{} ({})", vector.name, vector.dialect);
        // The native protocol responds with 202 to a client that does not accept a stream.
        let status = if vector.status == 200 && path == "/api/v1/turns" { 202 } else { vector.status };
        assert_eq!(reply.status, status, "{name}: {}", reply.body);
        let documented = &document["paths"][path]["post"]["responses"][status.to_string()];
        assert!(documented.is_object(), "{name}: POST {path} does not say that it may answer {status}");
        if status < 300 {
            assert!(reply.headers.contains_key("x-turn-id"), "{name}");
            before = newest().await;
        } else {
            let codes = &documented["content"]["application/json"]["examples"];
            assert!(codes.get(reply.code()).is_some(), "{name}: POST {path} does not say {}", reply.code());
            assert_eq!(reply.code(), vector.code.unwrap(), "{name}");
            assert_eq!(reply.field(), vector.field.unwrap_or_default(), "{name}");
            assert_eq!(newest().await, before, "{name}: a turn was stored");
        }
    }
    assert_eq!(server.client.get("/healthz").await.status, 200);
}
