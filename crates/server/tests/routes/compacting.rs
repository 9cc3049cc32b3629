//! Tests of compaction on request.

use serde_json::json;
use turnkit_testkit::Reply;

use crate::running::Setup;

#[tokio::test]
async fn earlier_messages_are_summarised_and_the_turn_is_followed_like_any_other() {
    let long = "word ".repeat(50);
    let said = |text: &str| Reply::text(&format!("{text} {long}"));
    let server = Setup::answering([said("1"), said("2"), Reply::text("They counted.")]).run().await;
    let client = &server.client;
    let (_, session) = client.run_turn(None, &format!("one {long}")).await;
    client.run_turn(Some(&session), &format!("two {long}")).await;

    let path = format!("/api/v1/sessions/{session}/compact");
    let compact = || client.request("POST", &path).header("idempotency-key", "k").send();
    let accepted = compact().await;
    assert_eq!((accepted.status, &accepted.json()["session_id"]), (202, &json!(session)), "{}", accepted.body);
    let turn = accepted.json()["turn_id"].as_str().unwrap().to_owned();
    let frames = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    let names: Vec<_> = frames.iter().map(|frame| frame.name()).collect();
    assert_eq!(names, ["turn.started", "compacted", "turn.ended"]);
    assert_eq!(compact().await.json()["turn_id"], json!(turn), "sent twice");

    let context = client.get(&format!("/api/v1/sessions/{session}/context")).await.json();
    let messages = context["request"]["messages"].as_array().unwrap();
    assert_eq!(messages[0]["parts"][0]["text"], "They counted.");
    let list = client.get(&format!("/api/v1/sessions/{session}/messages")).await.json();
    assert_eq!(list["data"].as_array().unwrap().len(), 5, "all messages, and the request to summarise them");

    let unknown = client.request("POST", "/api/v1/sessions/0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01/compact").send().await;
    assert_eq!(unknown.status, 404);
}
