//! Trial: a cancelled turn ends at once, closes its connection to the provider, and starts nothing more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;
use tempfile::tempdir;
use tokio::time::timeout;
use turnkit_core::ports::Tool;
use turnkit_core::{ModelName, ToolFlags};
use turnkit_llm::{Endpoint, Provider, Wire};
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Response};

use crate::installation::Installation;

/// The time limit from the response to the cancel request to the last event.
const UNTIL_THE_END: Duration = Duration::from_secs(2);
/// The time limit from the response to the cancel request until the provider's stream is closed.
const UNTIL_CLOSED: Duration = Duration::from_secs(1);
/// A turn is cancelled after at most this many events, so that some are in the middle of their third round.
const MAX_EVENTS: usize = 60;
/// More rounds than any turn reaches before it is cancelled.
const ROUNDS: usize = 8;

/// The time of each turn's last tool start.
type LastStart = Arc<Mutex<HashMap<String, Instant>>>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_is_cancelled_anywhere_ends_soon_and_starts_nothing_more() {
    let turns = Size::from_env().of(50, 500);
    let data = tempdir().unwrap();
    let upstream = FakeUpstream::start([]).await.unwrap();
    let last_start = LastStart::default();
    let installation = Installation::start(data.path(), Arc::new(provider(&upstream)), vec![work(&last_start)]).await;
    let mut random = SmallRng::seed_from_u64(15);
    let (mut slowest_end, mut slowest_close, mut cancelled_at) = (Duration::ZERO, Duration::ZERO, HashMap::new());
    for _ in 0..turns {
        (0..ROUNDS).for_each(|_| upstream.push(round()));
        let session = installation.session().await;
        let turn = installation.say(&session, "Work.").await;
        let mut events = installation.client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap();
        for _ in 0..random.random_range(0..=MAX_EVENTS) {
            assert!(events.next().await.unwrap().is_some(), "turn {turn} ended by itself");
        }

        let path = format!("/api/v1/turns/{turn}/cancel");
        let cancelled = installation.client.post(&path, &[], &json!({})).await.unwrap();
        assert_eq!((cancelled.status, &cancelled.json()["state"]), (202, &json!("cancelling")));
        let acknowledged = Instant::now();
        let closed = timeout(UNTIL_CLOSED, upstream.wait_for(|counts| counts.responding == 0)).await;
        assert!(closed.is_ok(), "turn {turn} kept its connection to the provider");
        slowest_close = slowest_close.max(acknowledged.elapsed());
        let rest = timeout(UNTIL_THE_END, events.rest()).await.expect("the turn ends in time").unwrap();
        slowest_end = slowest_end.max(acknowledged.elapsed());
        let last = rest.last().expect("the end was not told before");
        assert_eq!((last.name(), &last.json()["status"]), ("turn.ended", &json!("cancelled")));
        cancelled_at.insert(turn, acknowledged);
        upstream.clear_script();
    }
    installation.stop().await;
    for (turn, started) in last_start.lock().unwrap().iter() {
        assert!(*started <= cancelled_at[turn], "turn {turn} started a tool after it was cancelled");
    }
    let answering = upstream.counts().abandoned;
    assert!(answering >= turns / 4, "only {answering} turns were cancelled while the provider answered");
    let counted = format!(
        "{turns} turns after 0 to {MAX_EVENTS} events, {answering} while the provider answered: ended within {} ms, \
         the provider left within {} ms, 0 tools started later",
        slowest_end.as_millis(),
        slowest_close.as_millis()
    );
    report("cancel anywhere", counted);
}

fn provider(upstream: &FakeUpstream) -> Provider {
    let endpoint = Endpoint {
        base_url: Some(upstream.base_url()),
        models: vec![ModelName("small".into())],
        ..Endpoint::new("fake", Wire::OpenaiChat)
    };
    Provider::new(endpoint).unwrap()
}

/// Returns a model response of some words, then two calls.
fn round() -> Response {
    let call = |index, id| json!({ "tool_calls": [{ "index": index, "id": id, "type": "function", "function": { "name": "work", "arguments": "{}" } }] });
    let words = (1..=10).map(|word| json!({ "content": format!("word{word} ") }));
    let said = words.chain([call(0, "call_1"), call(1, "call_2")]).fold(Response::stream(), Response::delta);
    said.finish("tool_calls").done().pace(Duration::from_millis(1))
}

/// A tool that changes state, so that each call of it waits for its commit.
fn work(last_start: &LastStart) -> Arc<dyn Tool> {
    let last_start = last_start.clone();
    Arc::new(TestTool::new("work", ToolFlags::default(), move |_, context| {
        last_start.lock().unwrap().insert(context.uid.turn.to_string(), Instant::now());
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(2)).await;
            Ok("done".into())
        })
    }))
}
