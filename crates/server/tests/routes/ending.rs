//! Tests of the end of a turn for clients of `relay`, and of the stored state at that moment.

use serde_json::{Value, json};
use turnkit_core::ProviderErrorKind;
use turnkit_testkit::http::Frame;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::client::Events;
use crate::running::{Running, Setup};

/// Starts a turn, and returns its stream and its id.
async fn relayed(server: &Running) -> (Events, String) {
    let body = json!({ "sessionId": "porto", "message": "Hello" });
    let events = server.client.request("POST", "/chat/stream").json(&body).events().await;
    let turn = events.header("x-turn-id").to_owned();
    (events, turn)
}

/// Returns the last frame of a stream, with the stored state of its turn at that moment and the stored text of the
/// assistant.
async fn last(server: &Running, events: &mut Events, turn: &str) -> (Frame, String, String) {
    let end = events.until(|frame| matches!(frame.name(), "done" | "error")).await;
    let stored = server.client.get(&format!("/api/v1/turns/{turn}")).await.json();
    let path = format!("/api/v1/sessions/{}/messages", stored["session_id"].as_str().unwrap());
    let messages = server.client.get(&path).await.json();
    let said = messages["data"].as_array().unwrap().iter().filter(|message| message["role"] == "assistant");
    let texts: String = said.flat_map(|message| message["parts"].as_array().unwrap()).filter_map(text).collect();
    assert_eq!(events.next().await.map(|frame| frame.text), None, "nothing follows the end");
    (end, stored["state"].as_str().unwrap().to_owned(), texts)
}

fn text(part: &Value) -> Option<&str> {
    part["text"].as_str().filter(|_| part["type"] == "text")
}

#[tokio::test]
async fn relay_is_done_once_its_turn_is_stored_and_has_the_text_that_is_stored() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (mut events, turn) = relayed(&server).await;
    let (end, state, said) = last(&server, &mut events, &turn).await;
    assert_eq!((end.name(), state.as_str(), said.as_str()), ("done", "completed", "Hello there"));
    assert_eq!((&end.json()["finalContent"], &end.json()["requestId"]), (&json!(said), &json!(turn)));
}

#[tokio::test]
async fn relay_ends_with_an_error_where_its_turn_was_not_completed() {
    let broken = |kind| Reply::new().say("Half an ").fail(kind);
    for (setup, state, code, said) in [
        (Setup::always(broken(ProviderErrorKind::Network)), "failed", "provider_network", "Half an "),
        (Setup::always(Reply::new().fail(ProviderErrorKind::Auth)), "failed", "provider_auth", ""),
        (Setup::of(ScriptedProvider::answering(|_, _| panic!("the model broke down"))), "failed", "internal", ""),
    ] {
        let server = setup.run().await;
        let (mut events, turn) = relayed(&server).await;
        let (end, stored, kept) = last(&server, &mut events, &turn).await;
        assert_eq!((end.name(), &end.json()["code"]), ("error", &json!(code)), "{}", end.text);
        assert_eq!((stored.as_str(), kept.as_str()), (state, said), "{code}");
    }
}

#[tokio::test]
async fn relay_ends_with_an_error_when_its_turn_is_cancelled() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().say("Half an ").wait(&gate)).run().await;
    let (mut events, turn) = relayed(&server).await;
    events.until(|frame| frame.data.contains("Half an ")).await;
    assert_eq!(server.client.request("POST", &format!("/api/v1/turns/{turn}/cancel")).send().await.status, 202);
    let (end, state, said) = last(&server, &mut events, &turn).await;
    assert_eq!((end.name(), &end.json()["code"]), ("error", &json!("cancelled")));
    assert_eq!((state.as_str(), said.as_str()), ("cancelled", "Half an "));
}
