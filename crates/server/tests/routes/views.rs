//! Tests that every view of a conversation shows the same stored transcript.

use serde_json::{Value, json};
use turnkit_testkit::Reply;
use turnkit_testkit::http::Frame;
use turnkit_testkit::tools::lookup;

use crate::client::Client;
use crate::running::Setup;

const LOOKED_UP: [&str; 4] = [
    "user: Look it up.",
    "assistant: Let me see. ",
    "assistant calls lookup {\"key\":\"a\"}",
    "lookup gave value of a",
];
const ANSWERED: &str = "assistant: It is a.";

/// Returns the lines for the parts of a message by `role`.
fn lines(role: &str, parts: &Value) -> Vec<String> {
    let line = |part: &Value| match part["type"].as_str().unwrap() {
        "text" => format!("{role}: {}", part["text"].as_str().unwrap()),
        "tool_call" => format!("{role} calls {} {}", text(part, "name"), text(part, "arguments")),
        "tool_result" => format!("{} gave {}", text(part, "name"), text(part, "content")),
        other => panic!("a part of type {other}"),
    };
    parts.as_array().unwrap().iter().map(line).collect()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

/// Returns the lines for messages as listed, oldest first.
fn of_messages(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().unwrap().iter();
    messages.flat_map(|message| lines(text(message, "role"), &message["parts"])).collect()
}

/// Returns the lines that a follower assembles from the events of turns.
fn of_events(frames: &[Frame]) -> Vec<String> {
    let of_event = |frame: &Frame| match frame.name() {
        "turn.started" => lines("user", &frame.json()["input"]),
        "part.ended" => lines("assistant", &json!([frame.json()["part"]])),
        "tool.finished" => vec![format!("{} gave {}", text(&frame.json(), "name"), text(&frame.json(), "content"))],
        _ => Vec::new(),
    };
    frames.iter().flat_map(of_event).collect()
}

async fn events(client: &Client, turn: &str) -> Vec<Frame> {
    client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await
}

#[tokio::test]
async fn every_view_of_a_session_is_of_its_one_transcript() {
    let server = Setup::answering([
        Reply::new().say("Let me see. ").call("lookup", json!({ "key": "a" })),
        Reply::text("It is a."),
        Reply::text("You are welcome."),
    ])
    .tool(lookup())
    .run()
    .await;
    let client = &server.client;
    let (first, session) = client.run_turn(None, "Look it up.").await;
    let first_turn: Vec<String> = LOOKED_UP.into_iter().chain([ANSWERED]).map(str::to_owned).collect();
    assert_eq!(of_events(&events(client, &first).await), first_turn, "its events, from the start");

    let (second, _) = client.run_turn(Some(&session), "Thanks.").await;
    let asked = [&first_turn[..], &["user: Thanks.".to_owned()]].concat();
    assert_eq!(server.provider.calls()[2].transcript(), asked, "what the model was sent");
    let all = [&asked[..], &["assistant: You are welcome.".to_owned()]].concat();
    let mut followed = events(client, &first).await;
    followed.extend(events(client, &second).await);
    assert_eq!(of_events(&followed), all, "the events of its turns");

    let mut listed = client.get(&format!("/api/v1/sessions/{session}/messages")).await.json()["data"].clone();
    listed.as_array_mut().unwrap().reverse();
    assert_eq!(of_messages(&listed), all, "its messages");

    let mut feed = client.follow(&format!("/api/v1/sessions/{session}/events"), None).await;
    let snapshot = feed.next().await.unwrap().json();
    let mut shown = of_messages(&snapshot["messages"]);
    shown.extend(lines("user", &snapshot["turn"]["input"]));
    shown.extend(lines("assistant", &snapshot["turn"]["parts"]));
    assert_eq!(shown, all, "how it stands, for who opens it: {snapshot}");

    for (dialect, field) in [("typed", "content"), ("relay", "content")] {
        let path = format!("/api/v1/turns/{first}/events?dialect={dialect}");
        let frames = client.follow(&path, None).await.rest().await;
        let said: String = frames
            .iter()
            .map(Frame::json)
            .filter(|frame| matches!(frame["type"].as_str(), Some("content" | "token")))
            .map(|frame| text(&frame, field).to_owned())
            .collect();
        assert_eq!(said, "Let me see. It is a.", "{dialect}");
    }
}
