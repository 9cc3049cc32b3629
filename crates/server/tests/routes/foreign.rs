//! Tests that the ids of another owner get exactly the same response as unknown ids, in every place that takes an id.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnkit_core::ports::{BoxFuture, Freeze, MissingModel, ProviderDirectory, ProviderStatus};
use turnkit_core::{ModelName, ProviderError, ProviderErrorKind, Timestamp};
use turnkit_testkit::Reply;

use crate::client::{Client, Reply as Answer};
use crate::document::{document, operations};
use crate::recordings::Recordings;
use crate::running::Setup;

const UNKNOWN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";

/// The resources of one user.
struct Things {
    turn: String,
    session: String,
    message: String,
    file: String,
    interaction: String,
}

/// Returns a response without the parts that differ between any two requests.
fn comparable(answer: &Answer) -> (u16, Value, Vec<String>) {
    let mut body = answer.json();
    body["error"]["request_id"] = Value::Null;
    let names = answer.headers.keys().filter(|name| !matches!(name.as_str(), "date" | "content-length"));
    (answer.status, body, names.map(ToString::to_string).collect())
}

/// Sends the request with each id and expects the same response for all.
async fn same(client: &Client, place: &str, ids: [&str; 3], request: impl AsyncFn(&Client, &str) -> Answer) {
    let answers = [request(client, ids[0]).await, request(client, ids[1]).await, request(client, ids[2]).await];
    assert_eq!(answers[0].status, 404, "{place}: {}", answers[0].body);
    for (answer, id) in answers.iter().zip(ids) {
        assert_eq!(comparable(answer), comparable(&answers[0]), "{place} with {id}");
        assert!(!answer.body.contains(id), "{place} repeats the id");
    }
}

async fn server_with_things() -> (crate::running::Running, Client, Client, Things) {
    let server = Setup::always(Reply::text("Hello there")).recordings(Recordings::default()).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (turn, session) = ada.run_turn(None, "Hello").await;
    ada.run_turn(Some(&session), "Again").await;
    bob.run_turn(None, "Hello").await;
    let file = ada.upload("secret.txt", "secret").await.json()["id"].as_str().unwrap().to_owned();
    let interaction = format!("{turn}.1.0.0");
    let things = Things { turn, session, message: "secret".to_owned(), file, interaction };
    (server, ada, bob, things)
}

#[tokio::test]
async fn every_route_with_an_id_in_its_path_keeps_it_from_others() {
    let (_server, ada, bob, things) = server_with_things().await;
    let document = document();
    let mut asked = 0;
    for (method, path, operation) in operations(&document) {
        if !path.contains('{') {
            continue;
        }
        let theirs = match path.split('/').nth(3) {
            Some("turns") => &things.turn,
            Some("sessions") => &things.session,
            Some("blobs") => &things.file,
            // The id of an interaction begins with that of its turn. Tests of interactions use one that exists.
            Some("interactions") => &things.interaction,
            // Tests of grants use one that exists.
            Some("grants") => &things.session,
            // Only the operator may use these, whatever the id.
            Some("keys" | "mcp" | "providers" | "recordings") => {
                let refused = bob.request(method, &path.replace("{id}", UNKNOWN)).send().await;
                assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{method} {path}");
                continue;
            }
            _ => panic!("say whose id is in {path}"),
        };
        let body = operation.pointer("/requestBody/content/application~1json/example").cloned();
        same(&bob, &format!("{method} {path}"), [theirs, UNKNOWN, "no-id"], async |client, id| {
            let request = client.request(method, &path.replace("{id}", id).replace("{part_id}", "1.0"));
            match &body {
                Some(body) => request.json(body).send().await,
                None => request.send().await,
            }
        })
        .await;
        asked += 1;
    }
    assert!(asked >= 9, "only {asked} routes were asked");
    assert_eq!(ada.get(&format!("/api/v1/sessions/{}", things.session)).await.json()["turns"], 2, "nothing was done");
}

#[tokio::test]
async fn a_usage_report_covers_the_caller_and_for_the_operator_all_users() {
    let (server, ada, bob, _) = server_with_things().await;
    let (adas, bobs) = (("ada", 2), ("bob", 1));
    for (client, rows) in [(&ada, &[adas][..]), (&bob, &[bobs]), (&server.operator(), &[adas, bobs])] {
        let report = client.get("/api/v1/usage?by=user").await.json();
        let rows_shown = report["data"].as_array().unwrap().iter();
        let rows_shown: Vec<_> =
            rows_shown.map(|row| (row["user"].as_str().unwrap(), row["calls"].as_u64().unwrap())).collect();
        assert_eq!(rows_shown, rows);
        assert_eq!(report["total"]["calls"], rows.iter().map(|row| row.1).sum::<u64>());
    }
}

#[tokio::test]
async fn who_oversees_others_sees_numbers_and_times_of_their_turns_and_no_words() {
    let (server, ada, bob, things) = server_with_things().await;
    let (turn, operator) = (&things.turn, server.operator());
    for path in ["/api/v1/turns".to_owned(), format!("/api/v1/turns/{turn}"), format!("/api/v1/turns/{turn}/trace")] {
        let (own, seen) = (ada.get(&path).await, operator.get(&format!("{path}?user=ada")).await);
        assert_eq!(seen.status, 200, "{path}: {}", seen.body);
        let (mut own, seen) = (own.json(), seen.json());
        if let Some(turns) = own.get_mut("data").and_then(Value::as_array_mut) {
            turns.iter_mut().for_each(|turn| turn["title"] = json!(""));
        }
        assert_eq!(seen, own, "{path}");
        let refused = bob.get(&format!("{path}?user=ada")).await;
        assert_eq!((refused.status, refused.code()), (403, "forbidden".to_owned()), "{path}");
    }
    // Routes that show words take no user.
    assert_eq!(operator.get(&format!("/api/v1/turns/{turn}")).await.status, 404);
    assert_eq!(operator.get(&format!("/api/v1/turns/{turn}/events?user=ada")).await.status, 422);
}

#[tokio::test]
async fn every_parameter_that_takes_an_id_keeps_it_from_others() {
    let (_server, ada, bob, things) = server_with_things().await;
    let document = document();
    for (method, path, operation) in operations(&document) {
        for parameter in operation["parameters"].as_array().into_iter().flatten().filter(|it| it["in"] == "query") {
            let theirs = match (path, parameter["name"].as_str().unwrap()) {
                ("/api/v1/turns", "session") => &things.session,
                ("/api/v1/turns", "cursor") => &things.turn,
                ("/api/v1/sessions", "cursor") => &things.session,
                ("/api/v1/interactions", "session") => &things.session,
                ("/api/v1/interactions", "turn") => &things.turn,
                ("/api/v1/interactions", "cursor") => &things.interaction,
                // Tests of grants use one that exists.
                ("/api/v1/grants", "cursor") => continue,
                // These only select from the caller's own resources.
                ("/api/v1/sessions", "name" | "q" | "archived") => continue,
                // The name of a file is not an id.
                ("/api/v1/files", "name") => continue,
                // Words, and a position in the session that the path names.
                ("/api/v1/sessions/{id}/search", "q" | "cursor") => continue,
                ("/api/v1/sessions/{id}/messages", "cursor") | (_, "after" | "before" | "around") => continue,
                // Conditions on the caller's own turns, which are not ids.
                ("/api/v1/turns", "agent" | "provider" | "model" | "error" | "from" | "to") => continue,
                // For the operator only.
                (path, _) if path.starts_with("/api/v1/recordings") => continue,
                // Another test reads turns of others.
                ("/api/v1/turns/{id}" | "/api/v1/turns/{id}/trace", "user") => continue,
                // Rejected for every user.
                (_, "user") => {
                    for user in ["ada", "bob", "nobody"] {
                        let refused = bob.get(&format!("{path}?user={user}")).await;
                        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{path} {user}");
                    }
                    continue;
                }
                // For the operator only.
                ("/api/v1/keys" | "/api/v1/mcp", _) => continue,
                // Every user may see which providers and models a route may name.
                ("/api/v1/providers" | "/api/v1/models", "cursor") => continue,
                // Names of agents and tools, which are not those of a user.
                ("/api/v1/agents", "cursor") | ("/api/v1/tools", "agent" | "cursor") => continue,
                (_, "limit" | "state" | "ext" | "dialect" | "context" | "view") => continue,
                // Days and dimensions are not ids.
                ("/api/v1/usage", "from" | "to" | "by") => continue,
                (_, "format") => continue,
                (_, name) => panic!("say whose ids {name} takes in {path}"),
            };
            let name = parameter["name"].as_str().unwrap();
            let place = format!("{method} {path}?{name}=");
            same(&bob, &place, [theirs, UNKNOWN, "no-id"], async |client, id| {
                client.get(&format!("{path}?{name}={id}")).await
            })
            .await;
            assert_eq!(ada.get(&format!("{path}?{name}={theirs}")).await.status, 200, "{place}");
        }
    }
}

#[tokio::test]
async fn a_place_among_the_turns_of_a_session_keeps_ids_of_other_sessions() {
    let (_server, _ada, bob, things) = server_with_things().await;
    let (_, session) = bob.run_turn(None, "Mine").await;
    let (elsewhere, _) = bob.run_turn(None, "Elsewhere").await;
    for name in ["before", "after", "around"] {
        same(&bob, name, [&things.turn, UNKNOWN, &elsewhere], async |client, id| {
            client.get(&format!("/api/v1/sessions/{session}/turns?{name}={id}")).await
        })
        .await;
    }
}

#[tokio::test]
async fn every_body_that_takes_an_id_keeps_it_from_others() {
    let (_server, _ada, bob, things) = server_with_things().await;
    let (mine, session) = bob.run_turn(None, "Mine").await;
    assert_ne!(mine, things.turn);
    same(&bob, "session_id", [&things.session, UNKNOWN, "no-id"], async |client, id| {
        client.post("/api/v1/turns", &json!({ "message": &things.message, "session_id": id })).await
    })
    .await;
    same(&bob, "after", [&things.turn, UNKNOWN, "no-id"], async |client, id| {
        client.post(&format!("/api/v1/sessions/{session}/fork"), &json!({ "after": id })).await
    })
    .await;
}

#[tokio::test]
async fn a_protocol_that_makes_sessions_makes_one_of_the_callers_own() {
    let (_server, ada, bob, things) = server_with_things().await;
    for (path, field) in [("/chat", "session_id"), ("/chat/stream", "sessionId")] {
        let body = json!({ field: things.session, "message": "Hello" });
        let turn = bob.request("POST", path).json(&body).events().await.header("x-turn-id").to_owned();
        let made = bob.get(&format!("/api/v1/turns/{turn}")).await.json();
        assert_ne!(made["session_id"], json!(things.session), "{path}");
    }
    assert_eq!(ada.get(&format!("/api/v1/sessions/{}", things.session)).await.json()["turns"], 2);
}

#[tokio::test]
async fn lists_are_the_callers_own() {
    let (_server, ada, bob, things) = server_with_things().await;
    for path in ["/api/v1/turns", "/api/v1/sessions", "/api/v1/sessions?q=hello"] {
        assert!(ada.get(path).await.body.contains(&things.session));
        assert!(!bob.get(path).await.body.contains(&things.session));
    }
}

#[tokio::test]
async fn a_name_finds_a_session_of_the_callers_own() {
    let (_server, ada, bob, things) = server_with_things().await;
    let named = ada.request("PATCH", &format!("/api/v1/sessions/{}", things.session));
    assert_eq!(named.json(&json!({ "name": "trip" })).send().await.status, 200);
    for (client, found) in [(&ada, 1), (&bob, 0)] {
        let list = client.get("/api/v1/sessions?name=trip").await.json();
        assert_eq!(list["data"].as_array().unwrap().len(), found);
    }
}

#[tokio::test]
async fn the_operator_lists_the_turns_and_sessions_of_a_user() {
    let (server, ada, _bob, things) = server_with_things().await;
    let operator = server.operator();
    let noted = json!({ "metadata": { "note": "a secret" } });
    let patch = ada.request("PATCH", &format!("/api/v1/sessions/{}", things.session)).json(&noted).send().await;
    assert_eq!(patch.status, 200, "{}", patch.body);
    for path in ["/api/v1/turns", "/api/v1/sessions"] {
        let own = ada.get(path).await.json();
        let ids = |list: &Value| -> Vec<String> {
            list["data"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
        };
        assert!(!ids(&own).is_empty());
        let asked = operator.get(&format!("{path}?user=ada")).await.json();
        let mut without_words = own.clone();
        for item in without_words["data"].as_array_mut().unwrap() {
            assert_ne!(item["title"], "", "{path}");
            item["title"] = json!("");
            if path == "/api/v1/sessions" {
                assert_eq!(item["metadata"], json!({ "note": "a secret" }));
                item["metadata"] = json!({});
            }
        }
        assert_eq!(asked, without_words, "{path}");
        assert_eq!(ids(&operator.get(path).await.json()), Vec::<String>::new(), "{path}: the operator's own");
        assert_eq!(ids(&operator.get(&format!("{path}?user=nobody")).await.json()), Vec::<String>::new(), "{path}");
        let page = operator.get(&format!("{path}?user=ada&limit=1")).await.json();
        assert_eq!(ids(&page), ids(&own)[..1], "{path}");
    }
    let searched = operator.get("/api/v1/sessions?user=ada&q=hello").await;
    assert_eq!((searched.status, searched.field()), (422, "q".to_owned()));
    let of_session = operator.get(&format!("/api/v1/turns?user=ada&session={}", things.session)).await.json();
    assert_eq!(of_session["data"].as_array().unwrap().len(), 2);
    let of_another = operator.get(&format!("/api/v1/turns?user=bob&session={}", things.session)).await;
    assert_eq!(of_another.status, 404, "a session of ada's is none of bob's");
}

#[tokio::test]
async fn a_cursor_of_no_such_list_is_refused_in_the_same_way_by_every_list() {
    let (server, ada, _bob, things) = server_with_things().await;
    let operator = server.operator();
    let document = document();
    let lists = operations(&document).into_iter().filter(|(_, _, operation)| {
        operation["parameters"].as_array().into_iter().flatten().any(|parameter| parameter["name"] == "cursor")
    });
    let mut asked = 0;
    for (_, path, _) in lists {
        let is_for_operators = ["keys", "mcp", "recordings"].iter().any(|resource| path.contains(resource));
        let client = if is_for_operators { &operator } else { &ada };
        let path = path.replace("{id}", &things.session);
        for cursor in ["", "no-cursor", "1-", "%00", UNKNOWN] {
            let refused = client.get(&format!("{path}?cursor={cursor}")).await;
            let rows_shown = (refused.status, refused.code(), refused.json()["error"]["message"].clone());
            assert_eq!(rows_shown, (404, "not_found".to_owned(), json!("not found")), "{path} {cursor}");
        }
        asked += 1;
    }
    assert_eq!(
        asked, 14,
        "sessions, their messages, their turns with words, turns, interactions, grants, keys, providers, MCP servers, \
         recordings, their exchanges, agents, models and tools"
    );
}

/// Two providers: one with all fields that an operator sees, and one that is idle.
pub(crate) struct TwoProviders;

impl ProviderDirectory for TwoProviders {
    fn providers(&self) -> Vec<ProviderStatus> {
        let model = |name: &str| ModelName(name.into());
        let idle = ProviderStatus {
            id: "second".into(),
            models: Vec::new(),
            tags: Vec::new(),
            frozen: None,
            missing: Vec::new(),
            running: 0,
            waiting: 0,
            max_concurrency: None,
            calls: 0,
            failures: 0,
        };
        let frozen = Freeze {
            kind: ProviderErrorKind::Auth,
            message: "the key ends in 1234".to_owned(),
            since: Timestamp::from_millis(1),
            until: None,
            failures: 1,
        };
        let first = ProviderStatus {
            id: "first".into(),
            models: vec![model("large"), model("small")],
            tags: vec!["fast".into()],
            frozen: Some(frozen),
            missing: vec![MissingModel { model: model("small"), until: Timestamp::from_millis(2) }],
            running: 3,
            waiting: 4,
            max_concurrency: Some(5),
            calls: 6,
            failures: 7,
        };
        vec![first, idle]
    }

    fn thaw<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>> {
        Box::pin(async move { (id == "first").then_some(Ok(())) })
    }
}

#[tokio::test]
async fn a_users_key_lists_only_the_routable_names_of_providers() {
    let server = Setup::always(Reply::text("Hello")).providers(TwoProviders).locked().run().await;
    let (bob, operator) = (server.user("bob").await, server.operator());
    let (first, second) = (
        json!({ "id": "first", "models": ["large", "small"], "tags": ["fast"] }),
        json!({ "id": "second", "models": [], "tags": [] }),
    );
    for (path, data, next) in [
        ("/api/v1/providers", json!([first, second]), Value::Null),
        ("/api/v1/providers?limit=1", json!([first]), json!("first")),
        ("/api/v1/providers?cursor=first", json!([second]), Value::Null),
    ] {
        assert_eq!(bob.get(path).await.json(), json!({ "data": data, "next": next }), "{path}");
    }
    let whole = json!([
        {
            "id": "first", "models": ["large", "small"], "tags": ["fast"],
            "state": "frozen", "running": 3, "waiting": 4, "max_concurrency": 5, "calls": 6, "failures": 7,
            "frozen": {
                "code": "provider_auth", "message": "the key ends in 1234",
                "since": "1970-01-01T00:00:00.001Z", "failures": 1,
            },
            "missing": [{ "model": "small", "until": "1970-01-01T00:00:00.002Z" }],
        },
        {
            "id": "second", "models": [], "tags": [],
            "state": "ready", "running": 0, "waiting": 0, "calls": 0, "failures": 0,
        },
    ]);
    assert_eq!(operator.get("/api/v1/providers").await.json()["data"], whole);

    let thaw = "/api/v1/providers/first/thaw";
    let refused = bob.request("POST", thaw).send().await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"));
    let thawed = operator.request("POST", thaw).send().await;
    assert_eq!((thawed.status, &thawed.json()), (200, &whole[0]));

    // Without authentication, every caller is the local user, whichever key it sends.
    let open = Setup::always(Reply::text("Hello")).providers(TwoProviders).run().await;
    for client in [&open.client, &open.user("bob").await, &open.operator()] {
        assert_eq!(client.get("/api/v1/providers").await.json()["data"], whole);
    }
}

#[tokio::test]
async fn metrics_of_the_whole_server_are_for_the_operator() {
    let (server, ada, _bob, _) = server_with_things().await;
    let refused = ada.get("/metrics").await;
    assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{}", refused.body);
    assert!(!refused.body.contains("turnkit_"), "{}", refused.body);
    let read = server.operator().get("/metrics").await;
    assert_eq!(read.status, 200);
    assert!(read.body.contains("turnkit_turns_accepted_total 3\n"), "{}", read.body);

    let open = Setup::always(Reply::text("Hello")).run().await;
    for client in [&open.client, &open.user("bob").await, &open.operator()] {
        assert_eq!(client.get("/metrics").await.status, 200, "without authentication");
    }
}

#[tokio::test]
async fn the_document_names_the_operations_that_refuse_a_users_key() {
    let (_server, _ada, bob, _) = server_with_things().await;
    let document = document();
    let mut refused = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let reply = bob.request(method, &path.replace("{id}", UNKNOWN)).send().await;
        if reply.code() == "forbidden" {
            let examples = &operation["responses"]["403"]["content"]["application/json"]["examples"];
            assert!(examples["forbidden"].is_object(), "{method} {path}: {examples}");
            refused.insert(format!("{method} {path}"));
        }
    }
    let expected = [
        "delete /api/v1/keys/{id}",
        "get /api/v1/keys",
        "get /api/v1/mcp",
        "get /api/v1/recordings",
        "get /api/v1/recordings/{id}",
        "get /metrics",
        "post /api/v1/keys",
        "post /api/v1/mcp/{id}/accept",
        "post /api/v1/mcp/{id}/reconnect",
        "post /api/v1/providers/{id}/thaw",
        "post /api/v1/recordings/{id}/replay",
    ];
    assert_eq!(refused, BTreeSet::from(expected.map(str::to_owned)));
}
