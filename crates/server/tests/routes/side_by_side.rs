//! Tests of concurrent users, each of whom sees only their own data.

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::Barrier;
use turnkit_core::Part;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::client::Client;
use crate::running::Setup;

const USERS: [&str; 3] = ["ada", "bob", "eve"];
/// The number of sessions of each user.
const SESSIONS: usize = 3;
const PATHS: [&str; SESSIONS] = ["/api/v1/turns", "/chat", "/chat/stream"];

/// A model that repeats its input: the first half at once, and the rest when the gate opens.
fn echo(gate: &Gate) -> Setup {
    let gate = gate.clone();
    Setup::of(ScriptedProvider::answering(move |request, _| {
        let said = request.history.iter().last()?.message().parts.first().and_then(Part::as_text)?.to_owned();
        Some(Reply::new().say(&format!("first {said} ")).wait(&gate).say(&format!("then {said}")))
    }))
}

/// Returns the message of a session, which differs from those of all other sessions.
fn word(user: &str, session: usize) -> String {
    format!("{user}-says-{session}")
}

/// Sends a message, and waits with all others in the middle of the response. Returns the turn, the message and all
/// frames.
async fn chat(client: &Client, user: &str, session: usize, all_begun: &Barrier) -> (String, String, Vec<String>) {
    let path = PATHS[session];
    let said = word(user, session);
    let body = match path {
        "/api/v1/turns" => json!({ "message": said }),
        "/chat" => json!({ "session_id": "mine", "message": said }),
        _ => json!({ "sessionId": "another", "message": said }),
    };
    let mut events = client.request("POST", path).json(&body).events().await;
    let turn = events.header("x-turn-id").to_owned();
    let mut seen = vec![events.until(|frame| frame.data.contains("first")).await.text];
    all_begun.wait().await;
    seen.extend(events.rest().await.into_iter().map(|frame| frame.text));
    (turn, said, seen)
}

#[tokio::test]
async fn no_event_crosses_between_turns_that_run_at_once() {
    let gate = Gate::new();
    let server = echo(&gate).locked().run().await;
    let clients = join_all(USERS.map(|user| server.user(user))).await;
    let all_begun = Barrier::new(USERS.len() * SESSIONS + 1);
    let chats = USERS.iter().zip(&clients).flat_map(|(user, client)| {
        let all_begun = &all_begun;
        (0..SESSIONS).map(move |session| chat(client, user, session, all_begun))
    });
    let go_on = async {
        all_begun.wait().await;
        gate.open();
    };
    let (results, ()) = tokio::join!(join_all(chats), go_on);
    let words: Vec<String> = results.iter().map(|(_, word, _)| word.clone()).collect();
    for (turn, own, seen) in &results {
        let text = seen.concat();
        assert!(text.contains(&format!("then {own}")), "{own} has its own answer: {text}");
        for other in words.iter().filter(|word| *word != own) {
            assert!(!text.contains(other.as_str()), "{own} was told {other}: {text}");
        }
        for (other, _, _) in results.iter().filter(|(other, _, _)| other != turn) {
            assert!(!text.contains(other.as_str()), "{own} was told of turn {other}");
        }
    }
}
