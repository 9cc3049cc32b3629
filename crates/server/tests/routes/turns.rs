//! Tests of single turns and lists of turns.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::ProviderErrorKind;
use turnkit_testkit::tools::lookup;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::foreign::TwoProviders;
use crate::running::Setup;

fn ids(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|turn| turn["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn turns_are_listed_newest_first_in_pages() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let mut turns = Vec::new();
    for number in 0..5 {
        turns.insert(0, server.client.run_turn(None, &number.to_string()).await.0);
    }
    let all = server.client.get("/api/v1/turns").await.json();
    assert_eq!(ids(&all), turns);
    assert_eq!(all["next"], Value::Null);
    let (mut path, mut paged) = ("/api/v1/turns?limit=2".to_owned(), Vec::new());
    loop {
        let page = server.client.get(&path).await.json();
        paged.push(ids(&page).into_iter().map(str::to_owned).collect::<Vec<_>>());
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/v1/turns?limit=2&cursor={next}");
    }
    assert_eq!(paged, turns.chunks(2).map(<[String]>::to_vec).collect::<Vec<_>>());
}

#[tokio::test]
async fn turns_are_found_by_session_and_state() {
    let gate = Gate::new();
    let server = Setup::answering([Reply::text("One"), Reply::new().wait(&gate).say("Two")]).run().await;
    let (ended, session) = server.client.run_turn(None, "One").await;
    let (running, other) = server.client.say(None, "Two").await;
    let (queued, _) = server.client.say(Some(&other), "Three").await;
    for (query, expected) in [
        (format!("session={session}"), vec![&ended]),
        (format!("session={other}"), vec![&queued, &running]),
        ("state=queued".to_owned(), vec![&queued]),
        ("state=running".to_owned(), vec![&running]),
        (format!("session={other}&state=completed"), vec![]),
        ("state=completed".to_owned(), vec![&ended]),
    ] {
        assert_eq!(ids(&server.client.get(&format!("/api/v1/turns?{query}")).await.json()), expected, "{query}");
    }
    let shown = server.client.get(&format!("/api/v1/turns/{queued}")).await.json();
    assert_eq!((&shown["state"], &shown["number"], &shown["ended_at"]), (&json!("queued"), &json!(2), &Value::Null));
}

#[tokio::test]
async fn turns_are_found_by_agent_model_error_and_time_and_show_what_they_did() {
    let failing = Reply::new().fail(ProviderErrorKind::Auth);
    let server = Setup::answering([Reply::text("One"), failing]).run().await;
    let (good, _) = server.client.run_turn(None, "A question").await;
    server.clock.advance(Duration::from_secs(1));
    let body = json!({ "message": "Another", "agent": "translator" });
    let bad = server.client.post("/api/v1/turns", &body).await.json()["turn_id"].as_str().unwrap().to_owned();
    server.client.follow(&format!("/api/v1/turns/{bad}/events"), None).await.rest().await;
    let all = server.client.get("/api/v1/turns").await.json();
    let (first, second) = (&all["data"][1], &all["data"][0]);
    assert_eq!((&first["title"], &first["steps"], &first["calls"]), (&json!("A question"), &json!(1), &json!(0)));
    assert!(first["first_ms"].is_u64() && first.get("error").is_none(), "{first}");
    let (provider, model) = (first["provider"].as_str().unwrap(), first["model"].as_str().unwrap());
    assert_eq!(first["models"], json!([{ "provider": provider, "model": model }]));
    assert_eq!(second["error"], "provider_auth");
    let since = second["accepted_at"].as_str().unwrap();
    for (query, expected) in [
        ("agent=translator".to_owned(), vec![&bad]),
        ("agent=nobody".to_owned(), vec![]),
        (format!("provider={provider}&model={model}&agent=assistant"), vec![&good]),
        ("provider=nonesuch".to_owned(), vec![]),
        ("model=nonesuch".to_owned(), vec![]),
        ("error=provider_auth".to_owned(), vec![&bad]),
        (format!("from={since}"), vec![&bad]),
        (format!("to={since}"), vec![&good]),
        (format!("from={since}&to={since}"), vec![]),
        (format!("to={since}&state=completed&limit=1"), vec![&good]),
    ] {
        assert_eq!(ids(&server.client.get(&format!("/api/v1/turns?{query}")).await.json()), expected, "{query}");
    }
    for (query, field) in [("from=yesterday", "from"), ("to=2026-01-01", "to")] {
        let refused = server.client.get(&format!("/api/v1/turns?{query}")).await;
        assert_eq!((refused.status, refused.field()), (422, field.to_owned()), "{query}");
    }
}

#[tokio::test]
async fn the_trace_of_a_turn_has_its_steps_with_their_attempts_and_calls() {
    let script = [Reply::new().call("lookup", json!({ "key": "cat" })), Reply::text("A cat.")];
    let server = Setup::answering(script).tool(lookup()).run().await;
    let (turn, _) = server.client.run_turn(None, "What is it?").await;
    let path = format!("/api/v1/turns/{turn}/trace");
    let spans = server.client.get(&path).await.json();
    let named: Vec<_> =
        spans.as_array().unwrap().iter().map(|span| [&span["id"], &span["parent"], &span["kind"]]).collect();
    let call = format!("{turn}.1.0");
    assert_eq!(
        named,
        [
            [&json!("turn"), &Value::Null, &json!("turn")],
            [&json!("step.1"), &json!("turn"), &json!("step")],
            [&json!("step.1.answer"), &json!("step.1"), &json!("attempt")],
            [&json!(call), &json!("step.1"), &json!("tool")],
            [&json!("step.2"), &json!("turn"), &json!("step")],
            [&json!("step.2.answer"), &json!("step.2"), &json!("attempt")],
        ]
    );
    assert!(spans.as_array().unwrap().iter().all(|span| span["start_ms"].is_u64() && span["ms"].is_u64()), "{spans}");
    assert_eq!(spans[0]["name"], "assistant");
    let unknown = server.client.get("/api/v1/turns/0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7aff/trace").await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_turn_that_has_not_begun_is_cancelled_at_once() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let (_, session) = server.client.say(None, "One").await;
    let (queued, _) = server.client.say(Some(&session), "Two").await;
    let reply = server.client.request("POST", &format!("/api/v1/turns/{queued}/cancel")).send().await;
    assert_eq!((reply.status, reply.json()), (202, json!({ "state": "cancelled" })));
}

/// A client may be able to name any model, so only models that a provider is configured with have labels.
#[tokio::test]
async fn the_token_ratio_of_a_model_is_in_the_metrics() {
    for (model, label) in [("small", "small"), ("of-a-client", "other")] {
        let provider = ScriptedProvider::new([Reply::text("Yes.").usage(2_000, 1)]).named("first", model);
        let server = Setup::of(provider.with_window(32_000)).providers(TwoProviders).run().await;
        let shown = async || {
            let metrics = server.client.get("/metrics").await.body;
            let lines = metrics.lines().filter_map(|line| line.strip_prefix("turnkit_model_token_ratio{model=\""));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert!(shown().await.is_empty());
        server.client.run_turn(None, &"x".repeat(4_000)).await;
        let (lines, prefix) = (shown().await, format!("{label}\"}} "));
        let [line] = &*lines else { panic!("{lines:?}") };
        let ratio: f64 = line.strip_prefix(&prefix).unwrap().parse().unwrap();
        assert!((1.5..2.0).contains(&ratio), "{line}");
    }
}

#[tokio::test]
async fn the_duration_and_usage_of_a_turn_are_in_the_histograms() {
    let server = Setup::answering([
        Reply::new().call("lookup", json!({ "key": "a" })).call("unknown", json!({})).usage(100, 20),
        Reply::text("It is a.").usage(900, 80),
    ])
    .tool(lookup())
    .run()
    .await;
    server.client.run_turn(None, "Look it up.").await;
    // The service counts a turn after its followers have seen its end.
    let mut metrics = String::new();
    for _ in 0..1_000 {
        metrics = server.client.get("/metrics").await.body;
        if metrics.contains("turnkit_turn_duration_seconds_count 1") {
            break;
        }
    }
    for line in [
        "turnkit_turn_duration_seconds_count 1",
        "turnkit_turn_first_output_seconds_count 1",
        "turnkit_turn_preparation_seconds_count 1",
        "turnkit_model_wait_seconds_count 2",
        "turnkit_model_answer_seconds_count 2",
        "turnkit_tool_duration_seconds_count 1",
        "turnkit_turn_input_tokens_sum 1000.0",
        r#"turnkit_turn_input_tokens_bucket{le="500.0"} 0"#,
        r#"turnkit_turn_input_tokens_bucket{le="1000.0"} 1"#,
        r#"turnkit_turn_input_tokens_bucket{le="+Inf"} 1"#,
        "turnkit_turn_output_tokens_sum 100.0",
        "turnkit_turn_cost_usd_count 1",
    ] {
        assert!(metrics.lines().any(|shown| shown == line), "{line} is not in\n{metrics}");
    }
    assert!(!metrics.contains("turnkit_commit_duration_seconds_count 0"), "{metrics}");
}
