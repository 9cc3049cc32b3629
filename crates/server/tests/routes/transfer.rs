//! Tests of exporting and importing sessions.

use serde_json::{Value, json};
use turnkit_testkit::Reply;

use crate::client::{Client, Reply as Answer};
use crate::running::Setup;

async fn export(client: &Client, session: &str, query: &str) -> Answer {
    client.get(&format!("/api/v1/sessions/{session}/export{query}")).await
}

async fn import(client: &Client, lines: impl Into<Vec<u8>>) -> Answer {
    client.request("POST", "/api/v1/sessions/import").body(lines).send().await
}

#[tokio::test]
async fn an_exported_session_is_imported_as_the_callers_own() {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (_, session) = ada.run_turn(None, "Hello").await;
    let lines = export(&ada, &session, "").await;
    assert_eq!((lines.status, lines.header("content-type")), (200, "application/jsonl"));
    assert_eq!(lines.header("content-disposition"), format!("attachment; filename=\"session-{session}.jsonl\""));
    let last: Value = serde_json::from_str(lines.body.lines().last().unwrap()).unwrap();
    assert_eq!(last, json!({ "type": "end", "lines": lines.body.lines().count() - 1 }));

    for client in [&ada, &bob] {
        let made = import(client, lines.body.clone()).await;
        assert_eq!(made.status, 201, "{}", made.body);
        let id = made.json()["id"].as_str().unwrap().to_owned();
        assert_ne!(id, session);
        let messages = client.get(&format!("/api/v1/sessions/{id}/messages")).await.json();
        let said: Vec<_> = messages["data"].as_array().unwrap().iter().map(|said| &said["parts"][0]["text"]).collect();
        assert_eq!(said, ["Hello there", "Hello"]);
        let (_, same) = client.run_turn(Some(&id), "Again").await;
        assert_eq!(same, id);
    }
    assert_eq!(export(&bob, &session, "").await.status, 404);
}

#[tokio::test]
async fn markdown_is_for_people_and_another_format_is_refused() {
    let server = Setup::answering([Reply::text("Hello there")]).run().await;
    let (_, session) = server.client.run_turn(None, "Hello").await;
    let shown = export(&server.client, &session, "?format=md").await;
    assert_eq!(shown.header("content-type"), "text/markdown; charset=utf-8");
    assert_eq!(shown.body, "# Hello\n\n## User\n\nHello\n\n## Assistant\n\nHello there\n");
    let refused = export(&server.client, &session, "?format=pdf").await;
    assert_eq!((refused.status, refused.field().as_str()), (422, "format"));
}

#[tokio::test]
async fn an_import_that_is_wrong_is_refused_by_its_line_and_makes_nothing() {
    let server = Setup::answering([Reply::text("Hello there")]).run().await;
    let client = &server.client;
    let (_, session) = client.run_turn(None, "Hello").await;
    let lines = export(client, &session, "").await.body;
    let cut = lines.trim_end().rsplit_once('\n').unwrap().0;
    let refused = import(client, cut).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "invalid_request"), "{}", refused.body);
    assert_eq!(refused.json()["error"]["message"], "line 5: the last line is missing: the export was cut");
    assert_eq!(import(client, "").await.status, 422);
    let encoded = client.request("POST", "/api/v1/sessions/import").header("content-encoding", "gzip").body(cut);
    assert_eq!(encoded.send().await.status, 415);
    assert_eq!(client.get("/api/v1/sessions").await.json()["data"].as_array().unwrap().len(), 1);
}
