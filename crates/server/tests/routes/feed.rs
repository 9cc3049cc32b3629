//! Tests of following several sessions in one stream, and of the changes among all sessions of a user.

use serde_json::{Value, json};
use turnkit_engine::TaskTool;
use turnkit_testkit::http::Frame;
use turnkit_testkit::tools::pay;
use turnkit_testkit::{Gate, Ledger, Reply};

use crate::client::{Client, Events};
use crate::running::Setup;

const UNKNOWN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";

/// Follows sessions, each after a cursor.
async fn feed(client: &Client, sessions: &[(&str, Option<&str>)]) -> Events {
    let sessions = sessions.iter().map(|(id, after)| json!({ "id": id, "after": after }));
    let body = json!({ "sessions": sessions.collect::<Value>() });
    client.request("POST", "/api/v1/feed").json(&body).events().await
}

/// Follows the changes among all sessions of the caller.
async fn changes(client: &Client) -> Events {
    client.request("POST", "/api/v1/feed").json(&json!({ "me": true })).events().await
}

async fn new_session(client: &Client, title: &str) -> String {
    let created = client.post("/api/v1/sessions", &json!({ "title": title })).await;
    assert_eq!(created.status, 201, "{}", created.body);
    created.json()["id"].as_str().unwrap().to_owned()
}

async fn delete(client: &Client, session: &str) {
    let deleted = client.request("DELETE", &format!("/api/v1/sessions/{session}")).send().await;
    assert_eq!(deleted.status, 204, "{}", deleted.body);
}

fn session_of(frame: &Frame) -> String {
    frame.json()["session_id"].as_str().unwrap_or_default().to_owned()
}

fn is_of_log(frame: &Frame) -> bool {
    frame.name() != "queue"
}

/// Returns the name and the data of an event.
fn content(frame: &Frame) -> (String, Value) {
    (frame.name().to_owned(), frame.json())
}

/// Returns an event of a session's own stream as the stream of several sessions sends it.
fn shared(frame: &Frame, session: &str) -> (String, Value) {
    let mut data = frame.json();
    data["session_id"] = json!(session);
    if let Some(id) = &frame.id {
        data["cursor"] = json!(id);
    }
    (frame.name().to_owned(), data)
}

/// Reads events until `ends` turns have ended.
async fn until_ended(events: &mut Events, ends: usize) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    while frames.iter().filter(|frame| frame.name() == "turn.ended").count() < ends {
        frames.push(events.next().await.unwrap());
    }
    frames
}

/// Reads up to the next change of this name.
async fn change(events: &mut Events, name: &str) -> Value {
    let frame = events.until(|frame| frame.name() == name).await;
    assert_eq!(frame.id, None, "a change has no cursor");
    frame.json()
}

/// Reads up to the end of the turn that is running in a session.
async fn until_idle(events: &mut Events, session: &str) {
    let is_idle = |frame: &Frame| {
        let data = frame.json();
        frame.name() == "session.changed"
            && data["session_id"] == session
            && data["running"] == false
            && data["session"]["turns"] != 0
    };
    events.until(is_idle).await;
}

#[tokio::test]
async fn one_stream_sends_each_session_the_events_of_its_own_stream() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let client = &server.client;
    let mut sessions = Vec::new();
    for title in ["One", "Two", "Three"] {
        sessions.push(new_session(client, title).await);
    }
    client.run_turn(Some(&sessions[0]), "Before").await;
    let mut own = Vec::new();
    for session in &sessions {
        let mut events = client.follow(&format!("/api/v1/sessions/{session}/events?view=turns"), None).await;
        own.push((vec![events.until(is_of_log).await], events));
    }
    let followed: Vec<_> = sessions.iter().map(|session| (session.as_str(), None)).collect();
    let mut all = feed(client, &followed).await;
    assert_eq!((all.status, all.header("content-type")), (200, "text/event-stream"));
    let mut log = Vec::new();
    for _ in &sessions {
        log.push(all.until(is_of_log).await);
    }
    for session in &sessions {
        for message in ["First", "Second"] {
            client.say(Some(session), message).await;
        }
    }
    log.extend(until_ended(&mut all, 6).await.into_iter().filter(is_of_log));
    assert!(log.iter().all(|frame| frame.id.is_none()), "a cursor of one session would mislead");
    for (session, (mut own, mut events)) in sessions.iter().zip(own) {
        own.extend(until_ended(&mut events, 2).await.into_iter().filter(is_of_log));
        let expected: Vec<_> = own.iter().map(|frame| shared(frame, session)).collect();
        let sent: Vec<&Frame> = log.iter().filter(|frame| session_of(frame) == *session).collect();
        assert_eq!(sent.iter().map(|frame| content(frame)).collect::<Vec<_>>(), expected);
        for frame in sent {
            let start = format!("{{\"session_id\":\"{session}\",\"cursor\":\"");
            assert!(frame.data.starts_with(&start), "{}", frame.data);
            assert_eq!(frame.data.matches("\"cursor\":").count(), 1, "{}", frame.data);
        }
    }
}

#[tokio::test]
async fn each_session_resumes_exactly_after_its_own_cursor_or_with_a_snapshot() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let client = &server.client;
    let sessions = [new_session(client, "One").await, new_session(client, "Two").await];
    let [first, second] = sessions.each_ref().map(String::as_str);
    let mut live = feed(client, &[(first, None), (second, None)]).await;
    let mut frames = Vec::new();
    for _ in &sessions {
        frames.push(live.until(is_of_log).await);
    }
    for session in &sessions {
        client.say(Some(session), "Hello").await;
    }
    frames.extend(until_ended(&mut live, 2).await.into_iter().filter(is_of_log));
    let log = |session: &str| -> Vec<(String, Value)> {
        frames.iter().filter(|frame| session_of(frame) == session).map(content).collect()
    };
    let logs = [log(first), log(second)];
    let cursor = |log: &[(String, Value)], place: usize| log[place].1["cursor"].as_str().unwrap().to_owned();
    for cut in 0..logs[0].len() - 1 {
        let cuts = [cut, logs[1].len() - 2 - cut.min(logs[1].len() - 2)];
        let after = [cursor(&logs[0], cuts[0]), cursor(&logs[1], cuts[1])];
        let mut again = feed(client, &[(first, Some(after[0].as_str())), (second, Some(after[1].as_str()))]).await;
        let rest: Vec<_> = until_ended(&mut again, 2).await.into_iter().filter(is_of_log).collect();
        for ((session, log), cut) in sessions.iter().zip(&logs).zip(cuts) {
            let rest: Vec<_> = rest.iter().filter(|frame| session_of(frame) == *session).map(content).collect();
            assert_eq!(rest, log[cut + 1..], "after {}", cursor(log, cut));
        }
    }
    let known = cursor(&logs[0], 0);
    for unknown in ["77-1-3", "1-9-1", "no cursor"] {
        let mut again = feed(client, &[(first, Some(known.as_str())), (second, Some(unknown))]).await;
        let resync = again.until(|frame| session_of(frame) == second && is_of_log(frame)).await;
        assert_eq!((resync.name(), &resync.json()["turns"]["turns"]), ("resync", &json!(1)), "{unknown}");
    }
}

#[tokio::test]
async fn a_session_that_is_unknown_or_of_another_user_is_removed_and_the_others_go_on() {
    let server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (own, foreign) = (new_session(&ada, "Own").await, new_session(&bob, "Foreign").await);
    let followed = [(foreign.as_str(), None), (UNKNOWN, Some("1-1-1")), (own.as_str(), None)];
    let mut events = feed(&ada, &followed).await;
    for (name, session) in [("session.removed", &*foreign), ("session.removed", UNKNOWN), ("resync", &*own)] {
        let frame = events.until(is_of_log).await;
        assert_eq!((frame.name(), session_of(&frame)), (name, session.to_owned()));
        assert!(name == "resync" || frame.data == format!("{{\"session_id\":\"{session}\"}}"), "{}", frame.data);
    }
    bob.run_turn(Some(&foreign), "Secret").await;
    ada.say(Some(&own), "Hello").await;
    assert!(until_ended(&mut events, 1).await.iter().all(|frame| session_of(frame) == own));
}

#[tokio::test]
async fn a_session_that_is_deleted_leaves_the_stream_which_ends_with_the_last() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let client = &server.client;
    let (first, second) = (new_session(client, "One").await, new_session(client, "Two").await);
    let mut events = feed(client, &[(first.as_str(), None), (second.as_str(), None)]).await;
    delete(client, &first).await;
    let removed = events.until(|frame| frame.name() == "session.removed").await;
    assert_eq!(session_of(&removed), first);
    client.say(Some(&second), "Hello").await;
    assert!(until_ended(&mut events, 1).await.iter().all(|frame| session_of(frame) == second));
    delete(client, &second).await;
    let rest: Vec<Frame> = events.rest().await.into_iter().filter(is_of_log).collect();
    assert_eq!(
        rest.iter().map(content).collect::<Vec<_>>(),
        [("session.removed".to_owned(), json!({ "session_id": second }))]
    );
}

#[tokio::test]
async fn a_request_that_names_no_sessions_or_too_many_is_refused() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let numbered = |count: u32| -> Value {
        (1..=count).map(|number| json!({ "id": format!("0199a1f0-5d1c-7cc0-9d8e-{number:012x}") })).collect()
    };
    for (body, field) in [
        (json!({}), "sessions"),
        (json!({ "sessions": [], "me": false }), "sessions"),
        (json!({ "sessions": numbered(33) }), "sessions"),
        (json!({ "sessions": numbered(33), "me": true }), "sessions"),
        (json!({ "sessions": [{ "id": UNKNOWN }, { "id": UNKNOWN, "after": "1-1-1" }] }), "sessions"),
        (json!({ "sessions": [{ "id": "no id" }] }), "sessions[0].id"),
        (json!({ "sessions": [{ "after": "1-1-1" }] }), "sessions[0].id"),
        (json!({ "sessions": [{ "id": UNKNOWN, "after": 1 }] }), "sessions[0].after"),
        (json!({ "sessions": [{ "id": UNKNOWN, "view": "turns" }] }), "sessions[0].view"),
        (json!({ "me": true, "view": "turns" }), "view"),
    ] {
        let refused = server.client.post("/api/v1/feed", &body).await;
        assert_eq!((refused.status, &*refused.field()), (422, field), "{body}: {}", refused.body);
    }
    let most = json!({ "sessions": numbered(32) });
    let mut events = server.client.request("POST", "/api/v1/feed").json(&most).events().await;
    let removed = events.rest().await;
    assert_eq!((removed.len(), removed.iter().all(|frame| frame.name() == "session.removed")), (32, true));
}

#[tokio::test]
async fn a_user_is_told_of_every_session_that_is_created_changed_used_or_deleted() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let client = &server.client;
    let mut events = changes(client).await;

    let created = new_session(client, "A trip").await;
    let told = change(&mut events, "session.changed").await;
    let listed = client.get("/api/v1/sessions").await.json()["data"][0].clone();
    assert_eq!(told, json!({ "session_id": created, "session": listed, "running": false }));

    let path = format!("/api/v1/sessions/{created}");
    client.request("PATCH", &path).json(&json!({ "title": "To Lisbon", "name": "trip" })).send().await;
    let told = change(&mut events, "session.changed").await;
    assert_eq!((&told["session"]["title"], &told["session"]["name"]), (&json!("To Lisbon"), &json!("trip")));

    let (_, used) = client.say(None, "Hello").await;
    gate.reached().await;
    let told = change(&mut events, "session.changed").await;
    assert_eq!((&told["session_id"], &told["running"]), (&json!(used), &json!(true)));
    gate.open();
    until_idle(&mut events, &used).await;

    let forked = client.post(&format!("/api/v1/sessions/{used}/fork"), &json!({ "title": "A fork" })).await.json();
    let told = change(&mut events, "session.changed").await;
    assert_eq!((&told["session_id"], &told["session"]["title"]), (&forked["id"], &json!("A fork")));

    let export = client.get(&format!("/api/v1/sessions/{used}/export")).await.body;
    let imported = client.request("POST", "/api/v1/sessions/import").body(export).send().await;
    assert_eq!(imported.status, 201, "{}", imported.body);
    let told = change(&mut events, "session.changed").await;
    assert_eq!(told["session_id"], imported.json()["id"]);

    delete(client, &created).await;
    assert_eq!(change(&mut events, "session.removed").await, json!({ "session_id": created }));
}

#[tokio::test]
async fn a_followed_session_is_removed_once() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let client = &server.client;
    let (followed, other) = (new_session(client, "Followed").await, new_session(client, "Other").await);
    let body = json!({ "sessions": [{ "id": followed }], "me": true });
    let mut events = client.request("POST", "/api/v1/feed").json(&body).events().await;
    delete(client, &followed).await;
    delete(client, &other).await;
    let mut removed = Vec::new();
    for _ in 0..2 {
        removed.push(session_of(&events.until(|frame| frame.name() == "session.removed").await));
    }
    removed.sort();
    let mut expected = [followed, other];
    expected.sort();
    assert_eq!(removed, expected);
}

#[tokio::test]
async fn a_user_is_told_when_decisions_are_requested_made_and_no_longer_needed() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let pays = || Reply::new().call("pay", json!({ "amount": 5 }));
    let script = [pays(), Reply::text("Done."), pays()];
    let server = Setup::answering(script).tool(pay(ledger)).ask_before("pay").run().await;
    let client = &server.client;
    let mut events = changes(client).await;
    let pending = async || client.get("/api/v1/interactions").await.json()["data"].as_array().unwrap().clone();
    let start = json!({ "message": "Pay them.", "interact": true });

    client.post("/api/v1/turns", &start).await;
    assert_eq!(change(&mut events, "interactions.changed").await, json!({}));
    let asked = pending().await;
    let id = asked[0]["id"].as_str().unwrap();
    let decided = client.post(&format!("/api/v1/interactions/{id}"), &json!({ "decision": "approve" })).await;
    assert_eq!(decided.status, 200, "{}", decided.body);
    change(&mut events, "interactions.changed").await;
    until_idle(&mut events, asked[0]["session_id"].as_str().unwrap()).await;
    assert_eq!(pending().await, [Value::Null; 0]);

    let turn = client.post("/api/v1/turns", &start).await.json()["turn_id"].as_str().unwrap().to_owned();
    change(&mut events, "interactions.changed").await;
    assert_eq!(pending().await.len(), 1);
    client.post(&format!("/api/v1/turns/{turn}/cancel"), &json!({})).await;
    change(&mut events, "interactions.changed").await;
    assert_eq!(pending().await, [Value::Null; 0]);
}

#[tokio::test]
async fn a_user_is_told_only_of_own_sessions_that_lists_contain() {
    let script = [
        Reply::text("For Bob."),
        Reply::text("For a client that keeps the history."),
        Reply::new().call("task", json!({ "prompt": "Look it up." })),
        Reply::text("Looked up."),
        Reply::text("Done."),
    ];
    let server = Setup::answering(script).tool(TaskTool::new([("assistant", "")])).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let mut events = changes(&ada).await;
    let (_, foreign) = bob.run_turn(None, "Secret").await;
    bob.request("PATCH", &format!("/api/v1/sessions/{foreign}")).json(&json!({ "title": "Mine" })).send().await;
    delete(&bob, &foreign).await;
    let single = json!({ "messages": [{ "role": "user", "content": "Hello" }] });
    ada.request("POST", "/api/chat/stream").json(&single).events().await.rest().await;
    let (_, session) = ada.run_turn(None, "Ask another.").await;
    let last = new_session(&ada, "The last").await;
    let mut told = Vec::new();
    while told.last() != Some(&last) {
        let frame = events.next().await.unwrap();
        assert_eq!(frame.name(), "session.changed", "{}", frame.text);
        told.push(session_of(&frame));
    }
    assert!(told.len() > 1 && told.iter().all(|told| [&session, &last].contains(&told)), "{told:?}");
}

#[tokio::test]
async fn the_stream_ends_when_its_key_is_revoked_or_the_server_stops() {
    let mut server = Setup::always(Reply::text("Hello there")).locked().run().await;
    let (id, key) = server.key("ada").await;
    let (ada, bob) = (server.bearer(key), server.user("bob").await);
    let session = new_session(&ada, "Own").await;
    let body = json!({ "sessions": [{ "id": session }], "me": true });
    let mut events = ada.request("POST", "/api/v1/feed").json(&body).events().await;
    let mut others = changes(&bob).await;
    events.until(is_of_log).await;
    let revoked = server.operator().request("DELETE", &format!("/api/v1/keys/{id}")).send().await;
    assert_eq!(revoked.status, 204);
    assert!(!events.rest().await.iter().any(is_of_log));
    server.stop();
    assert_eq!(others.rest().await.len(), 0);
    assert!(server.stopped().await);
}
