//! The whole program: its servers start together and end together.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod running;

use running::Running;
use rustix::process::Signal;
use serde_json::Value;

const NAMES: [&str; 3] = ["identity-provider", "ticketing", "organisations"];

/// A program that serves nothing, reads no input, and ends with a signal.
const TURNKIT: &str = "echo 'turnkit listening on http://127.0.0.1:9'\nexec sleep 1000\n";

#[tokio::test]
async fn the_servers_start_on_free_ports_and_trust_the_identity_provider() {
    let desk = Running::start(&["--servers-only", "--token-life", "20"]).await;
    assert_eq!(desk.processes().map(|process| process.name).collect::<Vec<_>>(), NAMES);
    let http = reqwest::Client::new();
    let fields = [
        ("grant_type", "client_credentials"),
        ("client_id", desk.variable("DESK_CLIENT_ID")),
        ("client_secret", desk.variable("DESK_CLIENT_SECRET")),
        ("audience", "ticketing"),
        ("audience", "organisations"),
    ];
    let issued = http.post(desk.variable("DESK_TOKEN_URL")).form(&fields).send().await.unwrap();
    let issued: Value = issued.error_for_status().unwrap().json().await.unwrap();
    assert_eq!(issued["expires_in"], 20);

    let token = issued["access_token"].as_str().unwrap();
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",
        "capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    for url in ["DESK_TICKETING_URL", "DESK_ORGANISATIONS_URL"].map(|name| desk.variable(name)) {
        let request = http.post(url).header("content-type", "application/json").body(initialize);
        let request = request.header("accept", "application/json, text/event-stream");
        let without = request.try_clone().unwrap().send().await.unwrap();
        assert_eq!(without.status(), 401, "{url}");
        assert_eq!(request.bearer_auth(token).send().await.unwrap().status(), 200, "{url}");
    }
}

#[tokio::test]
async fn a_signal_ends_all_servers() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut desk = Running::start(&["--servers-only"]).await;
        let connections = desk.connections().await;
        desk.send(signal);
        let (status, errors) = desk.ended().await;
        assert!(status.success(), "{signal:?}: {status}, {errors}");
        connections.closed().await;
    }
}

#[tokio::test]
async fn the_end_of_one_server_ends_the_others() {
    for name in NAMES {
        let mut desk = Running::start(&["--servers-only"]).await;
        let connections = desk.connections().await;
        desk.kill(name);
        let (status, errors) = desk.ended().await;
        assert_eq!(status.code(), Some(1), "{name}: {errors}");
        assert!(errors.contains(&format!("{name} ended")), "{errors}");
        connections.closed().await;
    }
}

#[tokio::test]
async fn the_servers_end_when_the_program_that_started_them_is_killed() {
    let mut desk = Running::start(&["--servers-only"]).await;
    let connections = desk.connections().await;
    desk.send(Signal::KILL);
    desk.ended().await;
    connections.closed().await;
}

/// turnkit does not read its input, and one that goes on would keep its address and its data.
#[tokio::test]
async fn turnkit_ends_when_the_program_that_started_it_is_killed() {
    let mut desk = Running::start_with_turnkit(TURNKIT).await;
    assert_eq!(desk.processes().last().map(|process| process.name), Some("turnkit".to_owned()));
    desk.send(Signal::KILL);
    desk.ended().await;
}

#[tokio::test]
async fn a_signal_and_the_end_of_turnkit_end_all_processes() {
    let mut desk = Running::start_with_turnkit(TURNKIT).await;
    desk.send(Signal::TERM);
    let (status, errors) = desk.ended().await;
    assert!(status.success(), "{status}, {errors}");
    let mut desk = Running::start_with_turnkit(TURNKIT).await;
    desk.kill("turnkit");
    let (status, errors) = desk.ended().await;
    assert_eq!(status.code(), Some(1), "{errors}");
    assert!(errors.contains("turnkit ended"), "{errors}");
}

#[tokio::test]
async fn a_turnkit_that_does_not_serve_ends_all_servers() {
    for (program, expected) in
        [("/bin/false", "turnkit ended without an address"), ("/no/such/turnkit", "cannot start turnkit")]
    {
        let (status, errors) = Running::end_of(&["--turnkit", program]).await;
        assert_eq!(status.code(), Some(1), "{program}");
        assert!(errors.contains(expected), "{program}: {errors}");
    }
}
