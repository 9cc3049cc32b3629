//! Two providers, one of which fails: the responses to clients of a server.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::support::{Place, outcome};
use crate::two_providers::World;

/// Failures of a provider before its first output.
fn failures() -> Vec<(&'static str, Vec<Response>)> {
    let nothing = Response::stream().cut();
    let in_band = Response::stream().error("You exceeded your current quota", "insufficient_quota");
    let garbage = Response::stream().raw(b"data: {\"choices\": [{{{\n\n").cut();
    vec![
        ("rate limit", vec![Response::status(429, "slow down").header("retry-after", "60")]),
        ("trouble", vec![Response::status(500, "oops"); 3]),
        ("key", vec![Response::status(401, "Incorrect API key provided")]),
        ("nothing", vec![nothing; 3]),
        ("error inside", vec![in_band]),
        ("garbage", vec![garbage; 3]),
        ("a page", vec![Response::status(200, "<html>").header("content-type", "text/html"); 3]),
        ("silence", vec![Response::stream().hang()]),
    ]
}

#[tokio::test]
async fn a_provider_that_fails_before_output_is_not_seen_in_any_dialect() {
    for (name, script) in failures() {
        let clean = async |dialect: &str| {
            let world = World::of(script.clone(), vec![Response::text("all is well")], "").await;
            let body = world.turn(dialect).await;
            assert!(body.contains("well"), "{name} {dialect}: {body}");
            let errors = ["event: error", "\"type\":\"error\""];
            assert!(!errors.iter().any(|error| body.contains(error)), "{name} {dialect}: {body}");
            let listed = world.providers().await;
            assert_eq!((&listed[0]["state"], &listed[1]["state"]), (&json!("frozen"), &json!("ready")), "{name}");
            body
        };
        let (native, ..) = tokio::join!(clean("native"), clean("named"), clean("typed"), clean("relay"));
        assert!(native.contains(r#""code":"failed_over""#) && native.contains(r#""provider":"b""#), "{name}: {native}");
        assert!(native.contains(r#""text":"all is well""#), "{name}: {native}");
    }
}

#[tokio::test]
async fn a_turn_continues_with_fewer_messages_at_a_provider_with_a_smaller_window() {
    let overflow = json!({ "error": { "code": "context_length_exceeded", "message": "too long" } });
    let trouble = vec![Response::status(500, "oops"); 3];
    let a = [vec![Response::text("one"), Response::text("two")], trouble].concat();
    let world = World::of(a, vec![Response::json(400, &overflow), Response::text("all is well")], "").await;
    let (first, session) = world.start(&json!({ "message": "first" })).await;
    world.events(&first).await;
    for message in ["second", "third"] {
        let (turn, _) = world.start(&json!({ "message": message, "session_id": session })).await;
        let events = format!("{:?}", world.events(&turn).await);
        assert!(events.contains("completed"), "{events}");
        assert_eq!(events.contains("truncated_after_overflow"), message == "third", "{events}");
    }
    let sent: Vec<_> =
        world.b.requests().iter().map(|sent| sent.json()["messages"].as_array().unwrap().len()).collect();
    assert_eq!(sent, [5, 1]);
}

#[tokio::test]
async fn after_output_the_text_of_one_attempt_is_kept_as_the_agent_says() {
    let broken = || Response::stream().delta(json!({ "content": "half an " })).delta(json!({ "content": "ans" })).cut();
    let world = World::of(vec![broken()], vec![Response::text("all is well")], "").await;
    let stopped = world.turn("native").await;
    assert!(stopped.contains(r#""status":"failed""#) && stopped.contains(r#""text":"half an ans""#), "{stopped}");
    assert_eq!(world.b.counts().requests, 0);

    let redo = "on_stream_failure = \"redo\"";
    let world = World::of(vec![broken(), broken()], vec![Response::text("all is well"); 2], redo).await;
    let redone = world.turn("native").await;
    for words in ["event: retracted", r#""code":"redone""#, r#""status":"completed""#, r#""text":"all is well""#] {
        assert!(redone.contains(words), "{words}: {redone}");
    }
    assert!(!world.turn("relay").await.contains("half"), "the broken one is frozen by now");
    let session = world.place.last_session().await;
    let shown = world.place.run(&["sessions", "show", &session]).await.stdout;
    assert!(shown.contains("all is well") && !shown.contains("half"), "{shown}");
}

#[tokio::test]
async fn text_is_kept_from_only_one_attempt_wherever_the_stream_breaks() {
    const ANSWER: &str = "one two three four five six seven eight nine ten";
    let whole = Response::text(ANSWER);
    let length = whole.body().len();
    for agent in ["", "on_stream_failure = \"redo\""] {
        let world = World::of(vec![], vec![Response::text("ten nine eight"); 25], agent).await;
        for cut in (1..=25).map(|part| part * (length - 500) / 25) {
            world.a.clear_script();
            world.a.push(Response::text("pong"));
            world.a.push(whole.clone().cut_at(cut));
            assert_eq!(world.place.run(&["providers", "thaw", "a"]).await.code, Some(0));
            let body = world.turn("native").await;
            let ended = body.rsplit("event: turn.ended").next().unwrap();
            let text = ended.split(r#""text":""#).nth(1).unwrap().split('"').next().unwrap();
            let kept = agent.is_empty() && ANSWER.starts_with(text) && !text.is_empty();
            assert!(text == "ten nine eight" || kept, "{agent} {cut}: {text:?}");
        }
    }
}

#[tokio::test]
async fn a_frozen_provider_is_listed_counted_and_thawed() {
    let gate = Gate::new();
    let a =
        vec![Response::status(401, "no"), Response::status(401, "no"), Response::text("pong"), Response::text("back")];
    let held = Response::stream().wait(&gate).followed_by(Response::text("b"));
    let world = World::of(a, vec![held, Response::text("b")], "").await;
    let (turn, running) = tokio::join!(world.turn("named"), async {
        world.b.wait_for(|counts| counts.requests == 1).await;
        let running = world.providers().await[1]["running"].clone();
        gate.open();
        running
    });
    assert!(turn.contains("data: b"), "{turn}");
    assert_eq!(running, json!(1));
    let listed = world.place.run(&["providers", "ls"]).await.stdout;
    assert!(listed.contains("a  frozen  a-model") && listed.contains("until thawed: a: the provider"), "{listed}");
    let metrics = String::from_utf8(world.server.client().get("/metrics").await.unwrap().body).unwrap();
    for line in ["turnkit_provider_frozen{provider=\"a\"} 1", "turnkit_provider_answers{provider=\"b\"} 0"] {
        assert!(metrics.contains(line), "{metrics}");
    }

    let refused = world.place.run(&["providers", "thaw", "a"]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("a: the provider refused access"), "{refused:?}");
    assert_eq!(world.place.run(&["providers", "thaw", "a"]).await.code, Some(0));
    assert!(world.turn("named").await.contains("back"));
    let unknown = world.place.run(&["providers", "thaw", "nobody/else"]).await;
    assert!(unknown.stderr.contains("there is no provider nobody/else"), "{unknown:?}");
}

/// A provider's error message may quote the request of another user.
#[tokio::test]
async fn provider_error_text_is_shown_only_to_the_operator() {
    const QUOTED: &str = "cannot complete: my name is Ada";
    for (mode, told) in [("api_key", false), ("none", true)] {
        let upstream = FakeUpstream::start(vec![Response::status(500, QUOTED); 3]).await.unwrap();
        let place = Place::asking(&upstream);
        let made = place.run(&["keys", "create", "phone", "--user", "bob", "--json"]).await;
        let key = serde_json::from_str::<Value>(&made.stdout).unwrap()["key"].as_str().unwrap().to_owned();
        let server = place.serve_with(&[], &[("TURNKIT_AUTH__MODE", mode)]).await;
        assert_eq!(place.run(&["chat", "my name is Ada"]).await.code, Some(1));

        let listed = server.client().with_key(&key).get("/api/v1/providers").await.unwrap().json();
        let frozen = &listed["data"][0]["frozen"];
        assert_eq!(listed.to_string().contains(QUOTED), told, "{mode}: {listed}");
        assert_eq!(frozen["code"] == "provider_overloaded", told, "{mode}: {listed}");
        assert_eq!(frozen["message"].is_string(), told, "{mode}: {listed}");

        let operators = place.run(&["providers", "ls"]).await.stdout;
        assert!(operators.contains(QUOTED), "{mode}: {operators}");
    }
}

#[tokio::test]
async fn without_a_server_providers_are_listed_as_they_are_configured() {
    let place = Place::new();
    let listed = place.run(&["providers", "ls"]).await;
    assert!(listed.stdout.starts_with("offline  ready"), "{listed:?}");
    assert_eq!(place.run(&["providers", "thaw", "offline"]).await.code, Some(0));
    assert!(!place.has_data(), "looking makes nothing");
}

#[tokio::test]
async fn the_configuration_on_the_page_about_failures_is_accepted_as_it_is() {
    let page = include_str!("../../../../docs/failures.md");
    let place = Place::new();
    place.write("turnkit.toml", page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap());
    let keys = [("OPENAI_API_KEY", "secret"), ("ANTHROPIC_API_KEY", "secret")];
    let listed = outcome(place.command(&["providers", "ls"]).envs(keys).spawn().unwrap()).await;
    let lines: Vec<&str> = listed.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{listed:?}");
    for (line, begins) in
        lines.iter().zip(["first  ready  gpt-5-mini,gpt-5  running 0/50", "second  ready", "here  ready"])
    {
        assert!(line.starts_with(begins), "{listed:?}");
    }
    let _server = place.serve_with(&[], &keys).await;
}
