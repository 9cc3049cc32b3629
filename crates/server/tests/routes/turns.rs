//! Lists of turns, and single ones.

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Reply};

use crate::running::Setup;

fn ids(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|turn| turn["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn turns_are_listed_newest_first_in_pages() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let mut turns = Vec::new();
    for number in 0..5 {
        turns.insert(0, server.client.said(None, &number.to_string()).await.0);
    }
    let all = server.client.get("/api/v1/turns").await.json();
    assert_eq!(ids(&all), turns);
    assert_eq!(all["next"], Value::Null);
    let (mut path, mut paged) = ("/api/v1/turns?limit=2".to_owned(), Vec::new());
    loop {
        let page = server.client.get(&path).await.json();
        paged.push(ids(&page).into_iter().map(str::to_owned).collect::<Vec<_>>());
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/v1/turns?limit=2&cursor={next}");
    }
    assert_eq!(paged, turns.chunks(2).map(<[String]>::to_vec).collect::<Vec<_>>());
}

#[tokio::test]
async fn turns_are_found_by_session_and_state() {
    let gate = Gate::new();
    let server = Setup::answering([Reply::text("One"), Reply::new().wait(&gate).say("Two")]).run().await;
    let (ended, session) = server.client.said(None, "One").await;
    let (running, other) = server.client.say(None, "Two").await;
    let (queued, _) = server.client.say(Some(&other), "Three").await;
    for (query, expected) in [
        (format!("session={session}"), vec![&ended]),
        (format!("session={other}"), vec![&queued, &running]),
        ("state=queued".to_owned(), vec![&queued]),
        ("state=running".to_owned(), vec![&running]),
        (format!("session={other}&state=completed"), vec![]),
        ("state=completed".to_owned(), vec![&ended]),
    ] {
        assert_eq!(ids(&server.client.get(&format!("/api/v1/turns?{query}")).await.json()), expected, "{query}");
    }
    let shown = server.client.get(&format!("/api/v1/turns/{queued}")).await.json();
    assert_eq!((&shown["state"], &shown["number"], &shown["ended_at"]), (&json!("queued"), &json!(2), &Value::Null));
}

#[tokio::test]
async fn a_turn_that_has_not_begun_is_cancelled_at_once() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let (_, session) = server.client.say(None, "One").await;
    let (queued, _) = server.client.say(Some(&session), "Two").await;
    let reply = server.client.request("POST", &format!("/api/v1/turns/{queued}/cancel")).send().await;
    assert_eq!((reply.status, reply.json()), (202, json!({ "state": "cancelled" })));
}
