//! Usage adds up: steps to turns, turns to sessions and to the report, even after failures.

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Response};

use crate::two_providers::World;

/// The counted fields of a usage.
const COUNTED: [&str; 6] = ["fresh", "output", "unmetered_calls", "reasoning", "cache_read", "cache_write"];
const CHARGED: [&str; 2] = ["nano_usd", "unpriced_calls"];

/// The usage and cost of a step, a turn or a session.
type Sums = Vec<u64>;

fn sums(of: &Value) -> Sums {
    let of_usage = COUNTED.iter().map(|name| &of["usage"][name]);
    let all = of_usage.chain(CHARGED.iter().map(|name| &of["cost"][name]));
    all.map(|number| number.as_u64().unwrap_or_else(|| panic!("{of}"))).collect()
}

fn added(all: &[Sums]) -> Sums {
    (0..COUNTED.len() + CHARGED.len()).map(|index| all.iter().map(|sums| sums[index]).sum()).collect()
}

/// The usage of an answer that reports no cached tokens.
const UNCACHED: [u64; 8] = [10, 5, 0, 0, 0, 0, 105_000, 0];
/// The usage of a [`cached`] answer. Each token is in one count only, and charged at one price.
const CACHED: [u64; 8] = [1, 5, 0, 0, 6, 3, 91_050, 0];
/// The usage of an answer that broke off.
const UNKNOWN: [u64; 8] = [0, 0, 1, 0, 0, 0, 0, 1];

/// An answer to the same amount of input, most of which was read from the provider's cache or written to it.
fn cached(text: &str) -> Response {
    let details = json!({ "cached_tokens": 6, "cache_write_tokens": 3 });
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": details });
    let said = Response::stream().delta(json!({ "content": text })).finish("stop");
    said.event(&json!({ "choices": [], "usage": usage })).done()
}

/// Checks that the steps of an ended turn and its lost calls add up to its usage, which is returned.
async fn turn_adds_up(world: &World, turn: &str) -> Sums {
    let events = world.events(turn).await;
    let ended = events.iter().filter(|frame| frame.name() == "step.ended").map(|frame| sums(&frame.json()));
    let lost = events.iter().filter_map(|frame| frame.json()["lost_calls"].as_u64()).sum::<u64>();
    let steps: Vec<Sums> = ended.chain((0..lost).map(|_| UNKNOWN.into())).collect();
    let ended = sums(&events.last().unwrap().json());
    assert_eq!(added(&steps), ended, "{events:#?}");
    let shown = world.server.client().get(&format!("/api/v1/turns/{turn}")).await.unwrap().json();
    assert_eq!(sums(&shown), ended, "{shown}");
    ended
}

#[tokio::test]
async fn steps_add_up_to_turns_turns_to_their_session_and_to_the_report() {
    let gate = Gate::new();
    let words = || Response::stream().delta(json!({ "content": "so " }));
    let calls = || Response::calls(&[("c1", "clock", "{}")]);
    let a = vec![
        // Retried.
        Response::status(500, "oops"),
        cached("again"),
        // A round of tools.
        calls(),
        cached("noon"),
        // Cancelled.
        words().wait(&gate),
        // Killed in the second step.
        calls(),
        words().hang(),
        cached("back"),
        // Withdrawn, and repeated by the other provider.
        words().cut(),
        // Thawed with a ping, which counts as no user's usage, then failed over before any output.
        Response::text("pong"),
        Response::status(500, "oops"),
        Response::status(500, "oops"),
        Response::status(500, "oops"),
    ];
    let b = vec![cached("redone"), Response::text("in its place")];
    let world = World::of(a, b, "on_stream_failure = \"redo\"").await;
    let (first, session) = world.start(&json!({ "message": "hi" })).await;
    let say = async |world: &World| world.start(&json!({ "message": "hi", "session_id": session })).await.0;
    let mut turns = vec![turn_adds_up(&world, &first).await];
    assert_eq!(turns[0], CACHED);

    let round = say(&world).await;
    turns.push(turn_adds_up(&world, &round).await);
    assert_eq!(turns[1], added(&[UNCACHED.into(), CACHED.into()]));

    let cancelled = say(&world).await;
    world.a.wait_for(|counts| counts.requests == 5).await;
    let path = format!("/api/v1/turns/{cancelled}");
    let mut stream = world.server.client().follow(&format!("{path}/events"), None).await.unwrap();
    while stream.next().await.unwrap().unwrap().name() != "part.delta" {}
    world.server.client().post(&format!("{path}/cancel"), &[], &json!({})).await.unwrap();
    turns.push(turn_adds_up(&world, &cancelled).await);
    assert_eq!(turns[2], UNKNOWN);
    gate.open();

    let killed = say(&world).await;
    world.a.wait_for(|counts| counts.requests == 7).await;
    let world = world.kill_and_start().await;
    turns.push(turn_adds_up(&world, &killed).await);
    let steps = [UNCACHED.into(), UNKNOWN.into(), CACHED.into()];
    assert_eq!(turns[3], added(&steps), "the first step is not paid for twice");

    let redone = say(&world).await;
    turns.push(turn_adds_up(&world, &redone).await);
    assert_eq!(turns[4], added(&[UNKNOWN.into(), CACHED.into()]));

    assert_eq!(world.place.run(&["providers", "thaw", "a"]).await.code, Some(0));
    let failed_over = say(&world).await;
    turns.push(turn_adds_up(&world, &failed_over).await);
    assert_eq!(turns[5], UNCACHED);
    assert_eq!((world.a.counts().requests, world.b.counts().requests), (13, 2));

    let all = added(&turns);
    let shown = world.server.client().get(&format!("/api/v1/sessions/{session}")).await.unwrap().json();
    assert_eq!(sums(&shown), all, "{shown}");
    let report = world.server.client().get("/api/v1/usage?by=provider").await.unwrap().json();
    assert_eq!(sums(&report["total"]), all, "{report}");
    let rows: Vec<Sums> = report["data"].as_array().unwrap().iter().map(sums).collect();
    assert_eq!((rows.len(), added(&rows)), (3, all), "{report}");
}
