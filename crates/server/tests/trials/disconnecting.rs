//! Trial: a turn is stored to its end although its follower disconnects.

use serde_json::{Value, json};
use tempfile::tempdir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use turnkit_testkit::trial::{Size, report};

use crate::installation::Installation;
use crate::script::{answer, lookup, model};

/// Endpoints whose turns outlive their followers, each with the name of its session field.
const PROTOCOLS: [(&str, &str); 3] =
    [("/api/v1/turns", "session_id"), ("/chat", "session_id"), ("/chat/stream", "sessionId")];
/// The largest number of frames after which a follower disconnects.
const MAX_FRAMES: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_whose_reader_leaves_is_stored_to_its_end() {
    let turns = Size::from_env().of(50, 500);
    let data = tempdir().unwrap();
    let installation = Installation::start(data.path(), model(), lookup()).await;
    let mut never_began = 0;
    for number in 0..turns {
        let (path, session_field) = PROTOCOLS[number % PROTOCOLS.len()];
        let session = installation.session().await;
        let body = json!({ session_field: session, "message": "Look it up." });
        match number % (MAX_FRAMES + 1) {
            0 => hang_up_before_the_answer(&installation, path, &body).await,
            frames => hang_up_after(&installation, path, &body, frames).await,
        }
        match turn_of(&installation, &session).await {
            Some(turn) => stored_to_its_end(&installation, &session, &turn).await,
            None => never_began += 1,
        }
    }
    installation.stop().await;
    // A client that does not wait for the response may have disconnected before the request was read.
    assert!(never_began <= turns.div_ceil(MAX_FRAMES + 1), "{never_began} turns never began");
    let counted = format!(
        "{turns} readers left before the answer or after 1 to {MAX_FRAMES} frames: {never_began} turns never began, \
         0 were cut short"
    );
    report("leave for good", counted);
}

/// Sends the whole request and closes the connection at once.
async fn hang_up_before_the_answer(installation: &Installation, path: &str, body: &Value) {
    let body = body.to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\naccept: text/event-stream\r\n\
         content-length: {}\r\n\r\n",
        installation.address,
        body.len()
    );
    let mut socket = TcpStream::connect(installation.address).await.unwrap();
    socket.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
}

/// Reads this many frames, then closes the connection.
async fn hang_up_after(installation: &Installation, path: &str, body: &Value, frames: usize) {
    let mut stream = installation.client.post_for_events(path, &[], body).await.unwrap();
    assert_eq!(stream.status(), 200, "{path}");
    for _ in 0..frames {
        if stream.next().await.unwrap().is_none() {
            return;
        }
    }
}

async fn stored_to_its_end(installation: &Installation, session: &str, turn: &str) {
    assert_eq!(installation.ended(turn).await, "completed");
    let messages = installation.get(&format!("/api/v1/sessions/{session}/messages")).await;
    let said = messages["data"][0].to_string();
    assert!(said.contains(&answer()), "the last message of {session} is {said}");
}

/// Returns the turn of a session whose client has disconnected, if it was started. Once this client's connection is the
/// only one left, the other request has been read or never will be. The session created here is stored after every turn
/// that was read.
async fn turn_of(installation: &Installation, session: &str) -> Option<String> {
    while !installation.metrics().await.contains("\nturnkit_http_connections 1\n") {}
    installation.session().await;
    let listed = installation.get(&format!("/api/v1/turns?session={session}")).await;
    listed["data"][0]["id"].as_str().map(str::to_owned)
}
