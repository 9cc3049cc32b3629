//! Tests of following a session, as pages with several tabs do.

use serde_json::{Value, json};
use turnkit_testkit::http::Frame;
use turnkit_testkit::{Gate, Reply};

use crate::client::{Client, Events, text};
use crate::running::Setup;

async fn tab(client: &Client, session: &str, after: Option<&str>) -> Events {
    client.follow(&format!("/api/v1/sessions/{session}/events"), after).await
}

/// Reads all frames up to the end of the session's turn with this number.
async fn up_to_turn(events: &mut Events, number: u32) -> Vec<Frame> {
    let mut frames = Vec::new();
    loop {
        let frame = events.next().await.unwrap();
        let turn = frame.id.as_deref().and_then(|id| id.split('-').nth(1)).map(str::to_owned);
        let last = frame.name() == "turn.ended" && turn.as_deref() == Some(number.to_string().as_str());
        frames.push(frame);
        if last {
            return frames;
        }
    }
}

/// Separates the frames of the log from the queues, each given as the inputs of its turns.
fn apart(frames: Vec<Frame>) -> (Vec<Frame>, Vec<Vec<String>>) {
    let (queues, log): (Vec<Frame>, Vec<Frame>) = frames.into_iter().partition(|frame| frame.name() == "queue");
    assert!(queues.iter().all(|frame| frame.id.is_none()), "queue frames are not of the log");
    (log, queues.iter().map(|frame| inputs(&frame.json()["queue"])).collect())
}

fn inputs(queue: &Value) -> Vec<String> {
    let turns = queue.as_array().unwrap().iter();
    turns.map(|turn| turn["input"][0]["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_session_stream_sends_a_snapshot_and_then_the_changes() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (first, session) = server.client.run_turn(None, "One").await;
    let mut events = tab(&server.client, &session, None).await;
    assert_eq!((events.status, events.header("content-type")), (200, "text/event-stream"));
    let resync = events.next().await.unwrap();
    assert_eq!(resync.name(), "resync");
    let snapshot = resync.json();
    assert_eq!((&snapshot["session"]["id"], &snapshot["turn"]["turn_id"]), (&json!(session), &json!(first)));
    assert_eq!(resync.id.as_deref(), snapshot["cursor"].as_str());
    server.client.say(Some(&session), "Two").await;
    let (log, _) = apart(up_to_turn(&mut events, 2).await);
    assert_eq!((log[0].name(), &log[0].json()["input"][0]["text"]), ("turn.started", &json!("Two")));
}

#[tokio::test]
async fn a_session_without_turns_waits_for_the_first() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let session = server.client.post("/api/v1/sessions", &json!({})).await.json()["id"].as_str().unwrap().to_owned();
    let mut events = tab(&server.client, &session, None).await;
    let snapshot = events.next().await.unwrap().json();
    assert_eq!((&snapshot["turn"], &snapshot["messages"]), (&Value::Null, &json!([])));
    let mut again = tab(&server.client, &session, snapshot["cursor"].as_str()).await;
    server.client.say(Some(&session), "One").await;
    let (log, _) = apart(up_to_turn(&mut events, 1).await);
    assert_eq!(log[0].name(), "turn.started");
    assert_eq!(text(&apart(up_to_turn(&mut again, 1).await).0), text(&log));
}

#[tokio::test]
async fn all_tabs_receive_the_same_turns_in_order_and_the_queue() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().say("Hello ").wait(&gate).say("there")).run().await;
    let (_, session) = server.client.say(None, "One").await;
    let mut tabs = Vec::new();
    for _ in 0..3 {
        let mut events = tab(&server.client, &session, None).await;
        assert_eq!(events.next().await.unwrap().name(), "resync");
        tabs.push(events);
    }
    server.client.say(Some(&session), "Two").await;
    for events in &mut tabs {
        let queue = events.until(|frame| frame.name() == "queue" && frame.data.contains("Two")).await;
        assert_eq!(inputs(&queue.json()["queue"]), ["Two"]);
    }
    server.client.say(Some(&session), "Three").await;
    for events in &mut tabs {
        let queue = events.until(|frame| frame.name() == "queue" && frame.data.contains("Three")).await;
        assert_eq!(inputs(&queue.json()["queue"]), ["Two", "Three"]);
    }
    gate.open();
    let mut told = Vec::new();
    for events in &mut tabs {
        let (log, queues) = apart(up_to_turn(events, 3).await);
        assert_eq!(queues.last(), Some(&Vec::new()), "nobody waits in the end: {queues:?}");
        told.push(text(&log[log.iter().position(|frame| frame.name() == "turn.started").unwrap()..]));
    }
    assert!(told.iter().all(|tab| *tab == told[0]));
    let ended = told[0].matches("event: turn.ended").count();
    assert_eq!(ended, 2, "the second and the third turn: {}", told[0]);

    let late = tab(&server.client, &session, None).await.next().await.unwrap().json();
    assert_eq!((&late["turn"]["number"], &late["queue"]), (&json!(3), &json!([])));
}

#[tokio::test]
async fn a_tab_that_reconnects_continues_exactly_at_its_cursor() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let session = server.client.post("/api/v1/sessions", &json!({})).await.json()["id"].as_str().unwrap().to_owned();
    let mut live = tab(&server.client, &session, None).await;
    let start = live.next().await.unwrap();
    for message in ["One", "Two"] {
        server.client.run_turn(Some(&session), message).await;
    }
    let (log, _) = apart(up_to_turn(&mut live, 2).await);
    for cut in 0..log.len() - 1 {
        let mut again = tab(&server.client, &session, log[cut].id.as_deref()).await;
        let (rest, _) = apart(up_to_turn(&mut again, 2).await);
        assert_eq!(text(&rest), text(&log[cut + 1..]), "after {:?}", log[cut].id);
    }
    let mut again = tab(&server.client, &session, start.id.as_deref()).await;
    assert_eq!(text(&apart(up_to_turn(&mut again, 2).await).0), text(&log));
}

#[tokio::test]
async fn a_snapshot_with_turns_shows_the_last_page_of_turns_and_is_continued_exactly() {
    let gate = Gate::new();
    let replies = [Reply::text("One"), Reply::new().say("Hello ").wait(&gate).say("there")];
    let server = Setup::answering(replies).run().await;
    let client = &server.client;
    let (_, session) = client.run_turn(None, "One").await;
    let page = client.get(&format!("/api/v1/sessions/{session}/turns")).await.json();
    let path = format!("/api/v1/sessions/{session}/events?view=turns");
    let resync = client.follow(&path, None).await.next().await.unwrap();
    let snapshot = resync.json();
    assert_eq!((resync.name(), resync.id.as_deref()), ("resync", snapshot["cursor"].as_str()));
    assert_eq!((&snapshot["turns"], &snapshot["messages"], &snapshot["turn"]), (&page, &json!([]), &Value::Null));

    let (turn, _) = client.say(Some(&session), "Two").await;
    let mut said = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await;
    said.until(|frame| frame.name() == "part.delta").await;
    let mut events = client.follow(&path, None).await;
    let snapshot = events.next().await.unwrap().json();
    let turns = &snapshot["turns"]["data"];
    assert_eq!((&turns[0], &turns[1]["turn_id"]), (&page["data"][0], &json!(turn)));
    assert_eq!((&turns[1]["state"], &turns[1]["parts"][0]["text"]), (&json!("running"), &json!("Hello ")));
    let seq = turns[1]["seq"].as_u64().unwrap();
    assert_eq!(snapshot["cursor"], json!(format!("1-2-{seq}")));
    gate.open();
    let (log, _) = apart(up_to_turn(&mut events, 2).await);
    assert_eq!(log[0].json()["seq"], json!(seq + 1));

    let refused = client.get(&format!("/api/v1/sessions/{session}/events?view=messages")).await;
    assert_eq!((refused.status, refused.json()["error"]["param"].clone()), (422, json!("view")));
}

#[tokio::test]
async fn an_unknown_cursor_is_answered_with_a_snapshot_of_the_session() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (_, session) = server.client.run_turn(None, "One").await;
    for cursor in ["77-1-3", "1-9-1", "no cursor", "1-1-999"] {
        let first = tab(&server.client, &session, Some(cursor)).await.next().await.unwrap();
        assert_eq!(first.name(), "resync", "{cursor}");
    }
}

#[tokio::test]
async fn a_long_session_is_shown_by_its_last_messages_and_a_cursor_to_the_others() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let long = "x".repeat(100 << 10);
    for (content, told) in [("word", 200), (long.as_str(), 2)] {
        let said = (0..300).map(|number| json!({ "role": "user", "content": format!("{number} {content}") }));
        let said = if told == 2 { said.take(8).collect::<Value>() } else { said.collect() };
        let body = json!({ "messages": said });
        let mut stream = server.client.request("POST", "/api/chat/stream").json(&body).events().await;
        let turn = stream.header("x-turn-id").to_owned();
        stream.rest().await;
        let session = server.client.get(&format!("/api/v1/turns/{turn}")).await.json()["session_id"].clone();
        let session = session.as_str().unwrap();
        let snapshot = tab(&server.client, session, None).await.next().await.unwrap().json();
        let messages = snapshot["messages"].as_array().unwrap();
        assert_eq!(messages.len(), told);
        let text = |message: &Value| message["parts"][0]["text"].as_str().unwrap().to_owned();
        let number = |message: &Value| text(message).split(' ').next().unwrap().parse::<usize>().unwrap();
        let count = said.as_array().unwrap().len();
        assert_eq!(number(&messages[told - 1]), count - 2, "the last is what the turn answers");
        let earlier = snapshot["earlier"].as_str().unwrap();
        let path = format!("/api/v1/sessions/{session}/messages?limit=1&cursor={earlier}");
        let page = server.client.get(&path).await.json();
        assert_eq!(number(&page["data"][0]) + 1, number(&messages[0]), "{earlier}");
    }
}

#[tokio::test]
async fn a_feed_ends_with_its_session() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (_, session) = server.client.run_turn(None, "One").await;
    let mut events = tab(&server.client, &session, None).await;
    assert_eq!(events.next().await.unwrap().name(), "resync");
    assert_eq!(server.client.request("DELETE", &format!("/api/v1/sessions/{session}")).send().await.status, 204);
    assert!(events.rest().await.iter().all(|frame| frame.name() == "queue"));
}
