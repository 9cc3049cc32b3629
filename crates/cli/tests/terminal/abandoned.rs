//! Streams that are given up leave nothing behind.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use turnkit_testkit::http::HttpClient;
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

/// How many streams there are at a time.
const AT_ONCE: usize = 50;
/// How many clients just go. Their turns end once nobody has followed them for a while.
const GONE: usize = 200;
/// How often the gauges are looked at, and how long after each other, before they count as stuck.
const MOST_LOOKS: usize = 1_000;
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// How soon after the last stream was given up every gauge is to be at 0.
const SOON: Duration = Duration::from_millis(100);

#[tokio::test]
async fn streams_that_are_given_up_leave_no_slot_taken_and_every_gauge_at_0() {
    let streams = Size::wanted().of(1_000, 10_000);
    let hanging = Response::stream().delta(json!({ "content": "so " })).hang();
    let upstream = FakeUpstream::start(vec![hanging; streams]).await.unwrap();
    let place = Place::asking(&upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{provider}max_concurrency = 400\n"));
    let server = place.serve().await;
    let client = server.client();

    for _ in 0..GONE / AT_ONCE {
        join_all((0..AT_ONCE).map(|_| go_away(&client))).await;
    }
    upstream.until(|counts| counts.abandoned == GONE).await;
    for _ in 0..(streams - GONE) / AT_ONCE {
        join_all((0..AT_ONCE).map(|_| cancel(&client))).await;
    }
    let given_up = Instant::now();
    let mut left = gauges(&client).await;
    for _ in 0..MOST_LOOKS {
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
        left = gauges(&client).await;
    }
    let took = given_up.elapsed();
    assert_eq!(left, [""; 0]);
    let counts = upstream.until(|counts| counts.requests == streams && counts.answering == 0).await;
    assert_eq!(counts.abandoned, streams, "each connection to the provider was closed");
    let listed = place.run(&["providers", "ls"]).await.stdout;
    assert!(listed.contains("running 0/400  waiting 0") && listed.contains("fake  ready"), "{listed}");
    report("give up streams", format!("{streams}; every gauge was at 0 {} ms after the last", took.as_millis()));
    // How long something takes says little on a machine that has more to do: the full trial has it to itself.
    assert!(Size::wanted() == Size::Short || took <= SOON, "gauges were at 0 only after {took:?}");
}

/// Reads the first word in a protocol without a way back, and closes the connection.
async fn go_away(client: &HttpClient) {
    let body = json!({ "messages": [{ "role": "user", "content": "hi" }] });
    let mut events = client.post_for_events("/api/chat/stream", &[], &body).await.unwrap();
    assert!(events.next().await.unwrap().unwrap().data.contains("so "));
}

/// Reads the first word, closes the connection, and cancels the turn.
async fn cancel(client: &HttpClient) {
    let headers = [("accept", "text/event-stream")];
    let mut events = client.post_for_events("/api/v1/turns", &headers, &json!({ "message": "hi" })).await.unwrap();
    let turn = events.header("x-turn-id").unwrap().to_owned();
    while events.next().await.unwrap().unwrap().name() != "part.delta" {}
    drop(events);
    let asked = client.post(&format!("/api/v1/turns/{turn}/cancel"), &[], &json!({})).await.unwrap();
    assert_eq!(asked.status, 202);
}

/// The gauges that say something is still going on.
async fn gauges(client: &HttpClient) -> Vec<String> {
    const QUIET: [&str; 5] = [
        "turnkit_streams ",
        "turnkit_turns_running ",
        "turnkit_turns_waiting ",
        "turnkit_provider_answers{",
        "turnkit_provider_waiting{",
    ];
    let metrics = String::from_utf8(client.get("/metrics").await.unwrap().body).unwrap();
    let found: Vec<&str> = metrics.lines().filter(|line| QUIET.iter().any(|name| line.starts_with(name))).collect();
    assert_eq!(found.len(), QUIET.len(), "{metrics}");
    found.into_iter().filter(|line| !line.ends_with(" 0")).map(str::to_owned).collect()
}
