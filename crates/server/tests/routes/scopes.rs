//! Tests of access scopes: each route needs one, and a key for some agents starts no turn with others.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use turnkit_core::BusyPolicy;
use turnkit_testkit::{Gate, Reply};

use crate::client::Client;
use crate::document::{document, operations};
use crate::running::{Running, Setup};

const SCOPES: [&str; 5] = ["chat", "read", "decide", "admin", "metrics"];

async fn with_scopes(server: &Running, scopes: &[&str]) -> Client {
    let body = json!({ "name": "a key", "user": "ada", "scopes": scopes });
    let made = server.operator().post("/api/v1/keys", &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    server.bearer(made.json()["key"].as_str().unwrap())
}

/// Returns the scope that the OpenAPI document names for an operation.
fn documented(operation: &Value) -> &str {
    assert_eq!(operation["security"][0]["bearer"], operation["security"][1]["header"]);
    operation["security"][0]["bearer"][0].as_str().unwrap()
}

#[tokio::test]
async fn every_operation_needs_the_one_scope_that_it_documents() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let (mut with, mut without) = (BTreeMap::new(), BTreeMap::new());
    for scope in SCOPES {
        with.insert(scope, with_scopes(&server, &[scope]).await);
        let others: Vec<&str> = SCOPES.into_iter().filter(|other| *other != scope).collect();
        without.insert(scope, with_scopes(&server, &others).await);
    }
    let document = document();
    let mut needed = BTreeMap::new();
    for (method, path, operation) in operations(&document) {
        if operation.get("security").is_none() {
            continue;
        }
        let scope = documented(operation);
        *needed.entry(scope).or_insert(0) += 1;
        let unknown = path.replace("{id}", "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7aff").replace("{part_id}", "1.0");
        let body = operation.pointer("/requestBody/content/application~1json/example");
        let request = |client: &Client| match body {
            Some(body) => client.request(method, &unknown).json(body),
            None => client.request(method, &unknown),
        };
        let refused = request(&without[scope]).send().await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{method} {path} without {scope}");
        assert!(refused.body.contains(&format!("`{scope}`")), "{method} {path}: {}", refused.body);
        let status = request(&with[scope]).events().await.status;
        assert!(status != 403 && status != 401, "{method} {path} with {scope}: {status}");
    }
    assert_eq!(needed.keys().copied().collect::<Vec<_>>(), ["admin", "chat", "decide", "metrics", "read"]);
    assert!(needed["read"] > 10 && needed["chat"] > 8, "{needed:?}");
}

#[tokio::test]
async fn a_scope_is_checked_before_the_body_is_read_and_for_head_as_for_get() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let reader = with_scopes(&server, &["read"]).await;
    let refused = reader.request("POST", "/api/v1/turns").body("no JSON").send().await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"));
    assert_eq!(reader.request("HEAD", "/api/v1/sessions").send().await.status, 200);
    assert_eq!(reader.request("HEAD", "/metrics").send().await.status, 403);
    assert_eq!(reader.request("PUT", "/api/v1/sessions").send().await.status, 405);
    assert_eq!(reader.get("/api/v1/none").await.status, 404);
}

#[tokio::test]
async fn a_key_for_an_agent_starts_turns_with_no_other() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let (ada, restricted) = (server.user("ada").await, with_scopes(&server, &["agent:translator"]).await);
    let foreign = ada.post("/api/v1/turns", &json!({ "message": "Hi", "agent": "assistant" })).await.json();
    let (turn, session) = (foreign["turn_id"].as_str().unwrap(), foreign["session_id"].as_str().unwrap());
    ada.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
    let named = json!({ "message": "Hi", "agent": "assistant" });
    let continued = json!({ "message": "Hi", "session_id": session });
    for (path, body) in [
        ("/api/v1/turns", &named),
        ("/api/v1/turns", &continued),
        ("/api/v1/sessions", &json!({ "agent": "assistant" })),
        (&*format!("/api/v1/turns/{turn}/regenerate"), &json!({})),
        (&*format!("/api/v1/sessions/{session}/compact"), &json!({})),
    ] {
        let refused = restricted.post(path, body).await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{path} {body}: {}", refused.body);
        assert!(refused.body.contains("`agent:assistant`"), "{path} {body}: {}", refused.body);
    }
    let unknown = restricted.post("/api/v1/turns", &json!({ "message": "Hi", "agent": "nobody" })).await;
    assert_eq!(unknown.status, 404, "{}", unknown.body);
    assert!(unknown.body.contains("translator") && !unknown.body.contains("assistant"), "{}", unknown.body);
    assert_eq!(ada.get(&format!("/api/v1/sessions/{session}")).await.json()["turns"], 1, "nothing was started");
}

#[tokio::test]
async fn a_message_of_a_key_for_an_agent_is_queued_instead_of_steering_another() {
    let gate = Gate::new();
    let setup = Setup::always(Reply::new().wait(&gate).say("Hello")).busy(BusyPolicy::Steer);
    let server = setup.locked().run().await;
    let (ada, restricted) = (server.user("ada").await, with_scopes(&server, &["agent:translator"]).await);
    let (_, session) = ada.say(None, "Go").await;
    gate.reached().await;
    let by_default = json!({ "message": "And hurry", "session_id": session, "agent": "translator" });
    let mut explicit = by_default.clone();
    explicit["on_busy"] = json!("steer");
    for (client, body, steering) in [
        (&ada, &by_default, json!(true)),
        (&ada, &explicit, json!(true)),
        (&restricted, &by_default, Value::Null),
        (&restricted, &explicit, Value::Null),
    ] {
        let accepted = client.post("/api/v1/turns", body).await.json();
        let turn = accepted["turn_id"].as_str().unwrap();
        let record = client.get(&format!("/api/v1/turns/{turn}")).await.json();
        assert_eq!((&record["state"], &record["steering"]), (&json!("queued"), &steering), "{body}: {record}");
    }
}

#[tokio::test]
async fn a_key_for_an_agent_stops_no_turn_of_another() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).locked().run().await;
    let (ada, restricted) = (server.user("ada").await, with_scopes(&server, &["agent:translator"]).await);
    let (turn, session) = ada.say(None, "Go").await;
    gate.reached().await;
    let refused = restricted.post(&format!("/api/v1/turns/{turn}/cancel"), &json!({})).await;
    let deleted = restricted.request("DELETE", &format!("/api/v1/sessions/{session}")).send().await;
    for refused in [refused, deleted] {
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{}", refused.body);
        assert!(refused.body.contains("`agent:assistant`"), "{}", refused.body);
    }
    let interrupts = json!({ "message": "No", "session_id": session, "agent": "translator", "on_busy": "interrupt" });
    let queued = restricted.post("/api/v1/turns", &interrupts).await.json()["turn_id"].as_str().unwrap().to_owned();
    let state = async |turn: &str| ada.get(&format!("/api/v1/turns/{turn}")).await.json()["state"].clone();
    assert_eq!((state(&turn).await, state(&queued).await), (json!("running"), json!("queued")));
    // Turns of its own agent are its own to stop.
    let cancelled = restricted.post(&format!("/api/v1/turns/{queued}/cancel"), &json!({})).await;
    assert_eq!((cancelled.status, cancelled.json()["state"].clone()), (202, json!("cancelled")));
    gate.open();
}

#[tokio::test]
async fn a_key_for_an_agent_interrupts_and_steers_turns_of_that_agent() {
    for (on_busy, state) in [("interrupt", "interrupted"), ("steer", "running")] {
        let gate = Gate::new();
        let server = Setup::always(Reply::new().wait(&gate).say("Hello")).locked().run().await;
        let restricted = with_scopes(&server, &["agent:translator"]).await;
        let (turn, session) = restricted.say(None, "Go").await;
        gate.reached().await;
        let body = json!({ "message": "No", "session_id": session, "on_busy": on_busy });
        let next = restricted.post("/api/v1/turns", &body).await.json()["turn_id"].as_str().unwrap().to_owned();
        let record = async |turn: &str| restricted.get(&format!("/api/v1/turns/{turn}")).await.json();
        if on_busy == "interrupt" {
            restricted.follow(&format!("/api/v1/turns/{turn}/events"), None).await.rest().await;
        } else {
            assert_eq!(record(&next).await["steering"], true);
        }
        assert_eq!(record(&turn).await["state"], state, "{on_busy}");
        gate.open();
    }
}

#[tokio::test]
async fn without_a_name_a_key_for_an_agent_gets_that_agent() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let restricted = with_scopes(&server, &["agent:translator"]).await;
    let bodies = [
        ("/api/v1/turns", json!({ "message": "Hi" })),
        ("/chat", json!({ "message": "Hi", "session_id": "one" })),
        ("/chat/stream", json!({ "message": "Hi", "sessionId": "two" })),
    ];
    for (path, body) in bodies {
        let mut events = restricted.request("POST", path).json(&body).events().await;
        assert_eq!(events.status, 200, "{path}");
        let turn = events.header("x-turn-id").to_owned();
        events.rest().await;
        let record = restricted.get(&format!("/api/v1/turns/{turn}")).await.json();
        assert_eq!(record["agent"], "translator", "{path}: {record}");
    }
    let made = restricted.post("/api/v1/sessions", &json!({})).await;
    assert_eq!(made.json()["agent"], "translator", "{}", made.body);
}

#[tokio::test]
async fn a_key_with_admin_makes_keys_that_permit_no_more_agents_than_it_does() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let admin = with_scopes(&server, &["admin"]).await;
    let restricted = with_scopes(&server, &["admin", "agent:translator"]).await;
    for (client, scopes, status) in [
        (&admin, json!([]), 201),
        (&admin, json!(["chat", "admin"]), 201),
        (&admin, json!(["metrics"]), 403),
        (&restricted, json!(["agent:translator"]), 201),
        (&restricted, json!([]), 403),
        (&restricted, json!(["agent:translator", "agent:assistant"]), 403),
        (&admin, json!(["write"]), 422),
    ] {
        let made = client.post("/api/v1/keys", &json!({ "name": "another", "scopes": scopes })).await;
        assert_eq!(made.status, status, "{scopes}: {}", made.body);
    }
    for (client, status) in [(&admin, 403), (&server.operator(), 201)] {
        let made = client.post("/api/v1/keys", &json!({ "name": "another", "user": "local" })).await;
        assert_eq!(made.status, status, "{}", made.body);
    }
    let own = admin.post("/api/v1/keys", &json!({ "name": "another" })).await.json();
    assert_eq!(own["user"], "ada", "without a user, the key is of its creator");
    let listed = admin.get("/api/v1/keys").await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 7, "{listed}");
    let id = listed["data"][0]["id"].as_str().unwrap();
    assert_eq!(admin.request("DELETE", &format!("/api/v1/keys/{id}")).send().await.status, 204);
}
