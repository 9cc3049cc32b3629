//! A scan of everything that turnkit writes and sends for the secrets that it was given.

mod echo;
mod http;
mod identity_provider;
mod installation;
mod scan;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use turnkit_testkit::http::{Frame, HttpClient};
use turnkit_testkit::{FakeUpstream, Response};

use echo::{CHANGING, READING};
use installation::Installation;
use scan::{Evidence, Scan, Secret, files, unique};

/// The name of the planted text, which is no secret of turnkit and so must be found.
const PLANTED: &str = "what was planted";

/// Returns the script of a turn that calls these tools of a server.
fn calls(server: &str, tools: &[&str]) -> [Response; 2] {
    let names: Vec<String> = tools.iter().map(|tool| format!("{server}__{tool}")).collect();
    let ids: Vec<String> = (0..names.len()).map(|number| format!("c{number}")).collect();
    let calls: Vec<_> = ids.iter().zip(&names).map(|(id, name)| (id.as_str(), name.as_str(), "{}")).collect();
    [Response::calls(&calls), Response::text("Done.")]
}

/// Runs a turn in the protocol of this path, reads its events again, and keeps all of it.
async fn turn(installation: &mut Installation, client: &HttpClient, path: &str, message: &str) {
    let asked = json!({ "message": message });
    let mut events = client.post_for_events(path, &[], &asked).await.unwrap();
    let turn = events.header("x-turn-id").unwrap().to_owned();
    let bytes = text_of(&events.rest().await.unwrap());
    installation.answers.push(Evidence { place: format!("stream of {path}"), bytes });
    let mut events = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap();
    let bytes = text_of(&events.rest().await.unwrap());
    installation.answers.push(Evidence { place: "event feed".to_owned(), bytes });
    installation.get(client, &format!("/api/v1/turns/{turn}")).await;
}

fn text_of(frames: &[Frame]) -> Vec<u8> {
    frames.iter().map(|frame| frame.text.as_str()).collect::<String>().into_bytes()
}

/// Runs a turn whose calls wait for decisions, which this client gives, and keeps all of it.
async fn decided_turn(installation: &mut Installation, client: &HttpClient) {
    let asked = json!({ "message": "Go", "interact": true });
    let mut events = client.post_for_events("/api/v1/turns", &[], &asked).await.unwrap();
    let (mut frames, mut decisions) = (Vec::new(), 0);
    while let Some(event) = events.next().await.unwrap() {
        if event.name() == "interaction.requested" {
            let request = event.json();
            let path = format!("/api/v1/interactions/{}", request["id"].as_str().unwrap());
            installation.get(client, &path).await;
            installation.get(client, "/api/v1/interactions").await;
            let decision = match request["kind"].as_str() {
                Some("approval") => json!({ "decision": "approve_session" }),
                _ => json!({ "outcome": "failed" }),
            };
            let decided = installation.post(client, &path, &decision).await;
            assert!(decided["decided"].is_object(), "{request}: {decided}");
            decisions += 1;
        }
        frames.push(event);
    }
    assert!(decisions > 0);
    installation.answers.push(Evidence { place: "stream of a decided turn".to_owned(), bytes: text_of(&frames) });
    installation.get(client, "/api/v1/interactions?state=all").await;
    let grants = installation.get(client, "/api/v1/grants").await;
    assert!(!grants["data"].as_array().unwrap().is_empty(), "{grants}");
}

/// Lists and calls the agents as tools, and lists and reconnects the servers.
async fn mcp(installation: &mut Installation, client: &HttpClient) {
    let call = json!({ "name": "assistant", "arguments": { "message": "Go" }, "_meta": { "progressToken": 1 } });
    for (method, params) in [("tools/list", json!({})), ("tools/call", call)] {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        installation.post(client, "/mcp", &message).await;
    }
    let listed = installation.get(client, "/api/v1/mcp").await;
    for server in listed["data"].as_array().unwrap() {
        let path = format!("/api/v1/mcp/{}/reconnect", server["name"].as_str().unwrap());
        installation.post(client, &path, &json!({})).await;
    }
    installation.get(client, "/api/v1/mcp").await;
}

/// Reads the sessions of a user in every form, and keeps them.
async fn sessions(installation: &mut Installation, client: &HttpClient) {
    let listed = installation.get(client, "/api/v1/sessions").await;
    for session in listed["data"].as_array().unwrap() {
        let id = session["id"].as_str().unwrap();
        for what in ["", "/messages", "/turns", "/context", "/export", "/export?format=md"] {
            installation.get(client, &format!("/api/v1/sessions/{id}{what}")).await;
        }
    }
}

/// Waits until a recording holds what was planted.
async fn until_recorded(installation: &Installation, planted: &Scan) {
    let folder = installation.place.path().join("rec");
    let is_recorded = || !planted.places(&files(&folder)).is_empty();
    let waiting = async {
        while !is_recorded() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap();
}

#[tokio::test]
async fn no_secret_is_in_any_log_event_row_recording_metric_or_export() {
    let planted = Secret { name: PLANTED, value: unique("planted", 700) };
    let provider_key = Secret::new("PROVIDER_KEY", 40);
    let refused = format!("Incorrect API key provided: {}. You sent: Bearer {0}", provider_key.value);
    let script = [
        calls("echo", &READING[..4]),
        calls("echo", &READING[4..]),
        calls("echo", &["echo", CHANGING]),
        calls("posted", &["echo", "fail", "error", "link"]),
        calls("fixed", &["echo", "fail", "long_error", "progress", "refused"]),
        calls("echo", &["echo", "progress"]),
        calls("exchanged", &["echo", "fail", "progress", CHANGING]),
        calls("echo", &["echo", "fail"]),
        calls("pathed", &["echo", "fail", "error", "progress"]),
        [Response::text(&planted.value), Response::status(401, &refused)],
    ];
    let upstream = FakeUpstream::start(script.into_iter().flatten()).await.unwrap();
    let mut installation = Installation::new(upstream, &planted.value).await;
    let key = installation.key().await;
    let user = installation.token_of("ana").await;
    let server = installation.serve().await;
    let lock = std::fs::read_to_string(installation.place.path().join("data/turnkit.lock")).unwrap();
    let operator = Secret { name: "token of the operator", value: lock.split_whitespace().nth(1).unwrap().to_owned() };

    let client = server.client().with_key(&key.value);
    for path in ["/api/v1/turns", "/chat", "/api/v1/turns", "/chat", "/api/v1/turns"] {
        turn(&mut installation, &client, path, "Go").await;
    }
    let ana = server.client().with_key(&user.value);
    turn(&mut installation, &ana, "/api/v1/turns", "Go").await;
    decided_turn(&mut installation, &ana).await;
    mcp(&mut installation, &client).await;
    turn(&mut installation, &client, "/api/v1/turns", "Go").await;
    turn(&mut installation, &client, "/api/v1/turns", &planted.value).await;
    turn(&mut installation, &client, "/chat", "Go").await;

    let unknown = Secret { name: "unknown key", value: format!("tk_{}", unique("unknown key", 43)) };
    let forged = Secret { name: "forged token", value: format!("{}{}", user.value, unique("forged", 20)) };
    for secret in [&unknown, &forged] {
        let stranger = server.client().with_key(&secret.value);
        let answer = installation.get(&stranger, "/api/v1/sessions").await;
        assert_eq!(answer["error"]["code"], "unauthenticated", "{answer}");
    }
    for client in [&client, &ana] {
        sessions(&mut installation, client).await;
    }
    for path in ["/metrics", "/api/v1/providers", "/api/v1/usage", "/readyz"] {
        installation.get(&client, path).await;
    }
    for words in [
        &["doctor"][..],
        &["mcp", "ls"],
        &["mcp", "tools"],
        &["mcp", "tools", "--json"],
        &["mcp", "doctor"],
        &["mcp", "call", "echo", "echo", "--json"],
        &["mcp", "call", "fixed", "error"],
        &["mcp", "call", "refusing", "echo"],
        &["mcp", "call", "pathed", "echo", "--json"],
        &["mcp", "call", "program", "echo"],
        &["providers", "ls"],
        &["keys", "ls", "--json"],
        &["turns", "ls", "--json"],
        &["sessions", "ls", "--json"],
    ] {
        installation.run(words).await;
    }
    let planted = Scan::of([&planted]);
    until_recorded(&installation, &planted).await;

    // Before the end of the server, the last rows are in the write-ahead log, and afterwards in the database.
    let mut secrets = installation.configured();
    secrets.extend([key, user, unknown, forged]);
    secrets.extend(installation.take_issued());
    assert!(secrets.iter().filter(|secret| secret.name == "access token").count() > 3);
    assert!(secrets.iter().any(|secret| secret.name == "token in exchange for that of a user"));
    let (scan, of_operator) = (Scan::of(&secrets), Scan::of([&operator]));
    let running = installation.evidence();
    assert_eq!(server.stop().await.code, Some(0));
    for evidence in [running, installation.evidence()] {
        assert_eq!(scan.found_in(&evidence), BTreeMap::new());
        let places = of_operator.places(&evidence);
        assert!(places.iter().all(|place| *place == "data/turnkit.lock"), "{places:?}");

        // The same scan finds what was said and written on purpose, in all of these places.
        let places = planted.places(&evidence);
        for expected in
            ["data/turnkit.db", "rec/", "serve.log", "stream of", "event feed", "/api/v1/sessions/", "request"]
        {
            assert!(places.iter().any(|place| place.starts_with(expected)), "{expected}: {places:?}");
        }
    }
    // The servers did repeat what they were sent.
    let read: Vec<u8> = installation.upstream.requests().into_iter().flat_map(|request| request.body).collect();
    let read = String::from_utf8_lossy(&read);
    assert!(read.matches("authorization: Bearer (secret)").count() > 10, "{read}");
}
