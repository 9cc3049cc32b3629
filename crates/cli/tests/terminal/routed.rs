//! Turns whose client selects the provider or the model.

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Response};

use crate::two_providers::World;

fn asking(route: &Value) -> Value {
    json!({ "message": "hi", "route": route })
}

#[tokio::test]
async fn the_provider_named_by_the_route_answers() {
    let world = World::of(vec![Response::text("I am a"); 2], vec![Response::text("I am b"); 3], "").await;
    for (route, provider) in [
        (json!({ "provider": "b" }), "b"),
        (json!({ "model": "b-model", "tier": "idle" }), "b"),
        (json!({ "tags": ["b"], "tier": "critical" }), "b"),
        (json!({ "provider": null, "model": null, "tags": null, "tier": "normal" }), "a"),
        (json!({}), "a"),
    ] {
        let (turn, _) = world.start(&asking(&route)).await;
        let events = world.events(&turn).await;
        let started = events.iter().find(|frame| frame.name() == "step.started").unwrap().json();
        assert_eq!((&started["provider"], &started["model"]), (&json!(provider), &json!(format!("{provider}-model"))));
        assert!(events.iter().all(|frame| frame.name() != "notice"), "{route}");
    }
}

#[tokio::test]
async fn a_route_without_a_matching_provider_is_rejected_before_anything_is_stored() {
    let world = World::of(vec![], vec![], "").await;
    for (route, field, there) in [
        (json!({ "provider": "c4n4ry" }), "route.provider", "the providers are a, b"),
        (json!({ "tags": ["a", "c4n4ry"] }), "route.tags", "available tags: a, b"),
        (json!({ "provider": "a", "tags": ["b"] }), "route.tags", "available tags: a"),
        (json!({ "model": "c4n4ry" }), "route.model", "available models: a-model, b-model"),
        (json!({ "provider": "a", "model": "c4n4ry" }), "route.model", "available models: a-model"),
        (json!({ "tags": ["b"], "model": "c4n4ry" }), "route.model", "available models: b-model"),
    ] {
        let refused = world.server.client().post("/api/v1/turns", &[], &asking(&route)).await.unwrap();
        let error = refused.json()["error"].clone();
        assert_eq!((refused.status, &error["code"]), (422, &json!("invalid_request")), "{route} {error}");
        assert_eq!(error["details"]["field"], field, "{route} {error}");
        assert!(error["message"].as_str().unwrap().ends_with(there), "{error}");
        assert!(!error.to_string().contains("c4n4ry"), "{error}");
    }
    let stored = world.server.client().get("/api/v1/turns").await.unwrap().json();
    assert_eq!(stored["data"], json!([]));
}

#[tokio::test]
async fn a_route_must_meet_the_requirements_of_its_agent() {
    for (agents, route, field, there) in [
        ("provider = \"a\"", json!({ "tags": ["b"] }), "route.tags", "available tags: a"),
        ("provider = \"a\"", json!({ "model": "b-model" }), "route.model", "available models: a-model"),
        ("tags = [\"a\"]", json!({ "provider": "b" }), "route.provider", "providers that do: a"),
    ] {
        let world = World::of(vec![], vec![], &format!("route = {{ {agents} }}")).await;
        let refused = world.server.client().post("/api/v1/turns", &[], &asking(&route)).await.unwrap();
        let error = refused.json()["error"].clone();
        assert_eq!((refused.status, &error["details"]["field"]), (422, &json!(field)), "{route} {error}");
        assert!(error["message"].as_str().unwrap().ends_with(there), "{error}");
    }
}

#[tokio::test]
async fn one_key_stands_for_one_route() {
    let world = World::of(vec![Response::text("I am a")], vec![Response::text("I am b")], "").await;
    let post = async |route: Value| {
        let client = world.server.client();
        client.post("/api/v1/turns", &[("idempotency-key", "k")], &asking(&route)).await.unwrap()
    };
    let first = post(json!({ "provider": "b" })).await;
    assert_eq!((first.status, post(json!({ "provider": "b" })).await.json()), (202, first.json()));
    let other = post(json!({ "provider": "a" })).await;
    assert_eq!((other.status, &other.json()["error"]["code"]), (422, &json!("key_reused")));
}

#[tokio::test]
async fn a_repeated_request_returns_its_turn_even_if_its_provider_or_agent_changed() {
    let mut body = asking(&json!({ "provider": "b" }));
    body["agent"] = json!("assistant");
    for (is, becomes) in [("id = \"b\"", "id = \"c\""), ("name = \"assistant\"", "name = \"heir\"")] {
        let mut world = World::of(vec![], vec![Response::text("I am b")], "").await;
        let post = async |world: &World, key: &str| {
            world.server.client().post("/api/v1/turns", &[("idempotency-key", key)], &body).await.unwrap()
        };
        let first = post(&world, "k").await;
        assert_eq!(first.status, 202, "{first:?}");
        let config = std::fs::read_to_string(world.place.path().join("turnkit.toml")).unwrap();
        assert!(config.contains(is));
        world.place.write("turnkit.toml", &config.replace(is, becomes));
        world = world.kill_and_start().await;
        let again = post(&world, "k").await;
        assert_eq!((again.status, again.json()), (202, first.json()), "{becomes}");
        assert!(matches!(post(&world, "another").await.status, 404 | 422), "{becomes}");
    }
}

#[tokio::test]
async fn a_route_outlives_the_wait_for_the_session_and_the_process() {
    let gate = Gate::new();
    let words = || Response::stream().delta(json!({ "content": "so " }));
    let said = || words().finish("stop").usage(10, 5).done();
    let first = Response::stream().wait(&gate).followed_by(said());
    let world = World::of(vec![first], vec![words().hang(), Response::text("I am b")], "").await;
    let (_, session) = world.start(&json!({ "message": "hi" })).await;
    world.a.wait_for(|counts| counts.requests == 1).await;
    let mut body = asking(&json!({ "provider": "b" }));
    body["session_id"] = json!(session);
    let (turn, _) = world.start(&body).await;
    gate.open();
    world.b.wait_for(|counts| counts.requests == 1).await;
    let world = world.kill_and_start().await;
    let ended = world.events(&turn).await.pop().unwrap();
    assert!(ended.data.contains(r#""status":"completed""#) && ended.data.contains("I am b"), "{ended:?}");
    assert_eq!((world.a.counts().requests, world.b.counts().requests), (1, 2));
}
