//! Tests of recordings that operators read and replay.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use turnkit_core::ports::{
    BoxFuture, ExchangeEnd, ExchangeList, ExchangePage, RecordedExchange, RecordedText, RecordedTurn, RecordedTurnPage,
    RecordingDirectory, RecordingError, ReplayDifference, ReplayReport,
};
use turnkit_core::{AnsweringModel, Scope, Timestamp, TurnId};
use turnkit_testkit::Reply;

use crate::client::Client;
use crate::running::{Running, Setup};

const UNKNOWN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7aff";

/// Recordings of turns that the test names: each with three exchanges.
#[derive(Clone, Default)]
pub(crate) struct Recordings {
    turns: Arc<Mutex<Vec<TurnId>>>,
    /// The result of the next replay.
    replays: Arc<Mutex<Vec<Result<ReplayReport, RecordingError>>>>,
    /// Whose turns were replayed.
    replayed: Arc<Mutex<Vec<(Scope, TurnId)>>>,
}

impl Recordings {
    fn add(&self, turn: &str) {
        let mut turns = self.turns.lock().unwrap();
        turns.push(turn.parse().unwrap());
        turns.sort();
    }
}

fn model() -> AnsweringModel {
    AnsweringModel { provider: "main".into(), model: "small".into() }
}

/// Returns the exchanges of a turn: one that failed before a response, one with a large body, one that was dropped.
fn exchange(number: usize, body_bytes: u64) -> RecordedExchange {
    let text = |text: &str| {
        let shown = text.len().min(usize::try_from(body_bytes).unwrap());
        RecordedText { text: text[..shown].to_owned(), bytes: text.len() as u64, is_cut: shown < text.len() }
    };
    let (ended, status, response) = match number {
        1 => {
            let (code, message) = ("provider_timeout".to_owned(), "no answer in 30 s".to_owned());
            (ExchangeEnd::Failed { code, message }, None, None)
        }
        2 => (ExchangeEnd::Complete, Some(200), Some(text(&"a".repeat(100_000)))),
        _ => (ExchangeEnd::Aborted, Some(200), Some(text("data: "))),
    };
    RecordedExchange {
        number,
        step: 1,
        attempt: u16::try_from(number).unwrap(),
        model: model(),
        api: "openai-chat",
        url: "https://llm.example/v1".to_owned(),
        began_at: Some(Timestamp::from_millis(0)),
        ended_at: Some(Timestamp::from_millis(1_500)),
        status,
        headers: BTreeMap::from([("x-request-id".to_owned(), "r1".to_owned())]),
        ended,
        masked: 8,
        request: text("{}"),
        response,
    }
}

impl RecordingDirectory for Recordings {
    fn recorded_turns(&self, page: RecordedTurnPage) -> BoxFuture<'_, Result<Vec<RecordedTurn>, RecordingError>> {
        let turns = self.turns.lock().unwrap().clone();
        let newest_first = turns.into_iter().rev().filter(|turn| page.accepts(*turn)).take(page.limit);
        let described = |turn| RecordedTurn { turn, exchanges: 3, models: vec![model()], began_at: None };
        let found = newest_first.map(described).collect();
        Box::pin(async move { Ok(found) })
    }

    fn exchanges(&self, turn: TurnId, page: ExchangePage) -> BoxFuture<'_, Result<ExchangeList, RecordingError>> {
        let is_recorded = self.turns.lock().unwrap().contains(&turn);
        Box::pin(async move {
            if !is_recorded {
                return Ok(ExchangeList::default());
            }
            let exchanges = (1..=3).skip(page.skip).take(page.limit).map(|number| exchange(number, page.body_bytes));
            Ok(ExchangeList { exchanges: exchanges.collect(), unreadable: Vec::new(), total: 3 })
        })
    }

    fn replay<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<ReplayReport, RecordingError>> {
        Box::pin(async move {
            self.replayed.lock().unwrap().push((scope.clone(), turn));
            self.replays.lock().unwrap().remove(0)
        })
    }
}

/// Starts a server with a turn of ada's that is recorded. Returns its id.
async fn recorded() -> (Running, Recordings, Client, String) {
    let recordings = Recordings::default();
    let server = Setup::always(Reply::text("Hello")).recordings(recordings.clone()).locked().run().await;
    let ada = server.user("ada").await;
    let (turn, _) = ada.run_turn(None, "Say hello").await;
    recordings.add(&turn);
    (server, recordings, ada, turn)
}

/// Returns a client with a key of carol's that has the scope admin.
async fn administrator(server: &Running) -> Client {
    let key = json!({ "name": "a key", "user": "carol", "scopes": ["admin", "read"] });
    let made = server.operator().post("/api/v1/keys", &key).await;
    assert_eq!(made.status, 201, "{}", made.body);
    server.bearer(made.json()["key"].as_str().unwrap())
}

#[tokio::test]
async fn recordings_are_listed_for_operators_with_the_words_of_the_user_they_name() {
    let (server, recordings, ada, turn) = recorded().await;
    recordings.add(UNKNOWN);
    let carol = administrator(&server).await;
    let models = json!([{ "provider": "main", "model": "small" }]);
    let bare = |turn: &str| json!({ "turn_id": turn, "exchanges": 3, "models": models });
    let mut newest_first = [turn.as_str(), UNKNOWN];
    newest_first.sort_unstable_by(|one, other| other.cmp(one));
    for client in [&server.operator(), &carol] {
        let listed = client.get("/api/v1/recordings").await.json();
        assert_eq!(listed, json!({ "data": newest_first.map(bare), "next": null }));
        let listed = client.get("/api/v1/recordings?user=ada").await.json();
        let own = listed["data"].as_array().unwrap().iter().find(|row| row["turn_id"] == turn.as_str()).unwrap();
        assert_eq!((&own["state"], &own["agent"]), (&json!("completed"), &json!("assistant")), "{own}");
        assert_eq!(own["title"], ada.get("/api/v1/sessions").await.json()["data"][0]["title"], "{own}");
    }
    let first = carol.get("/api/v1/recordings?limit=1").await.json();
    assert_eq!(first, json!({ "data": [bare(newest_first[0])], "next": newest_first[0] }));
    let rest = carol.get(&format!("/api/v1/recordings?cursor={}", newest_first[0])).await.json();
    assert_eq!(rest, json!({ "data": [bare(newest_first[1])], "next": null }));
    for (query, data) in [(UNKNOWN, json!([bare(UNKNOWN)])), ("0199a1f0-5d1c-7cc0-9d8e-000000000000", json!([]))] {
        let one = carol.get(&format!("/api/v1/recordings?turn={query}")).await.json();
        assert_eq!(one, json!({ "data": data, "next": null }), "{query}");
    }
}

#[tokio::test]
async fn users_without_the_scope_admin_read_no_recordings_not_even_their_own() {
    let (_server, recordings, ada, turn) = recorded().await;
    for (method, path) in [
        ("GET", "/api/v1/recordings".to_owned()),
        ("GET", format!("/api/v1/recordings/{turn}")),
        ("POST", format!("/api/v1/recordings/{turn}/replay")),
    ] {
        let refused = ada.request(method, &path).send().await;
        assert_eq!((refused.status, refused.code().as_str()), (403, "forbidden"), "{method} {path}");
    }
    assert!(recordings.replayed.lock().unwrap().is_empty());
}

#[tokio::test]
async fn exchanges_are_read_by_the_operator_and_by_administrators_who_name_the_user() {
    let (server, recordings, _ada, turn) = recorded().await;
    recordings.add(UNKNOWN);
    let (carol, operator) = (administrator(&server).await, server.operator());
    for (client, path, status) in [
        (&carol, format!("/api/v1/recordings/{turn}"), 404),
        (&carol, format!("/api/v1/recordings/{turn}?user=bob"), 404),
        (&carol, format!("/api/v1/recordings/{turn}?user=ada"), 200),
        (&carol, format!("/api/v1/recordings/{UNKNOWN}?user=ada"), 404),
        (&operator, format!("/api/v1/recordings/{turn}"), 200),
        (&operator, format!("/api/v1/recordings/{UNKNOWN}"), 200),
        (&operator, "/api/v1/recordings/0199a1f0-5d1c-7cc0-9d8e-000000000000".to_owned(), 404),
        (&operator, "/api/v1/recordings/no-id".to_owned(), 404),
    ] {
        assert_eq!(client.get(&path).await.status, status, "{path}");
    }
    let shown = carol.get(&format!("/api/v1/recordings/{turn}?user=ada")).await.json();
    assert_eq!((&shown["turn_id"], &shown["state"], &shown["next"]), (&json!(turn), &json!("completed"), &Value::Null));
    assert_eq!(
        shown["data"][0],
        json!({
            "number": 1, "step": 1, "attempt": 1, "provider": "main", "model": "small", "api": "openai-chat",
            "url": "https://llm.example/v1", "began_at": "1970-01-01T00:00:00.000Z",
            "ended_at": "1970-01-01T00:00:01.500Z", "headers": { "x-request-id": "r1" }, "ended": "failed",
            "failure": { "code": "provider_timeout", "message": "no answer in 30 s" }, "masked": 8,
            "request": { "text": "{}", "bytes": 2 },
        })
    );
    let ends: Vec<&Value> = shown["data"].as_array().unwrap().iter().map(|exchange| &exchange["ended"]).collect();
    assert_eq!(ends, ["failed", "whole", "dropped"]);
}

#[tokio::test]
async fn a_long_body_is_cut_and_whole_on_request() {
    let (server, _recordings, _ada, turn) = recorded().await;
    let operator = server.operator();
    let path = |query: &str| format!("/api/v1/recordings/{turn}{query}");
    let cut = operator.get(&path("")).await.json()["data"][1]["response"].clone();
    assert_eq!(
        (cut["text"].as_str().unwrap().len(), &cut["bytes"], &cut["more"]),
        (65_536, &json!(100_000), &json!(true))
    );
    let page = operator.get(&path("?whole=1&cursor=1")).await.json();
    let whole = &page["data"][0]["response"];
    assert_eq!((whole["text"].as_str().unwrap().len(), &whole["bytes"]), (100_000, &json!(100_000)));
    assert!(whole.get("more").is_none());
    assert_eq!((page["data"].as_array().unwrap().len(), &page["next"]), (1, &json!("2")));
    for (query, status) in [("?whole=2", 422), ("?cursor=3", 200), ("?cursor=4", 404), ("?cursor=0", 404)] {
        assert_eq!(operator.get(&path(query)).await.status, status, "{query}");
    }
}

#[tokio::test]
async fn a_turn_is_replayed_for_its_user_and_the_first_difference_is_shown() {
    let (server, recordings, _ada, turn) = recorded().await;
    let carol = administrator(&server).await;
    let same = ReplayReport { stored_events: 5, replayed_events: 5, ..ReplayReport::default() };
    let difference = ReplayDifference {
        event: Some(3),
        message: None,
        kind: Some("part.delta"),
        at: "/delta".to_owned(),
        stored: Some(json!("Hello")),
        replayed: None,
    };
    let requests = vec![((1, 1), "/model".to_owned())];
    let different = ReplayReport { difference: Some(difference), missing: vec![(2, 1)], requests, ..same.clone() };
    *recordings.replays.lock().unwrap() = vec![Ok(same), Ok(different)];
    let path = format!("/api/v1/recordings/{turn}/replay?user=ada");
    let replay = async || carol.request("POST", &path).send().await.json();
    assert_eq!(
        replay().await,
        json!({
            "turn_id": turn, "same": true, "events": { "stored": 5, "replayed": 5 }, "difference": null,
            "missing": [], "requests": [],
        })
    );
    assert_eq!(
        replay().await,
        json!({
            "turn_id": turn, "same": false, "events": { "stored": 5, "replayed": 5 },
            "difference": { "event": 3, "kind": "part.delta", "at": "/delta", "stored": "Hello", "replayed": null },
            "missing": [{ "step": 2, "attempt": 1 }],
            "requests": [{ "step": 1, "attempt": 1, "at": "/model" }],
        })
    );
    let of_ada: (Scope, TurnId) = (Scope::new("local", "ada"), turn.parse().unwrap());
    assert_eq!(*recordings.replayed.lock().unwrap(), [of_ada.clone(), of_ada]);
}

#[tokio::test]
async fn a_turn_that_cannot_be_replayed_says_why() {
    let (server, recordings, _ada, turn) = recorded().await;
    let operator = server.operator();
    let why = "the log of the turn is gone".to_owned();
    *recordings.replays.lock().unwrap() = vec![Err(RecordingError::NotReplayable(why.clone()))];
    let refused = operator.request("POST", &format!("/api/v1/recordings/{turn}/replay?user=ada")).send().await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"));
    assert_eq!(refused.json()["error"]["message"], json!(why));
    let of_another = operator.request("POST", &format!("/api/v1/recordings/{turn}/replay")).send().await;
    assert_eq!(of_another.status, 404, "the turn is ada's");
}

#[tokio::test]
async fn without_recordings_the_list_names_the_way_to_turn_them_on() {
    let server = Setup::always(Reply::text("Hello")).run().await;
    for (method, path) in [
        ("GET", "/api/v1/recordings".to_owned()),
        ("GET", format!("/api/v1/recordings/{UNKNOWN}")),
        ("POST", format!("/api/v1/recordings/{UNKNOWN}/replay")),
    ] {
        let refused = server.operator().request(method, &path).send().await;
        assert_eq!((refused.status, refused.code().as_str()), (404, "not_found"), "{path}");
        assert!(refused.body.contains("TURNKIT_RECORD"), "{}", refused.body);
    }
}
