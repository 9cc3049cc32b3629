//! Tests of starting turns, in every protocol.

use serde_json::{Value, json};
use turnkit_core::BusyPolicy;
use turnkit_testkit::http::Frame;
use turnkit_testkit::tools::slow;
use turnkit_testkit::{Gate, Reply};

use crate::client::{Client, text};
use crate::running::Setup;

/// Returns the endpoints that start turns, each with a body and the last frame of its response. `ID` stands for the
/// session.
fn endpoints() -> [(&'static str, Value, &'static str); 4] {
    [
        ("/api/v1/turns", json!({ "message": "Hello" }), r#""status":"completed""#),
        ("/chat", json!({ "session_id": "lisbon", "message": "Hello" }), r#"{"session_id":"lisbon"}"#),
        ("/api/chat/stream", json!({ "messages": [{ "role": "user", "content": "Hello" }] }), r#"{"type":"done"}"#),
        ("/chat/stream", json!({ "sessionId": "porto", "message": "Hello" }), r#""type":"done""#),
    ]
}

async fn turns(client: &Client) -> usize {
    client.get("/api/v1/turns").await.json()["data"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_turn_is_answered_with_its_ids_once_it_is_stored() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let reply = server.client.post("/api/v1/turns", &json!({ "message": "Hello" })).await;
    assert_eq!((reply.status, reply.header("content-type")), (202, "application/json"));
    let turn = reply.json()["turn_id"].as_str().unwrap().to_owned();
    assert_eq!(reply.header("x-turn-id"), turn);
    let shown = server.client.get(&format!("/api/v1/turns/{turn}")).await.json();
    assert_eq!((&shown["id"], &shown["session_id"]), (&json!(turn), &reply.json()["session_id"]));
}

#[tokio::test]
async fn a_message_for_an_unknown_session_is_refused_with_the_field_and_the_way_out() {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (_, theirs) = bob.run_turn(None, "Hello").await;
    for session in ["0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", "no-id", theirs.as_str()] {
        let refused = ada.post("/api/v1/turns", &json!({ "message": "Hello", "session_id": session })).await;
        assert_eq!((refused.status, refused.field().as_str()), (404, "session_id"), "{session}: {}", refused.body);
        let message = "session_id: you have no such session; GET /api/v1/sessions lists yours, and without this field a \
                       new one begins";
        assert_eq!(refused.json()["error"]["message"], message, "{session}");
    }
    assert_eq!(turns(&ada).await, 0);
}

#[tokio::test]
async fn every_protocol_answers_at_its_own_address_with_the_stream_of_the_turn() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    for (path, body, last) in endpoints() {
        let mut events = server.client.request("POST", path).json(&body).events().await;
        assert_eq!(events.status, 200, "{path}");
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("cache-control", "no-cache, no-transform"),
            ("x-accel-buffering", "no"),
        ] {
            assert_eq!(events.header(name), value, "{path}: {name}");
        }
        let turn = events.header("x-turn-id").to_owned();
        let frames = events.rest().await;
        let shown = frames.last().unwrap();
        assert!(shown.data.contains(last), "{path}: {shown:?}");
        assert_eq!(shown.id.is_some(), path == "/api/v1/turns", "{path}: only our own frames have ids unasked");
        assert_eq!(server.client.get(&format!("/api/v1/turns/{turn}")).await.json()["state"], "completed", "{path}");
    }
}

#[tokio::test]
async fn extensions_are_sent_on_request() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    for (path, body, _) in endpoints() {
        let frames = server.client.request("POST", &format!("{path}?ext=1")).json(&body).events().await.rest().await;
        assert!(frames.iter().all(|frame| frame.id.is_some()), "{path}: {frames:?}");
        let wrong = if path == "/api/chat/stream" { 400 } else { 422 };
        for query in ["ext=yes", "ext=1&ext=1"] {
            let refused = server.client.request("POST", &format!("{path}?{query}")).json(&body).send().await;
            assert_eq!((refused.status, refused.field().as_str()), (wrong, "ext"), "{path}?{query}");
        }
    }
}

#[tokio::test]
async fn a_request_that_is_sent_twice_starts_one_turn_in_every_protocol() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    for (number, (path, body, _)) in endpoints().into_iter().enumerate() {
        let key = format!("order-{number}");
        let ask = || server.client.request("POST", path).json(&body).header("idempotency-key", &key);
        let (mut first, mut again) = (ask().events().await, ask().events().await);
        assert_eq!(first.header("x-turn-id"), again.header("x-turn-id"), "{path}");
        assert_eq!(text(&first.rest().await), text(&again.rest().await), "{path}");

        // A body with the same meaning but different bytes is another request.
        let other = server.client.request("POST", path).body(format!(" {body}"));
        let refused = other.header("idempotency-key", &key).send().await;
        let status = if path == "/api/chat/stream" { 400 } else { 422 };
        assert_eq!((refused.status, refused.code().as_str()), (status, "key_reused"), "{path}");
        assert_eq!(turns(&server.client).await, number + 1, "{path}");
    }
}

#[tokio::test]
async fn a_key_may_be_in_the_head_or_the_body_but_not_two_of_them() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let body = json!({ "message": "Hello", "idempotency_key": "a" });
    let first = server.client.post("/api/v1/turns", &body).await.json();
    assert_eq!(server.client.post("/api/v1/turns", &body).await.json(), first);
    let ask = || server.client.request("POST", "/api/v1/turns").json(&body);
    assert_eq!(ask().header("idempotency-key", "a").send().await.json(), first);
    for keys in [&["b"][..], &["a", "b"], &[""], &["\u{e9}"]] {
        let refused = keys.iter().fold(ask(), |request, key| request.header("idempotency-key", key)).send().await;
        assert_eq!((refused.status, refused.field().as_str()), (422, "idempotency_key"), "{keys:?}");
    }
    assert_eq!(turns(&server.client).await, 1);
}

#[tokio::test]
async fn a_turn_of_every_protocol_is_part_of_the_trace_that_its_caller_names() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let valid = format!("00-{trace}-00f067aa0ba902b7-01");
    for (path, body, _) in endpoints() {
        for (parent, is_valid) in [(&*valid, true), ("00-trace-parent-01", false), ("\u{e9}", false)] {
            let request = server.client.request("POST", path).json(&body).header("traceparent", parent);
            let mut events = request.events().await;
            assert_eq!(events.status, 200, "{path}: {parent}");
            let turn = events.header("x-turn-id").to_owned();
            events.rest().await;
            let own = turn.replace('-', "");
            let expected = json!(if is_valid { trace } else { &own });
            let shown = server.client.get(&format!("/api/v1/turns/{turn}")).await.json();
            assert_eq!(shown["trace_id"], expected, "{path}: {parent}");
        }
    }
}

#[tokio::test]
async fn the_trace_of_a_turn_is_in_its_events_its_messages_and_its_views() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let trace = json!("4bf92f3577b34da6a3ce929d0e0e4736");
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let ask = |path: &str, body: Value| server.client.request("POST", path).json(&body).header("traceparent", parent);
    let mut events = ask("/api/v1/turns", json!({ "message": "Hello" })).events().await;
    let (turn, frames) = (events.header("x-turn-id").to_owned(), events.rest().await);
    let of_frame = |frame: &Frame| serde_json::from_str::<Value>(&frame.data).unwrap()["trace_id"].clone();
    assert_eq!([&frames[0], frames.last().unwrap()].map(of_frame), [trace.clone(), trace.clone()]);
    let replayed = server.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    assert_eq!(text(&replayed), text(&frames));

    let again = ask(&format!("/api/v1/turns/{turn}/regenerate"), json!({})).send().await.json();
    let session = again["session_id"].as_str().unwrap();
    server
        .client
        .follow(&format!("/api/v1/turns/{}/events", again["turn_id"].as_str().unwrap()), None)
        .await
        .rest()
        .await;
    for path in [
        "/api/v1/turns".to_owned(),
        format!("/api/v1/sessions/{session}/turns"),
        format!("/api/v1/sessions/{session}/messages"),
    ] {
        let list = server.client.get(&path).await.json();
        let listed = list["data"].as_array().unwrap();
        assert!(listed.len() == 2 && listed.iter().all(|one| one["trace_id"] == trace), "{path}: {list}");
    }
    let compact = ask(&format!("/api/v1/sessions/{session}/compact"), json!({})).send().await.json();
    let shown = server.client.get(&format!("/api/v1/turns/{}", compact["turn_id"].as_str().unwrap())).await.json();
    assert_eq!(shown["trace_id"], trace);
}

#[tokio::test]
async fn a_turn_continues_its_session_with_its_agent() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let first = server.client.post("/api/v1/turns", &json!({ "message": "Hello", "agent": "translator" })).await;
    let session = first.json()["session_id"].as_str().unwrap().to_owned();
    let (second, same) = server.client.run_turn(Some(&session), "Again").await;
    assert_eq!(same, session);
    let shown = server.client.get(&format!("/api/v1/turns/{second}")).await.json();
    assert_eq!((&shown["agent"], &shown["number"]), (&json!("translator"), &json!(2)));
    assert_eq!(server.provider.calls()[1].transcript(), ["user: Hello", "assistant: Hello there", "user: Again"]);
}

#[tokio::test]
async fn references_to_missing_resources_are_rejected_without_effect() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let unknown = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";
    for body in [
        json!({ "message": "Hello", "session_id": unknown }),
        json!({ "message": "Hello", "session_id": "no id" }),
        json!({ "message": "Hello", "agent": "nobody" }),
    ] {
        let refused = server.client.post("/api/v1/turns", &body).await;
        assert_eq!((refused.status, refused.code().as_str()), (404, "not_found"), "{body}");
    }
    assert_eq!(turns(&server.client).await, 0);
}

#[tokio::test]
async fn a_wrong_agent_is_answered_with_the_agents_and_a_wrong_switch_with_its_values() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (turn, _) = server.client.run_turn(None, "Hello").await;
    let no_agent = (404, "agent", "agent: there is no such agent; the agents are assistant, translator");
    let no_switch = (422, "interact", "interact: must be true or false");
    for (path, body, (status, field, message)) in [
        ("/api/v1/turns".to_owned(), json!({ "message": "Hello", "agent": "nobody" }), no_agent),
        (format!("/api/v1/turns/{turn}/regenerate"), json!({ "agent": "nobody" }), no_agent),
        ("/api/v1/sessions".to_owned(), json!({ "agent": "nobody" }), no_agent),
        ("/api/v1/turns".to_owned(), json!({ "message": "Hello", "interact": "yes" }), no_switch),
        ("/api/v1/turns".to_owned(), json!({ "message": "Hello", "interact": 1 }), no_switch),
    ] {
        let refused = server.client.post(&path, &body).await;
        assert_eq!((refused.status, refused.field().as_str()), (status, field), "{path} {body}");
        assert_eq!(refused.json()["error"]["message"], message, "{path} {body}");
    }
    assert_eq!(turns(&server.client).await, 1);
}

#[tokio::test]
async fn a_busy_session_rejects_turns_if_its_agent_is_set_to() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).busy(BusyPolicy::Reject).run().await;
    let (_, session) = server.client.say(None, "Hello").await;
    let body = json!({ "message": "Again", "session_id": session });
    let refused = server.client.post("/api/v1/turns", &body).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "session_busy"));
    assert_eq!(refused.json()["error"]["retryable"], true);
}

#[tokio::test]
async fn the_longest_queue_refuses_one_more() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let (_, session) = server.client.say(None, "Hello").await;
    for number in 0..turnkit_core::MAX_QUEUED_TURNS {
        server.client.say(Some(&session), &number.to_string()).await;
    }
    let body = json!({ "message": "One more", "session_id": session });
    let refused = server.client.post("/api/v1/turns", &body).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "queue_full"));
    assert_eq!(refused.header("retry-after"), "1");
}

#[tokio::test]
async fn a_message_that_steers_joins_the_running_turn() {
    let gate = Gate::new();
    let script = [Reply::new().call("slow", json!({})), Reply::text("Done.")];
    let server = Setup::answering(script).tool(slow(gate.clone())).run().await;
    let client = &server.client;
    let (first, session) = client.say(None, "Go").await;
    gate.reached().await;
    let body = json!({ "session_id": session, "message": "And hurry", "on_busy": "steer" });
    let second = client.post("/api/v1/turns", &body).await.json()["turn_id"].clone();
    let mut feed = client.follow(&format!("/api/v1/sessions/{session}/events"), None).await;
    let snapshot: Value = serde_json::from_str(&feed.until(|frame| frame.name() == "resync").await.data).unwrap();
    let queue = json!([{
        "turn_id": second,
        "number": 2,
        "input": [{ "type": "text", "text": "And hurry" }],
        "steering": true
    }]);
    assert_eq!(snapshot["queue"], queue);
    let of_second = format!("/api/v1/turns/{}", second.as_str().unwrap());
    let lists = ["/api/v1/turns".to_owned(), format!("/api/v1/sessions/{session}/turns")];
    let shown = async || {
        let mut shown = vec![client.get(&of_second).await.json()];
        for list in &lists {
            let turns = client.get(list).await.json()["data"].as_array().unwrap().clone();
            shown.extend(turns.into_iter().filter(|turn| turn["number"] == 2));
        }
        shown.into_iter().map(|turn| (turn["steering"].clone(), turn["steered_into"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(shown().await, vec![(json!(true), Value::Null); 3]);
    gate.open();

    let steered: Value = serde_json::from_str(&feed.until(|frame| frame.name() == "steered").await.data).unwrap();
    assert_eq!((&steered["turn_id"], &steered["steering_turn_id"]), (&json!(first), &second));
    let ended: Value = serde_json::from_str(&feed.until(|frame| frame.name() == "turn.ended").await.data).unwrap();
    assert_eq!((&ended["turn_id"], &ended["text"]), (&json!(first), &json!("Done.")));
    let ended: Value = serde_json::from_str(&feed.until(|frame| frame.name() == "turn.ended").await.data).unwrap();
    assert_eq!((&ended["turn_id"], &ended["steered_into"]), (&second, &json!(first)));
    assert_eq!(client.get(&of_second).await.json()["state"], "completed");
    assert_eq!(shown().await, vec![(Value::Null, json!(first)); 3]);
    let messages = client.get(&format!("/api/v1/sessions/{session}/messages")).await.json();
    let said: Vec<&Value> = messages["data"].as_array().unwrap().iter().filter(|one| one["role"] == "user").collect();
    assert_eq!((said.len(), &said[0]["turn_id"], &said[0]["mark"]), (2, &json!(first), &json!("steering")));
    let page = client.get(&format!("/api/v1/sessions/{session}/turns")).await.json();
    assert_eq!(page["data"][0]["steered"][0]["after_step"], 1);
}

#[tokio::test]
async fn a_message_selects_its_handling_in_a_busy_session() {
    let gate = Gate::new();
    let server =
        Setup::always(Reply::new().say("Hello ").wait(&gate).say("there")).busy(BusyPolicy::Reject).run().await;
    let client = &server.client;
    let (first, session) = client.say(None, "One").await;
    let says = async |text: &str, on_busy: Value| {
        let body = json!({ "session_id": session, "message": text, "on_busy": on_busy });
        client.post("/api/v1/turns", &body).await
    };
    for on_busy in [json!("reject"), Value::Null] {
        assert_eq!(says("Two", on_busy).await.code(), "session_busy");
    }
    let unknown = says("Two", json!("replace")).await;
    assert_eq!((unknown.status, unknown.field().as_str()), (422, "on_busy"));
    let waits = says("Three", json!("enqueue")).await.json()["turn_id"].clone();
    let next = says("Four", json!("interrupt")).await.json()["turn_id"].clone();
    gate.open();
    for (turn, state) in [(json!(first), "interrupted"), (waits, "interrupted"), (next, "completed")] {
        let turn = turn.as_str().unwrap();
        client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
        assert_eq!(client.get(&format!("/api/v1/turns/{turn}")).await.json()["state"], state, "{turn}");
    }
}
