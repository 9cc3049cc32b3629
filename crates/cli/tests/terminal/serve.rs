//! `turnkit serve` as an operator runs it.

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use turnkit_testkit::http::HttpClient;
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::support::{Place, outcome, signal};

fn slow(gate: &Gate) -> Response {
    let answer = Response::stream().delta(json!({ "content": "first " })).wait(gate);
    answer.delta(json!({ "content": "second" })).finish("stop").done()
}

/// Waits until the server has received the signal to stop.
async fn until_draining(client: &HttpClient) {
    while client.get("/readyz").await.unwrap().json()["status"] == "ready" {}
}

#[tokio::test]
async fn a_server_prints_its_address_in_one_line_and_answers_there() {
    let place = Place::new();
    let server = place.serve().await;
    let client = server.client();
    assert_eq!(client.get("/readyz").await.unwrap().json()["status"], "ready");
    let mut told = client.post_for_events("/api/v1/turns", &[], &json!({ "message": "What is 2 + 2?" })).await.unwrap();
    let last = told.rest().await.unwrap().pop().unwrap();
    assert_eq!((last.name(), &last.json()["text"]), ("turn.ended", &json!("2 + 2 is 4.")));
    let stopped = server.stop().await;
    assert_eq!((stopped.code, stopped.stdout.as_str()), (Some(0), ""), "{stopped:?}");
    assert!(stopped.stderr.starts_with("no model is configured: the offline responder answers"), "{stopped:?}");
}

#[tokio::test]
async fn a_stopped_server_lets_its_turns_finish() {
    let gate = Gate::new();
    let upstream = FakeUpstream::start([slow(&gate)]).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;
    let client = server.client();
    let mut told = client.post_for_events("/api/v1/turns", &[], &json!({ "message": "go" })).await.unwrap();
    while told.next().await.unwrap().unwrap().name() != "part.delta" {}
    signal(&server.child, Signal::TERM);
    until_draining(&client).await;
    gate.open();
    let last = told.rest().await.unwrap().pop().unwrap();
    assert_eq!((last.name(), &last.json()["text"]), ("turn.ended", &json!("first second")));
    assert_eq!(outcome(server.child).await.code, Some(0));
}

#[tokio::test]
async fn a_second_signal_exits_at_once_and_the_turn_continues_at_the_next_start() {
    let gate = Gate::new();
    let upstream = FakeUpstream::start([slow(&gate), Response::text("whole")]).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;
    let client = server.client();
    let mut told = client.post_for_events("/api/v1/turns", &[], &json!({ "message": "go" })).await.unwrap();
    let turn = told.header("x-turn-id").unwrap().to_owned();
    while told.next().await.unwrap().unwrap().name() != "part.delta" {}
    signal(&server.child, Signal::TERM);
    until_draining(&client).await;
    signal(&server.child, Signal::INT);
    let left = outcome(server.child).await;
    assert_eq!(left.code, Some(0), "{left:?}");
    assert!(left.stderr.contains("exited immediately"), "{left:?}");

    let server = place.serve().await;
    let mut told = server.client().follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap();
    assert_eq!(told.rest().await.unwrap().pop().unwrap().json()["text"], "whole");
}

#[tokio::test]
async fn a_cursor_is_valid_after_the_server_was_killed() {
    let gate = Gate::new();
    let call = Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]);
    let upstream = FakeUpstream::start([call, slow(&gate), Response::text("It is 42.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;
    let mut told = server.client().post_for_events("/api/v1/turns", &[], &json!({ "message": "6*7?" })).await.unwrap();
    let turn = told.header("x-turn-id").unwrap().to_owned();
    // The last durable event. The output of the second step is not durable.
    let (mut seen, mut cursor) = (0, None);
    loop {
        let frame = told.next().await.unwrap().unwrap();
        match frame.name() {
            "part.delta" if cursor.is_some() => break,
            "tool.finished" => cursor = frame.id.clone(),
            _ => {}
        }
        seen += u32::from(cursor.is_none());
    }
    assert!(seen > 3);
    server.kill().await;

    let server = place.serve().await;
    let path = format!("/api/v1/turns/{turn}/events");
    let whole = server.client().follow(&path, None).await.unwrap().rest().await.unwrap();
    let after = server.client().follow(&path, cursor.as_deref()).await.unwrap().rest().await.unwrap();
    let place_of_cursor = whole.iter().position(|frame| frame.id == cursor).unwrap();
    assert_eq!(after, whole[place_of_cursor + 1..], "exactly what comes after the cursor");
    assert_eq!(after.last().unwrap().json()["text"], "It is 42.");
    assert_eq!(upstream.requests().len(), 3, "the first step is not paid for twice");
}

#[tokio::test]
async fn an_open_address_needs_authentication() {
    let place = Place::new();
    place.write("open.toml", "[server]\nlisten = \"0.0.0.0:0\"\n");
    for (words, said) in [
        (&["serve", "--listen", "0.0.0.0:0"][..], "--listen: 0.0.0.0:0 can be reached from other machines"),
        (&["serve", "--listen", "[::]:0"], "--listen: [::]:0 can be reached from other machines"),
        (&["--config", "open.toml", "serve"], "open.toml:2: 0.0.0.0:0 can be reached from other machines"),
    ] {
        let refused = place.run(words).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{words:?}");
        for word in [said, "turnkit keys create NAME", "auth.mode = \"api_key\""] {
            assert!(refused.stderr.contains(word), "{word:?} is not in {refused:?}");
        }
        assert!(!place.has_data(), "nothing was made");
    }
    let mut command = place.command(&["serve", "--listen", "0.0.0.0:0"]);
    let mut open = command.env("TURNKIT_AUTH__MODE", "api_key").spawn().unwrap();
    let mut line = String::new();
    let stdout = tokio::io::BufReader::new(open.stdout.take().unwrap());
    tokio::io::AsyncBufReadExt::read_line(&mut { stdout }, &mut line).await.unwrap();
    assert!(line.starts_with("turnkit listening on http://127.0.0.1:"), "{line}");
}

#[tokio::test]
async fn an_address_that_is_taken_is_named() {
    let place = Place::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = place.run(&["serve", "--listen", &address]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains(&format!("cannot listen on {address}: ")), "{refused:?}");
    assert!(refused.stderr.contains("choose another address with --listen"), "{refused:?}");
}

#[tokio::test]
async fn one_server_has_the_data() {
    let place = Place::new();
    let server = place.serve().await;
    let second = place.run(&["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!(second.code, Some(3));
    let data = place.data_of_user().display().to_string();
    let said = format!("{data} is in use by {}; stop it, or choose another directory with --data", server.url);
    assert!(second.stderr.contains(&said), "{second:?}");
}

#[tokio::test]
async fn logs_are_one_object_per_line_if_wanted() {
    let place = Place::new();
    let server = place.serve_with(&[], &[("TURNKIT_LOG__FORMAT", "json"), ("TURNKIT_LOG__LEVEL", "debug")]).await;
    let stopped = server.stop().await;
    let lines: Vec<serde_json::Value> =
        stopped.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().any(|line| line["message"].as_str().unwrap().contains("the offline responder answers")));
}

#[tokio::test]
async fn metrics_are_served_at_an_address_of_their_own_without_a_key() {
    let place = Place::new();
    let key = place.run(&["keys", "create", "prometheus", "--scope", "metrics"]).await.stdout;
    let variables = [
        ("TURNKIT_SERVER__METRICS_LISTEN", "127.0.0.1:0"),
        ("TURNKIT_AUTH__MODE", "api_key"),
        ("TURNKIT_LOG__FORMAT", "json"),
    ];
    let mut server = place.serve_with(&[], &variables).await;
    let mut log = BufReader::new(server.child.stderr.take().unwrap()).lines();
    let address = loop {
        let line: Value = serde_json::from_str(&log.next_line().await.unwrap().unwrap()).unwrap();
        if let Some(url) = line["url"].as_str() {
            break url.strip_prefix("http://").and_then(|url| url.strip_suffix("/metrics")).unwrap().to_owned();
        }
    };
    let metrics = HttpClient::new(&address);
    let read = metrics.get("/metrics").await.unwrap();
    assert!(read.status == 200 && read.body.ends_with(b"# EOF\n"), "{read:?}");
    for path in ["/", "/healthz", "/readyz", "/openapi.json", "/api/v1/sessions"] {
        assert_eq!(metrics.get(path).await.unwrap().status, 404, "{path}");
        assert_eq!(metrics.clone().with_key(key.trim()).get(path).await.unwrap().status, 404, "{path}");
    }
    let client = server.client();
    assert_eq!(client.get("/metrics").await.unwrap().status, 401);
    assert_eq!(client.with_key(key.trim()).get("/metrics").await.unwrap().status, 404);
    assert_eq!(server.stop().await.code, Some(0));
}

#[tokio::test]
async fn an_address_of_metrics_that_cannot_be_used_is_named_with_its_setting() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = (taken.local_addr().unwrap().to_string(), taken);
    for (address, listen, code, said) in [
        ("nowhere", "127.0.0.1:0", 2, "expected an address and a port"),
        ("127.0.0.1:8799", "127.0.0.1:8799", 2, "turnkit.toml:3: `listen` has this address"),
        (taken.0.as_str(), "127.0.0.1:0", 1, "choose another address with server.metrics_listen"),
    ] {
        let place = Place::new();
        place.write("turnkit.toml", &format!("[server]\nlisten = \"{listen}\"\nmetrics_listen = \"{address}\"\n"));
        let refused = place.run(&["serve"]).await;
        assert_eq!(refused.code, Some(code), "{refused:?}");
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
}

/// A process with a low limit on open files reports it, because every client is an open file.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_low_limit_of_open_files_is_reported_and_the_soft_one_is_raised() {
    let place = Place::new();
    let mut command = tokio::process::Command::new("/bin/sh");
    command.args(["-c", "ulimit -Sn 200; ulimit -Hn 300; exec \"$0\" serve --listen 127.0.0.1:0"]);
    command.arg(env!("CARGO_BIN_EXE_turnkit"));
    place.at_home(&mut command);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = tokio::io::BufReader::new(child.stdout.take().unwrap());
    tokio::io::AsyncBufReadExt::read_line(&mut stdout, &mut String::new()).await.unwrap();
    signal(&child, Signal::TERM);
    let stopped = outcome(child).await;
    assert!(stopped.stderr.contains("this process may have 300 files open"), "{stopped:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn one_server_has_a_database_under_any_file_name() {
    let place = Place::new();
    let server = place.serve().await;
    let file = place.data_of_user().join("turnkit.db");
    let [configured, usual, hard] = [Place::new(), Place::new(), Place::new()];
    for other in [&configured, &hard] {
        other.write("turnkit.toml", "[store]\nurl = \"sqlite:other.db\"\n");
    }
    std::fs::create_dir_all(usual.data_of_user()).unwrap();
    for link in [configured.path().join("other.db"), usual.data_of_user().join("turnkit.db")] {
        std::os::unix::fs::symlink(&file, link).unwrap();
    }
    let in_use = format!("{} is in use by {}", place.data_of_user().display(), server.url);
    for (other, why) in [(&configured, in_use.as_str()), (&usual, &in_use)] {
        let refused = other.run(&["serve", "--listen", "127.0.0.1:0"]).await;
        assert_eq!((refused.code, refused.stderr.contains(why)), (Some(3), true), "{why}: {refused:?}");
    }
    std::fs::hard_link(&file, hard.path().join("other.db")).unwrap();
    let refused = hard.run(&["serve", "--listen", "127.0.0.1:0"]).await;
    assert_eq!((refused.code, refused.stderr.contains("has 2 names (hard links)")), (Some(3), true), "{refused:?}");
    server.stop().await;
}

#[tokio::test]
async fn the_page_is_at_the_address_of_the_server_unless_it_is_turned_off() {
    let place = Place::new();
    let server = place.serve().await;
    let page = server.client().get("/").await.unwrap();
    assert_eq!(page.status, 200);
    assert!(String::from_utf8(page.body).unwrap().contains("src=\"app.js\""));
    server.stop().await;

    let off = [("TURNKIT_PAGE__ENABLED", "false")];
    let server = place.serve_with(&[], &off).await;
    for path in ["/", "/app.js", "/page.json"] {
        assert_eq!(server.client().get(path).await.unwrap().status, 404, "{path}");
    }
    server.stop().await;
    let refused = outcome(place.command(&["serve", "--open"]).envs(off).spawn().unwrap()).await;
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("--open: page.enabled is false"), "{refused:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_page_is_opened_in_the_browser_and_the_server_survives_a_failure() {
    use std::os::unix::fs::PermissionsExt;
    use tokio::io::AsyncBufReadExt;

    let place = Place::new();
    place.write("xdg-open", "#!/bin/sh\necho \"$1\" > opened\nexit 3\n");
    std::fs::set_permissions(place.path().join("xdg-open"), PermissionsExt::from_mode(0o755)).unwrap();
    let folder = place.path().to_str().unwrap().to_owned();
    let mut server = place.serve_with(&["--open"], &[("PATH", folder.as_str())]).await;
    let mut lines = tokio::io::BufReader::new(server.child.stderr.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap().unwrap();
        if line.contains("xdg-open opened no browser") {
            break;
        }
    }
    assert_eq!(std::fs::read_to_string(place.path().join("opened")).unwrap().trim_end(), server.url);
    assert_eq!(server.client().get("/healthz").await.unwrap().status, 200);
    server.kill().await;
}
