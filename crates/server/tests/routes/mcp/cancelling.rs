//! Tests of calls that their clients cancel, and of clients that leave.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Reply};

use super::{Kind, PATH, Peer, accepting, end_of, messages, say, text};
use crate::running::Setup;

/// A response that stops in the middle until the gate is open.
fn halting(gate: &Gate) -> Setup {
    Setup::always(Reply::new().say("Hello ").wait(gate).say("there"))
}

/// Notifies the server that a request is cancelled.
async fn cancel(peer: &Peer, request: Value) {
    let params = json!({ "requestId": request, "reason": "no longer needed" });
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
    let notified = accepting(peer.request(&body)).send().await;
    assert_eq!((notified.status, notified.body.as_str()), (202, ""));
}

#[tokio::test]
async fn a_notification_cancels_the_call_of_its_connection_and_no_other() {
    let gate = Gate::new();
    let server = halting(&gate).run().await;
    let (peer, other) = (Peer::initialized(&server.client).await, Peer::initialized(&server.client).await);
    let mut events = peer.begin(7, say("Hello")).await;
    let mut theirs = other.begin(7, say("Hello")).await;
    let turn = events.header("x-turn-id").to_owned();
    for unknown in [json!(8), json!("7"), Value::Null] {
        cancel(&peer, unknown).await;
    }
    cancel(&peer, json!(7)).await;
    assert_eq!(messages(&mut events).await, [Value::Null; 0], "a cancelled request has no response");
    assert_eq!(end_of(&server.client, &turn).await, "cancelled");
    gate.open();
    assert_eq!(text(&messages(&mut theirs).await[0]["result"]), "Hello there");
}

#[tokio::test]
async fn a_client_of_the_stateless_revision_cancels_by_closing_the_response() {
    let gate = Gate::new();
    let server = halting(&gate).run().await;
    let events = Peer::stateless(&server.client).begin(1, say("Hello")).await;
    let turn = events.header("x-turn-id").to_owned();
    gate.reached().await;
    drop(events);
    assert_eq!(end_of(&server.client, &turn).await, "cancelled");
    gate.open();
}

#[tokio::test]
async fn a_client_that_may_come_back_leaves_its_turn_running() {
    for stateless in [true, false] {
        let gate = Gate::new();
        let server = halting(&gate).run().await;
        let peer = if stateless { Peer::stateless(&server.client) } else { Peer::initialized(&server.client).await };
        let mut params = say("Hello");
        if stateless {
            params["_meta"] = json!({ "turnkit/idempotencyKey": "order 7" });
        }
        let events = peer.begin(1, params.clone()).await;
        let turn = events.header("x-turn-id").to_owned();
        gate.reached().await;
        drop(events);
        gate.open();
        assert_eq!(end_of(&server.client, &turn).await, "completed", "{stateless}");
        let result = peer.call(1, params).await;
        assert_eq!((&result["structuredContent"]["turn"], text(&result)), (&json!(turn), "Hello there"));
    }
}

#[tokio::test]
async fn a_server_that_stops_ends_calls_and_cancels_no_turn() {
    let gate = Gate::new();
    let mut server = halting(&gate).drain(Duration::ZERO).run().await;
    let mut events = Peer::stateless(&server.client).begin(1, say("Hello")).await;
    gate.reached().await;
    server.stop();
    let response = messages(&mut events).await.pop().unwrap();
    assert_eq!(response["error"]["code"], -32603, "{response}");
    assert!(response["error"]["message"].as_str().unwrap().contains("continues after the restart"), "{response}");
    assert!(!server.stopped().await, "the turn is left for the next start");
}

#[tokio::test]
async fn connections_are_told_apart_by_the_name_that_the_server_gave_them() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (one, other) = (Peer::initialized(&server.client).await, Peer::initialized(&server.client).await);
    assert_ne!(one.kind, other.kind);
    // A name that is not one of the server's counts as none.
    let peer = Peer { client: server.client.clone(), kind: Kind::Initialized { connection: "mine".to_owned() } };
    let turn = |result: &Value| result["structuredContent"]["turn"].clone();
    assert_ne!(turn(&peer.call(1, say("Hello")).await), turn(&peer.call(1, say("Hello")).await));
    assert_eq!(server.client.request("DELETE", PATH).send().await.status, 405);
}
