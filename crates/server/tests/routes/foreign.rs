//! Another owner's things answer exactly as those that do not exist, wherever an id is taken.

use serde_json::{Value, json};
use turnkit_testkit::Reply;

use crate::client::{Client, Reply as Answer};
use crate::document::{document, operations};
use crate::running::Setup;

const UNKNOWN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";

/// What one user has.
struct Things {
    turn: String,
    session: String,
    message: String,
}

/// An answer without what differs between any two requests.
fn told(answer: &Answer) -> (u16, Value, Vec<String>) {
    let mut body = answer.json();
    body["error"]["request_id"] = Value::Null;
    let names = answer.headers.keys().filter(|name| !matches!(name.as_str(), "date" | "content-length"));
    (answer.status, body, names.map(ToString::to_string).collect())
}

/// Asks with each id and wants the same answer for all.
async fn same(client: &Client, place: &str, ids: [&str; 3], request: impl AsyncFn(&Client, &str) -> Answer) {
    let answers = [request(client, ids[0]).await, request(client, ids[1]).await, request(client, ids[2]).await];
    assert_eq!(answers[0].status, 404, "{place}: {}", answers[0].body);
    for (answer, id) in answers.iter().zip(ids) {
        assert_eq!(told(answer), told(&answers[0]), "{place} with {id}");
        assert!(!answer.body.contains(id), "{place} repeats the id");
    }
}

async fn server_with_things() -> (crate::running::Running, Client, Client, Things) {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (turn, session) = ada.said(None, "Hello").await;
    ada.said(Some(&session), "Again").await;
    bob.said(None, "Hello").await;
    let things = Things { turn, session, message: "secret".to_owned() };
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
            // For the operator alone, whoever asks.
            Some("keys" | "providers") => {
                let refused = bob.request(method, &path.replace("{id}", UNKNOWN)).send().await;
                assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{method} {path}");
                continue;
            }
            _ => panic!("say whose id is in {path}"),
        };
        let body = operation.pointer("/requestBody/content/application~1json/example").cloned();
        same(&bob, &format!("{method} {path}"), [theirs, UNKNOWN, "no-id"], async |client, id| {
            let request = client.request(method, &path.replace("{id}", id));
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
async fn a_report_of_usage_is_about_whoever_asks_and_the_operators_about_everybody() {
    let (server, ada, bob, _) = server_with_things().await;
    let (adas, bobs) = (("ada", 2), ("bob", 1));
    for (client, rows) in [(&ada, &[adas][..]), (&bob, &[bobs]), (&server.operator(), &[adas, bobs])] {
        let report = client.get("/api/v1/usage?by=user").await.json();
        let told = report["data"].as_array().unwrap().iter();
        let told: Vec<_> = told.map(|row| (row["user"].as_str().unwrap(), row["calls"].as_u64().unwrap())).collect();
        assert_eq!(told, rows);
        assert_eq!(report["total"]["calls"], rows.iter().map(|row| row.1).sum::<u64>());
    }
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
                // A list of at most one, which is the caller's own like every list.
                ("/api/v1/sessions", "name") => continue,
                // A place in the session that the path names.
                ("/api/v1/sessions/{id}/messages", "cursor") | (_, "after") => continue,
                // For the operator only.
                ("/api/v1/keys", _) => continue,
                // Everyone may see who answers.
                ("/api/v1/providers", "cursor") => continue,
                (_, "limit" | "state" | "ext" | "dialect") => continue,
                // Days, and what rows are about.
                ("/api/v1/usage", "from" | "to" | "by") => continue,
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
async fn every_body_that_takes_an_id_keeps_it_from_others() {
    let (_server, _ada, bob, things) = server_with_things().await;
    let (mine, session) = bob.said(None, "Mine").await;
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
    for path in ["/api/v1/turns", "/api/v1/sessions"] {
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
