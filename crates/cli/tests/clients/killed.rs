//! Readers that reconnect to a server that was killed.

use std::time::Duration;

use serde_json::json;
use turnkit_testkit::http::{Frame, HttpClient};
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Response};

use crate::server::Server;

/// The streams with cursors.
const STREAMS: [&str; 2] = ["events", "events?dialect=relay&ext=1"];
/// The last word before the server is killed.
const LAST: &str = "word20 ";

#[tokio::test]
async fn after_a_kill_a_reader_gets_exactly_the_rest_or_a_new_snapshot() {
    let kills = Size::from_env().of(5, 50);
    let (mut exact, mut resynced) = (0, 0);
    for _ in 0..kills {
        let upstream = FakeUpstream::start([calls(), words().hang(), words().finish("stop").done()]).await.unwrap();
        let mut server = Server::asking(&upstream).await;
        let session = server.session().await;
        let turn = server.say(&session, "Count.").await;
        let mut seen = Vec::new();
        for stream in STREAMS {
            let path = format!("/api/v1/turns/{turn}/{stream}");
            seen.push((read_up_to_the_last_word(&server.client(), &path).await, path));
        }
        server.kill_and_start().await;
        for (before, path) in seen {
            let after = server.client().follow(&path, None).await.unwrap().rest().await.unwrap();
            for frame in &before {
                if resumes_correctly(&server.client(), &path, frame, &after).await {
                    exact += 1;
                } else {
                    resynced += 1;
                }
            }
        }
    }
    assert!(exact > 0 && resynced > 0, "{exact} and {resynced}");
    let counted =
        format!("{kills} kills, 2 protocols: {exact} cursors got exactly the rest, {resynced} a resync, 0 failures");
    report("come back after a kill", counted);
}

/// Kills the server with SIGKILL during an answer. The turn has no attempt left, has no time for another one, or is
/// cancelled before it restarts.
#[tokio::test]
async fn the_saved_part_of_an_answer_is_kept_if_there_is_no_other_after_a_kill() {
    for (limits, ends) in [("max_attempts = 1", "failed"), ("turn_deadline_s = 2", "expired"), ("", "cancelled")] {
        let upstream = FakeUpstream::start([words().hang(), Response::stream().hang()]).await.unwrap();
        let tables = format!(
            "[store]\nurl = \"sqlite:turnkit.db\"\n[limits]\n{limits}\n[[agents]]\nname = \"assistant\"\n\
             [agents.context]\npartial_save_ms = 20\n"
        );
        let mut server = Server::asking_with(&upstream, &tables).await;
        let session = server.session().await;
        let turn = server.say(&session, "Count.").await;
        read_up_to_the_last_word(&server.client(), &format!("/api/v1/turns/{turn}/events")).await;
        while !server.has_written(LAST) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // The server responds after a later commit, so the saved text is committed too.
        server.session().await;
        server.kill_and_start().await;
        if ends == "cancelled" {
            let cancel = format!("/api/v1/turns/{turn}/cancel");
            assert_eq!(server.client().post(&cancel, &[], &json!({})).await.unwrap().status, 202);
        }
        let mut frames = server.client().follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap();
        let last = frames.rest().await.unwrap().pop().unwrap().json();
        assert_eq!((&last["status"], &last["text"]), (&json!(ends), &json!(said())), "{limits}");
        assert!(server.answer(&turn).await.starts_with(&said()), "{limits}");
    }
}

fn calls() -> Response {
    Response::calls(&[("call_1", "calculator", r#"{"expression":"6*7"}"#)])
}

fn words() -> Response {
    said().split_inclusive(' ').fold(Response::stream(), |response, word| response.delta(json!({ "content": word })))
}

fn said() -> String {
    (1..=20).map(|word| format!("word{word} ")).collect()
}

async fn read_up_to_the_last_word(client: &HttpClient, path: &str) -> Vec<Frame> {
    let mut stream = client.follow(path, None).await.unwrap();
    let mut frames = Vec::new();
    loop {
        let frame = stream.next().await.unwrap().expect("the turn goes on");
        let data = frame.json();
        frames.push(frame);
        if data["delta"] == LAST || data["content"] == LAST {
            return frames;
        }
    }
}

/// Reconnects with the cursor of `seen`. Returns `true` if the reader got exactly the events of `whole` after it, and
/// `false` if it got a new snapshot.
async fn resumes_correctly(client: &HttpClient, path: &str, seen: &Frame, whole: &[Frame]) -> bool {
    let rest = client.follow(path, seen.id.as_deref()).await.unwrap().rest().await.unwrap();
    match rest.split_first() {
        Some((resync, end)) if resync.name() == "resync" => {
            let turn = &resync.json()["turn"];
            let parts = turn["parts"].as_array().unwrap().iter();
            let text: String =
                parts.filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str()).collect();
            assert_eq!((turn["status"].as_str(), text), (Some("completed"), said()));
            // The turn has ended, so only the end of the protocol may follow.
            let data = |frames: &[Frame]| frames.iter().map(|frame| frame.data.clone()).collect::<Vec<_>>();
            assert_eq!(data(end), data(&whole[whole.len() - end.len()..]));
            assert!(end.len() <= 1);
            false
        }
        _ => {
            let at = whole.iter().position(|frame| frame == seen).expect("what was seen is what the log says now");
            let texts = |frames: &[Frame]| frames.iter().map(|frame| frame.text.clone()).collect::<Vec<_>>();
            assert_eq!(texts(&rest), texts(&whole[at + 1..]), "{path} after {:?}", seen.id);
            true
        }
    }
}
