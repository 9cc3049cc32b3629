//! Tests of clients that disconnect and servers that stop.

use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use turnkit_testkit::http::Frame;
use turnkit_testkit::{Gate, Reply};

use crate::client::text;
use crate::running::{Running, Setup};

/// A response that stops in the middle until the gate is open.
fn halting(gate: &Gate) -> Setup {
    Setup::always(Reply::new().say("Hello ").wait(gate).say("there"))
}

/// Returns a request in each protocol.
fn requests() -> [(&'static str, serde_json::Value); 3] {
    [
        ("/api/v1/turns", json!({ "message": "Hello" })),
        ("/chat", json!({ "message": "Hello" })),
        ("/chat/stream", json!({ "sessionId": "porto", "message": "Hello" })),
    ]
}

async fn state(server: &Running, turn: &str) -> String {
    let shown = server.client.get(&format!("/api/v1/turns/{turn}")).await.json();
    shown["state"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_client_that_goes_away_changes_nothing() {
    for (path, body) in requests() {
        let gate = Gate::new();
        let server = halting(&gate).run().await;
        let mut events = server.client.request("POST", path).json(&body).events().await;
        let turn = events.header("x-turn-id").to_owned();
        events.until(|frame| frame.data.contains("Hello ")).await;
        drop(events);
        gate.open();
        let rest = server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
        let end = rest.last().unwrap().json();
        assert_eq!((&end["status"], &end["text"]), (&json!("completed"), &json!("Hello there")), "{path}");
    }
}

#[tokio::test]
async fn a_client_that_reconnects_receives_the_missed_events_and_none_twice() {
    for (path, body) in requests() {
        let gate = Gate::new();
        let server = halting(&gate).run().await;
        let mut events = server.client.request("POST", &format!("{path}?ext=1")).json(&body).events().await;
        let turn = events.header("x-turn-id").to_owned();
        let mut seen = Vec::new();
        while !seen.last().is_some_and(|frame: &Frame| frame.data.contains("Hello ")) {
            seen.push(events.next().await.unwrap());
        }
        drop(events);
        // The turn runs to its end without followers.
        gate.open();
        server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;

        let dialect = match path {
            "/chat" => "named",
            "/chat/stream" => "relay",
            _ => "native",
        };
        let follow = format!("/api/v1/turns/{turn}/events?dialect={dialect}&ext=1");
        let cursor = seen.last().unwrap().id.clone().expect("each frame has a cursor");
        let missed = server.client.follow(&follow, Some(&cursor)).await.rest().await;
        assert!(missed.iter().any(|frame| frame.data.contains("there")), "{path}: {missed:?}");
        seen.extend(missed);
        let whole = server.client.follow(&follow, None).await.rest().await;
        assert_eq!(text(&seen), text(&whole), "{path}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_cannot_be_resumed_is_cancelled_ten_seconds_after_its_client_left() {
    let server = halting(&Gate::new()).in_memory().run().await;
    let body = json!({ "messages": [{ "role": "user", "content": "Hello" }] });
    let mut events = server.client.request("POST", "/api/chat/stream").json(&body).events().await;
    let turn = events.header("x-turn-id").to_owned();
    events.until(|frame| frame.data.contains("Hello ")).await;
    let left = tokio::time::Instant::now();
    drop(events);
    server.provider.idle().await;
    let waited = left.elapsed();
    assert!((Duration::from_secs(10)..Duration::from_secs(12)).contains(&waited), "{waited:?}");
    let mut end = server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await;
    assert_eq!(end.rest().await.last().unwrap().json()["status"], "cancelled");
}

#[tokio::test]
async fn a_server_that_stops_tells_each_protocol_in_its_own_words() {
    let mut server = halting(&Gate::new()).drain(Duration::ZERO).run().await;
    let mut streams = Vec::new();
    let typed = ("/api/chat/stream", json!({ "messages": [{ "role": "user", "content": "Hello" }] }));
    for (path, body) in requests().into_iter().chain([typed]) {
        let mut events = server.client.request("POST", path).json(&body).events().await;
        events.until(|frame| frame.data.contains("Hello ")).await;
        streams.push((path, events));
    }
    server.stop();
    for (path, mut events) in streams {
        let rest = events.rest().await;
        let names: Vec<&str> = rest.iter().map(|frame| frame.name()).collect();
        let expected: &[&str] = match path {
            // A native client reconnects by itself if there is no `turn.ended`.
            "/api/v1/turns" => &[],
            "/chat" => &["error", "done"],
            "/chat/stream" => &["error"],
            _ => &[""],
        };
        assert_eq!(names, expected, "{path}: {rest:?}");
        assert!(rest.iter().all(|frame| frame.id.is_none()), "{path}: these are not events of the turn");
        if let Some(first) = rest.first() {
            assert!(first.data.contains("the server is stopping"), "{path}: {first:?}");
        }
    }
    assert!(!server.stopped().await, "the turns are left to be resumed");
}

#[tokio::test]
async fn a_server_that_stops_ends_its_streams_before_the_turns_they_follow() {
    let mut server = halting(&Gate::new()).drain(Duration::ZERO).run().await;
    let (_, body) = requests().into_iter().next().unwrap();
    let mut events = server.client.request("POST", "/api/v1/turns").json(&body).events().await;
    events.until(|frame| frame.data.contains("Hello ")).await;
    // A request that is still being sent keeps the last connection open.
    let mut sending = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /api/v1/turns HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                content-length: 2\r\nexpect: 100-continue\r\n\r\n";
    sending.write_all(head.as_bytes()).await.unwrap();
    let mut go_on = [0; 12];
    sending.read_exact(&mut go_on).await.unwrap();
    assert_eq!(&go_on, b"HTTP/1.1 100");
    server.stop();
    events.rest().await;
    assert_eq!(server.provider.open_calls(), 1, "nobody looks for the next owner of a turn that runs");
    drop(sending);
    assert!(!server.stopped().await);
}

#[tokio::test]
async fn a_turn_that_ends_while_the_server_drains_is_streamed_to_its_end() {
    let gate = Gate::new();
    let mut server = halting(&gate).run().await;
    let (_, body) = requests().into_iter().next().unwrap();
    let mut events = server.client.request("POST", "/api/v1/turns").json(&body).events().await;
    events.until(|frame| frame.data.contains("Hello ")).await;
    server.stop();
    gate.open();
    assert_eq!(events.rest().await.last().unwrap().json()["status"], "completed");
    assert!(server.stopped().await);
}

#[tokio::test]
async fn a_server_that_drains_answers_everything_but_starts_no_turn() {
    let gate = Gate::new();
    let mut server = halting(&gate).run().await;
    let (turn, session) = server.client.say(None, "Hello").await;
    server.stop();
    while server.client.get("/readyz").await.status == 200 {}
    let ready = server.client.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["status"]), (503, &json!("draining")));
    assert_eq!(server.client.get("/healthz").await.status, 200);

    let refused = server.client.post("/api/v1/turns", &json!({ "message": "Hello" })).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"));
    assert_eq!(server.client.get(&format!("/api/v1/sessions/{session}")).await.status, 200);
    let mut events = server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await;
    let cancel = server.client.request("POST", &format!("/api/v1/turns/{turn}/cancel")).send().await;
    assert_eq!(cancel.status, 202, "{}", cancel.body);
    assert_eq!(events.rest().await.last().unwrap().json()["status"], "cancelled");
    assert!(server.stopped().await);
}

#[tokio::test]
async fn a_key_that_is_revoked_ends_its_streams_and_not_its_turns() {
    let gate = Gate::new();
    let server = halting(&gate).locked().run().await;
    let (id, key) = server.key("ada").await;
    let ada = crate::client::Client::of(server.address, Some(key));
    let (turn, session) = ada.say(None, "Hello").await;
    let mut turn_events = ada.follow(&format!("/api/v1/turns/{turn}/events"), None).await;
    let mut session_events = ada.follow(&format!("/api/v1/sessions/{session}/events"), None).await;
    turn_events.until(|frame| frame.data.contains("Hello ")).await;
    let revoked = server.operator().request("DELETE", &format!("/api/v1/keys/{id}")).send().await;
    assert_eq!(revoked.status, 204);
    assert!(turn_events.rest().await.iter().all(|frame| frame.name() != "turn.ended"));
    session_events.rest().await;
    gate.open();
    let again = server.user("ada").await;
    let rest = again.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    assert_eq!(rest.last().unwrap().json()["status"], "completed");
}

#[tokio::test]
async fn cancelling_ends_a_turn_and_its_connection_to_the_model() {
    let server = halting(&Gate::new()).run().await;
    let (turn, _) = server.client.say(None, "Hello").await;
    let mut events = server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await;
    events.until(|frame| frame.data.contains("Hello ")).await;
    let path = format!("/api/v1/turns/{turn}/cancel");
    let reply = server.client.request("POST", &path).send().await;
    assert_eq!((reply.status, reply.json()), (202, json!({ "state": "cancelling" })));
    let end = events.rest().await.last().unwrap().json();
    assert_eq!((&end["status"], &end["text"]), (&json!("cancelled"), &json!("Hello ")));
    server.provider.idle().await;
    assert_eq!(state(&server, &turn).await, "cancelled");
    let again = server.client.request("POST", &path).send().await;
    assert_eq!((again.status, again.json()), (202, json!({ "state": "cancelled" })));
}
