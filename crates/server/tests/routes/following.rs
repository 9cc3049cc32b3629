//! Tests of following a turn: from its start, from any cursor, and after its end.

use std::time::Duration;

use serde_json::json;
use turnkit_core::ToolFlags;
use turnkit_testkit::http::Frame;
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::{Gate, Reply};

use crate::client::text;
use crate::running::{Running, Setup};

/// The protocols, with the options that add cursors to their frames.
const WITH_CURSORS: [&str; 4] = ["dialect=native", "dialect=named&ext=1", "dialect=typed&ext=1", "dialect=relay&ext=1"];

fn lookup() -> TestTool {
    TestTool::new("lookup", ToolFlags::read_only(), |_, _| Box::pin(async { Ok("found\r\nit".into()) }))
}

/// A turn of three model calls with text, reasoning and tools, two of them at once. It stops at the gate in its last
/// response.
fn with_tools(gate: &Gate) -> Setup {
    Setup::answering([
        Reply::new().think("Where is it?").say("One ").say("moment.\n").call("lookup", json!({ "key": "a" })),
        Reply::new().call("lookup", json!({ "key": "b" })).call("unknown", json!({})).say("Now\r").say("\nthen."),
        Reply::new().say("It is ").wait(gate).say("here. ").say("All of it."),
    ])
    .tool(lookup())
}

fn events_of(turn: &str, how: &str) -> String {
    format!("/api/v1/turns/{turn}/events?{how}")
}

fn id(frame: &Frame) -> &str {
    frame.id.as_deref().unwrap()
}

#[tokio::test]
async fn the_events_after_any_cursor_are_exactly_the_missing_ones() {
    let gate = Gate::new();
    let server = with_tools(&gate).run().await;
    gate.open();
    let (turn, _) = server.client.run_turn(None, "Where is it?").await;
    for how in WITH_CURSORS {
        let path = events_of(&turn, how);
        let whole = server.client.follow(&path, None).await.rest().await;
        assert!(whole.len() > 8, "{how}: {whole:?}");
        for (index, frame) in whole.iter().enumerate() {
            let rest = &whole[index + 1..];
            let mut by_header = server.client.follow(&path, Some(id(frame))).await;
            assert_eq!(by_header.status, if rest.is_empty() { 204 } else { 200 }, "{how} after {}", id(frame));
            assert_eq!(text(&by_header.rest().await), text(rest), "{how} after {}", id(frame));
            let by_parameter = server.client.follow(&format!("{path}&after={}", id(frame)), None).await.rest().await;
            assert_eq!(text(&by_parameter), text(rest), "{how} after {}", id(frame));
        }
    }
}

#[tokio::test]
async fn readers_that_connect_at_different_times_receive_the_same_events() {
    let gate = Gate::new();
    let server = with_tools(&gate).run().await;
    let (turn, _) = server.client.say(None, "Where is it?").await;
    gate.reached().await;
    let mut readers = Vec::new();
    for how in WITH_CURSORS {
        let path = events_of(&turn, how);
        let mut first = server.client.follow(&path, None).await;
        let mut shown = vec![first.until(|frame| frame.data.contains("One ")).await];
        let mut from_there = Vec::new();
        while !shown.last().unwrap().data.contains("It is ") {
            from_there.push(server.client.follow(&path, Some(id(shown.last().unwrap()))).await);
            shown.push(first.next().await.unwrap());
        }
        readers.push((how, first, shown, from_there));
    }
    gate.open();
    for (how, mut first, mut shown, from_there) in readers {
        shown.extend(first.rest().await);
        for (index, mut reader) in from_there.into_iter().enumerate() {
            assert_eq!(text(&reader.rest().await), text(&shown[index + 1..]), "{how}");
        }
        let replayed = server.client.follow(&events_of(&turn, how), None).await.rest().await;
        assert!(text(&replayed).ends_with(&text(&shown)), "{how}: what is replayed is what was live");
    }
}

#[tokio::test]
async fn a_protocol_without_cursors_is_followed_from_the_start() {
    let gate = Gate::new();
    let server = with_tools(&gate).run().await;
    gate.open();
    let body = json!({ "sessionId": "porto", "message": "Where is it?" });
    let mut live = server.client.request("POST", "/chat/stream").json(&body).events().await;
    let turn = live.header("x-turn-id").to_owned();
    let received = text(&live.rest().await);
    assert!(!received.contains("id: "));
    let again = server.client.follow(&events_of(&turn, "dialect=relay"), None).await.rest().await;
    assert_eq!(text(&again), received);
}

#[tokio::test]
async fn a_resumed_stream_shows_the_session_label_of_the_client() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let body = json!({ "session_id": "lisbon", "message": "Hello" });
    let mut live = server.client.request("POST", "/chat").json(&body).events().await;
    let turn = live.header("x-turn-id").to_owned();
    let received = live.rest().await;
    assert_eq!(received.last().unwrap().data, r#"{"session_id":"lisbon"}"#);
    let again = server.client.follow(&events_of(&turn, "dialect=named"), None).await.rest().await;
    assert_eq!(text(&again), text(&received));
}

#[tokio::test]
async fn a_named_session_is_shown_by_its_name_in_live_and_resumed_streams() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let named = server.client.post("/api/v1/sessions", &json!({ "name": "lisbon" })).await.json()["id"].clone();
    let unnamed = server.client.post("/api/v1/sessions", &json!({})).await.json()["id"].clone();
    for (session, called) in [(&named, &json!("lisbon")), (&unnamed, &unnamed), (&json!("porto"), &json!("porto"))] {
        let body = json!({ "session_id": session, "message": "Hello" });
        let mut live = server.client.request("POST", "/chat").json(&body).events().await;
        let turn = live.header("x-turn-id").to_owned();
        let received = live.rest().await;
        assert_eq!(&received.last().unwrap().json()["session_id"], called);
        let again = server.client.follow(&events_of(&turn, "dialect=named"), None).await.rest().await;
        assert_eq!(text(&again), text(&received));
    }
}

#[tokio::test]
async fn an_unknown_cursor_is_answered_with_a_snapshot() {
    let gate = Gate::new();
    let server = with_tools(&gate).run().await;
    let (turn, session) = server.client.say(None, "Where is it?").await;
    gate.reached().await;
    let path = events_of(&turn, "dialect=native");
    let mut whole = server.client.follow(&path, None).await;
    let before = whole.until(|frame| frame.data.contains("It is ")).await;
    let mut lost = server.client.follow(&path, Some("77-1-3")).await;
    let resync = lost.next().await.unwrap();
    assert_eq!((resync.name(), resync.id.as_deref()), ("resync", before.id.as_deref()));
    let snapshot = resync.json();
    assert_eq!((&snapshot["session"]["id"], &snapshot["turn"]["turn_id"]), (&json!(session), &json!(turn)));
    assert_eq!(snapshot["cursor"], json!(before.id));
    gate.open();
    assert_eq!(text(&lost.rest().await), text(&whole.rest().await));

    let mut over = server.client.follow(&path, Some("77-1-3")).await;
    let resync = over.next().await.unwrap();
    assert_eq!(resync.json()["turn"]["status"], "completed");
    assert_eq!(over.next().await, None, "there is nothing after the end");
}

#[tokio::test]
async fn a_protocol_without_snapshots_ends_with_its_own_error() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (turn, _) = server.client.run_turn(None, "Hello").await;
    for (how, names) in
        [("dialect=named", &["error", "done"][..]), ("dialect=typed", &[""]), ("dialect=relay", &["error"])]
    {
        let frames = server.client.follow(&events_of(&turn, how), Some("77-1-3")).await.rest().await;
        assert_eq!(frames.iter().map(Frame::name).collect::<Vec<_>>(), names, "{how}: {frames:?}");
        assert!(frames[0].data.contains("no longer known"), "{how}: {frames:?}");
    }
}

#[tokio::test]
async fn a_turn_whose_events_are_no_longer_stored_is_reported_as_expired() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (turn, session) = server.client.run_turn(None, "Hello").await;
    server.clock.advance(Duration::from_secs(25 * 60 * 60));
    server.service.delete_expired().await.unwrap();
    // The in-memory copy is dropped when another turn ends.
    server.client.run_turn(None, "Another").await;
    for how in ["", "dialect=relay", "after=1-1-2"] {
        let expired = server.client.get(&events_of(&turn, how)).await;
        assert_eq!((expired.status, expired.code().as_str()), (410, "stream_expired"), "{how}");
    }
    let messages = server.client.get(&format!("/api/v1/sessions/{session}/messages")).await.json();
    assert_eq!(messages["data"][0]["parts"][0]["text"], "Hello there", "what was said is kept");
}

#[tokio::test]
async fn a_turn_that_waits_for_its_session_is_followed_from_its_start() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let (_, session) = server.client.say(None, "One").await;
    let (second, _) = server.client.say(Some(&session), "Two").await;
    let mut events = server.client.follow(&events_of(&second, ""), None).await;
    assert_eq!(events.next().await.unwrap().name(), "turn.started");
    gate.open();
    assert_eq!(events.rest().await.last().unwrap().name(), "turn.ended");
}

#[tokio::test]
async fn invalid_requests_to_follow_are_rejected_before_the_stream() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (turn, _) = server.client.run_turn(None, "Hello").await;
    refuse(&server, &events_of(&turn, "dialect=morse"), "dialect").await;
    refuse(&server, &events_of(&turn, "ext=2"), "ext").await;
    refuse(&server, &events_of(&turn, "after=1-1-1&after=1-1-2"), "after").await;
    refuse(&server, &events_of(&turn, "dialct=named"), "dialct").await;
    refuse(&server, &events_of(&turn, "%20=named"), "(another parameter)").await;
}

async fn refuse(server: &Running, path: &str, field: &str) {
    let refused = server.client.get(path).await;
    assert_eq!((refused.status, refused.field().as_str()), (422, field), "{path}");
}
