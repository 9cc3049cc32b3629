//! Tests of branches: turns that continue an earlier turn, regenerated responses, and heads that move.

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Reply};

use crate::client::{Client, Reply as Answer};
use crate::running::Setup;

async fn starts(client: &Client, body: &Value) -> Answer {
    client.post("/api/v1/turns", body).await
}

async fn to_the_end(client: &Client, answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{}", answer.body);
    let turn = answer.json()["turn_id"].as_str().unwrap().to_owned();
    client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    turn
}

async fn texts(client: &Client, session: &str) -> Vec<String> {
    let list = client.get(&format!("/api/v1/sessions/{session}/messages")).await.json();
    let messages = list["data"].as_array().unwrap().iter().rev();
    messages.map(|message| message["parts"][0]["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_turn_may_continue_an_earlier_one_and_lists_tell_which() {
    let server = Setup::answering(["1", "2", "3", "4"].map(Reply::text)).run().await;
    let client = &server.client;
    let (first, session) = client.run_turn(None, "one").await;
    let (second, _) = client.run_turn(Some(&session), "two").await;
    let edited = json!({ "session_id": session, "message": "two, edited", "after": first });
    let third = to_the_end(client, &starts(client, &edited).await).await;
    assert_eq!(texts(client, &session).await, ["one", "1", "two, edited", "3"]);
    let new = json!({ "session_id": session, "message": "new", "after": null });
    let fourth = to_the_end(client, &starts(client, &new).await).await;

    let list = client.get(&format!("/api/v1/turns?session={session}")).await.json();
    let listed: Vec<_> =
        list["data"].as_array().unwrap().iter().map(|turn| (turn["id"].clone(), turn["after"].clone())).collect();
    let expected = [(fourth, Value::Null), (third, json!(first)), (second, json!(first)), (first, Value::Null)];
    assert_eq!(listed, expected.map(|(turn, after)| (json!(turn), after)));
}

#[tokio::test]
async fn a_message_is_answered_again_as_a_receipt_or_as_a_stream() {
    let server = Setup::answering(["1", "2", "3"].map(Reply::text)).run().await;
    let (turn, session) = server.client.run_turn(None, "one").await;
    let path = format!("/api/v1/turns/{turn}/regenerate");
    let again = || server.client.request("POST", &path).header("idempotency-key", "k");
    let second = to_the_end(&server.client, &again().send().await).await;
    assert_eq!(again().send().await.json()["turn_id"], json!(second), "sent twice");
    assert_eq!(texts(&server.client, &session).await, ["one", "2"]);

    let mut events = server.client.request("POST", &path).json(&json!({ "agent": "translator" })).events().await;
    assert_eq!(events.status, 200);
    let frames = events.rest().await;
    assert_eq!((frames[0].name(), frames.last().unwrap().name()), ("turn.started", "turn.ended"));
    let third = server.client.get(&format!("/api/v1/turns/{}", events.header("x-turn-id"))).await.json();
    assert_eq!((&third["after"], &third["agent"], &third["number"]), (&Value::Null, &json!("translator"), &json!(3)));

    let other = format!("/api/v1/turns/{second}/regenerate");
    let reused = server.client.request("POST", &other).header("idempotency-key", "k").send().await;
    assert_eq!((reused.status, reused.code().as_str()), (422, "key_reused"), "the turn is part of the request");
}

#[tokio::test]
async fn the_head_moves_back_and_to_another_branch() {
    let server = Setup::answering(["1", "2", "3"].map(Reply::text)).run().await;
    let client = &server.client;
    let (first, session) = client.run_turn(None, "one").await;
    let (second, _) = client.run_turn(Some(&session), "two").await;
    let path = format!("/api/v1/sessions/{session}");
    for (head, expected) in
        [(json!(first), &["one", "1"][..]), (Value::Null, &[]), (json!(second), &["one", "1", "two", "2"])]
    {
        let moved = client.request("PATCH", &path).json(&json!({ "head": head })).send().await;
        assert_eq!((moved.status, &moved.json()["head"]), (200, &head), "{}", moved.body);
        assert_eq!(texts(client, &session).await, expected);
    }
}

#[tokio::test]
async fn turns_that_cannot_be_continued_are_rejected() {
    let gate = Gate::new();
    let server = Setup::answering([Reply::text("1"), Reply::text("2"), Reply::new().wait(&gate).say("3")]).run().await;
    let client = &server.client;
    let (foreign, _) = client.run_turn(None, "elsewhere").await;
    let (first, session) = client.run_turn(None, "one").await;
    let (runs, _) = client.say(Some(&session), "two").await;
    let turn = |after: &str| json!({ "session_id": session, "message": "no", "after": after });
    for (after, status, code, field) in [
        (runs.as_str(), 409, "session_busy", ""),
        (&foreign, 422, "invalid_request", "after"),
        ("0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", 422, "invalid_request", "after"),
        ("no-id", 422, "invalid_request", "after"),
    ] {
        let refused = starts(client, &turn(after)).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{after}: {}", refused.body);
        assert!(field.is_empty() || refused.field() == field, "{after}: {}", refused.body);
    }
    let new = starts(client, &json!({ "message": "no", "after": first })).await;
    assert_eq!((new.status, new.field().as_str()), (422, "after"), "a new session has no turns");

    let path = format!("/api/v1/sessions/{session}");
    let head = |head: &str| client.request("PATCH", &path).json(&json!({ "head": head })).send();
    let busy = head(&first).await;
    assert_eq!((busy.status, busy.code().as_str()), (409, "session_busy"));
    let again = client.request("POST", &format!("/api/v1/turns/{runs}/regenerate")).send().await;
    assert_eq!((again.status, again.code().as_str()), (409, "session_busy"));
    gate.open();
    client.follow(&format!("/api/v1/turns/{runs}/events"), None).await.rest().await;
    for wrong in [foreign.as_str(), "no-id"] {
        let refused = head(wrong).await;
        assert_eq!((refused.status, refused.field().as_str()), (422, "head"), "{}", refused.body);
    }
    let unknown = client.request("POST", "/api/v1/turns/no-id/regenerate").send().await;
    assert_eq!(unknown.status, 404);
}
