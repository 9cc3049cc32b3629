//! Abandoned streams must leave nothing behind.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;
use turnkit_testkit::http::HttpClient;
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

/// The number of concurrent streams.
const CONCURRENT: usize = 50;
/// The number of clients that disconnect without cancelling. Their turns end some time after the last follower has
/// left.
const DISCONNECTED: usize = 200;
/// The number of reads of the gauges, and the pause between them, before the gauges count as stuck.
const MAX_READS: usize = 1_000;
const READ_INTERVAL: Duration = Duration::from_millis(10);
/// The time after the last stream was abandoned in which every gauge must be 0.
const MAX_DELAY: Duration = Duration::from_millis(100);

#[tokio::test]
async fn abandoned_streams_leave_no_slot_taken_and_every_gauge_at_0() {
    let streams = Size::from_env().of(1_000, 10_000);
    let hanging = Response::stream().delta(json!({ "content": "so " })).hang();
    let upstream = FakeUpstream::start(vec![hanging; streams]).await.unwrap();
    let place = Place::asking(&upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{provider}max_concurrency = 400\n"));
    let server = place.serve().await;
    let client = server.client();

    for _ in 0..DISCONNECTED / CONCURRENT {
        join_all((0..CONCURRENT).map(|_| go_away(&client))).await;
    }
    upstream.wait_for(|counts| counts.abandoned == DISCONNECTED).await;
    for _ in 0..(streams - DISCONNECTED) / CONCURRENT {
        join_all((0..CONCURRENT).map(|_| cancel(&client))).await;
    }
    let given_up = Instant::now();
    let mut left = gauges(&client).await;
    for _ in 0..MAX_READS {
        if left.is_empty() {
            break;
        }
        tokio::time::sleep(READ_INTERVAL).await;
        left = gauges(&client).await;
    }
    let took = given_up.elapsed();
    assert_eq!(left, [""; 0]);
    let counts = upstream.wait_for(|counts| counts.requests == streams && counts.responding == 0).await;
    assert_eq!(counts.abandoned, streams, "each connection to the provider was closed");
    let listed = place.run(&["providers", "ls"]).await.stdout;
    assert!(listed.contains("running 0/400  waiting 0") && listed.contains("fake  ready"), "{listed}");
    report("give up streams", format!("{streams}; every gauge was at 0 {} ms after the last", took.as_millis()));
    // Durations mean little on a busy machine. The full trial has the machine to itself.
    assert!(Size::from_env() == Size::Short || took <= MAX_DELAY, "gauges were at 0 only after {took:?}");
}

/// Reads the first word in a protocol that cannot resume, and closes the connection.
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

/// Returns the gauges of activity that are not 0.
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
