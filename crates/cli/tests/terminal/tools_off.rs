//! Chats, turns and sessions with tools off.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;
use crate::two_providers::World;

/// Returns the roles of the messages of a request, and whether it has tools.
fn sent(request: &Value) -> (Vec<String>, bool) {
    let roles =
        request["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap().to_owned());
    (roles.collect(), request.get("tools").is_some())
}

fn calls() -> Response {
    Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")])
}

#[tokio::test]
async fn a_chat_without_tools_is_sent_neither_tools_nor_earlier_calls_here_and_with_a_server() {
    for served in [false, true] {
        let replies = [calls(), Response::text("It is 42."), Response::text("Yes."), Response::text("Bye.")];
        let upstream = FakeUpstream::start(replies).await.unwrap();
        let place = Place::asking(&upstream);
        let server = if served { Some(place.serve().await) } else { None };
        for (options, message) in [(&[][..], "6 times 7?"), (&["--no-tools"], "Sure?"), (&[], "Thanks")] {
            let chat = [&["chat", "-p", "--session", "sums"], options, &[message]].concat();
            let answered = place.run(&chat).await;
            assert_eq!(answered.code, Some(0), "{answered:?}");
        }
        if let Some(server) = server {
            assert_eq!(server.stop().await.code, Some(0));
        }
        let requests: Vec<_> = upstream.requests().iter().map(|request| sent(&request.json())).collect();
        let roles = |roles: &str| roles.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(requests[2], (roles("system user assistant user"), false));
        assert_eq!(requests[3], (roles("system user assistant tool assistant user assistant user"), true));
    }
}

#[tokio::test]
async fn the_tools_of_a_turn_and_of_a_session_survive_the_death_of_the_server() {
    let hanging = Response::stream().delta(json!({ "content": "Let me " })).hang();
    let replies = vec![hanging, Response::text("Hello."), Response::text("Bye.")];
    let world = World::of(replies, vec![], "").await;
    let client = world.server.client();
    let made = client.post("/api/v1/sessions", &[], &json!({ "tools": "none" })).await.unwrap().json();
    assert_eq!(made["tools"], "none");
    let body = json!({ "message": "hi", "session_id": made["id"], "tools": "auto" });
    let stream = [("accept", "text/event-stream")];
    let mut events = client.post_for_events("/api/v1/turns", &stream, &body).await.unwrap();
    let mut turn = None;
    while turn.is_none() {
        let frame = events.next().await.unwrap().unwrap();
        turn = (frame.name() == "part.delta").then(|| frame.json()["turn_id"].as_str().unwrap().to_owned());
    }
    let world = world.kill_and_start().await;
    world.events(&turn.unwrap()).await;
    let (next, _) = world.start(&json!({ "message": "and now?", "session_id": made["id"] })).await;
    world.events(&next).await;
    let had: Vec<bool> = world.a.requests().iter().map(|request| sent(&request.json()).1).collect();
    assert_eq!(had, [true, true, false]);
}
