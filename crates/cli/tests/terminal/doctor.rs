//! `turnkit doctor` as a user with a problem runs it.

use serde_json::{Value, json};
use turnkit_testkit::FakeUpstream;

use crate::support::{Outcome, Place, answers_once, outcome, response};

fn line<'a>(report: &'a Outcome, check: &str) -> &'a str {
    let mut lines = report.stdout.lines();
    lines.find(|line| line.split_whitespace().nth(1) == Some(check)).unwrap_or_else(|| panic!("{report:?}"))
}

#[tokio::test]
async fn a_working_installation_is_reported_as_ok_and_nothing_is_created() {
    let place = Place::new();
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(0), "{report:?}");
    let folder = place.data_of_user().display().to_string();
    let none_yet = format!("no database yet; the first turn creates it in {folder}");
    assert!(line(&report, "database").ends_with(&none_yet), "{report:?}");
    assert!(report.stdout.contains("warn  configuration  no model is configured"), "{report:?}");
    assert!(!place.has_data());

    place.run(&["chat", "-p", "Hello"]).await;
    let report = place.run(&["doctor"]).await;
    assert!(line(&report, "database").ends_with("sound and writable"), "{report:?}");
    assert!(line(&report, "database").contains(&folder), "{report:?}");
    assert!(line(&report, "server").contains("no server is using this data directory"));
}

#[tokio::test]
async fn a_configuration_that_cannot_be_used_is_a_finding() {
    let place = Place::new();
    place.write("turnkit.toml", "[server]\nlisten = \"nowhere\"\n");
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(1));
    assert!(line(&report, "configuration").starts_with("fail  configuration  turnkit.toml:2: expected an address"));
}

#[cfg(unix)]
#[tokio::test]
async fn data_that_others_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.run(&["chat", "-p", "Hello"]).await;
    let report = place.run(&["doctor"]).await;
    assert!(!report.stdout.contains("others on this machine"), "{report:?}");
    std::fs::set_permissions(place.data_of_user(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(0), "{report:?}");
    assert!(line(&report, "directory").starts_with("warn  directory      others on this machine"), "{report:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_key_that_others_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let upstream = FakeUpstream::start([]).await.unwrap();
    let place = Place::asking(&upstream);
    let file = place.path().join("turnkit.toml");
    for (mode, told) in [(0o644, true), (0o600, false)] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        let report = place.run(&["doctor"]).await;
        assert_eq!(line(&report, "configuration").contains("others on this machine can read it"), told, "{report:?}");
        assert!(!report.stdout.contains("secret-key"));
    }
}

#[tokio::test]
async fn a_provider_is_asked_for_its_models_and_for_nothing_else() {
    let models = |names: &[&str]| {
        let data: Vec<_> = names.iter().map(|id| json!({ "id": id })).collect();
        json!({ "object": "list", "data": data }).to_string()
    };
    for (status, body, code, said) in [
        (200, models(&["large", "small"]), 0, "ok    provider       fake: reachable, and the key is valid"),
        (200, models(&["large"]), 0, "warn  provider       fake: reachable, but does not list the model small"),
        (200, "hello".to_owned(), 0, "its list of models cannot be read"),
        (401, "no: secret-key".to_owned(), 1, "fail  provider       fake: does not accept the key"),
        (404, String::new(), 0, "warn  provider       fake: reachable, but lists no models (status 404)"),
        (500, String::new(), 0, "warn  provider       fake: reachable, but reports an error (status 500)"),
        (301, String::new(), 0, "warn  provider       fake: reachable, but lists no models (status 301)"),
    ] {
        let (address, asked) = answers_once(response(status, "application/json", &body));
        let report = Place::asking_at(&format!("http://{address}/v1/")).run(&["doctor"]).await;
        let asked = asked();
        assert!(asked.starts_with("GET /v1/models HTTP/1.1\r\n"), "{asked}");
        assert!(asked.contains("authorization: Bearer secret-key\r\n"), "{asked}");
        assert_eq!(report.code, Some(code), "{report:?}");
        assert!(line(&report, "provider").contains(said), "{report:?}");
        assert!(!report.stdout.contains("secret-key"), "{report:?}");
    }
}

#[tokio::test]
async fn a_provider_without_a_key_is_not_reported_to_accept_or_reject_one() {
    let models = r#"{"object":"list","data":[{"id":"small"}]}"#;
    for (settings, status, code, said) in [
        ("", 200, 0, "ok    provider       fake: reachable, without a key"),
        ("vendor = \"ollama\"", 200, 0, "ok    provider       fake: reachable, without a key"),
        (
            "headers = { authorization = \"Bearer x\" }",
            200,
            0,
            "ok    provider       fake: reachable, and the key is valid",
        ),
        (
            "vendor = \"openrouter\"",
            200,
            0,
            "warn  provider       fake: reachable, but has no key, which OpenRouter requires for an answer; set its \
             api_key, as in \"${OPENROUTER_API_KEY}\"",
        ),
        ("", 401, 1, "fail  provider       fake: requires a key, and none is set; set its api_key, as in \"${NAME}\""),
        (
            "vendor = \"openai\"",
            401,
            1,
            "fail  provider       fake: requires a key, and none is set; set its api_key, as in \"${OPENAI_API_KEY}\"",
        ),
        ("headers = { x-api-key = \"x\" }", 403, 1, "fail  provider       fake: does not accept the key"),
    ] {
        let (address, asked) = answers_once(response(status, "application/json", models));
        let place = Place::new();
        let provider = format!(
            "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"http://{address}\"\nmodels = [\"small\"]"
        );
        place.write("turnkit.toml", &format!("{provider}\n{settings}\n"));
        let report = place.run(&["doctor"]).await;
        asked();
        assert_eq!(report.code, Some(code), "{report:?}");
        assert!(line(&report, "provider").starts_with(said), "{said}: {report:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_not_set_hides_nothing_of_the_data() {
    let place = Place::new();
    place.write(
        "turnkit.toml",
        "[[providers]]\nid = \"a\"\nvendor = \"openai\"\nmodels = [\"m\"]\napi_key = \"${KEY}\"\n",
    );
    for value in [None, Some("")] {
        let mut command = place.command(&["doctor"]);
        command.envs(value.map(|value| ("KEY", value)));
        let report = outcome(command.spawn().unwrap()).await;
        assert_eq!(report.code, Some(1), "{report:?}");
        assert!(
            line(&report, "configuration")
                .starts_with("fail  configuration  turnkit.toml:5: the environment variable KEY")
        );
        assert!(line(&report, "database").contains("no database yet"), "{report:?}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_answer_is_reported() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::asking_at(&format!("http://{nobody}/v1"));
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(1));
    let said = "fail  provider       fake: the connection was refused; is its base_url right?";
    assert_eq!(line(&report, "provider"), said);
}

#[tokio::test]
async fn a_damaged_database_is_reported() {
    let place = Place::new();
    place.run(&["chat", "-p", "Hello"]).await;
    std::fs::write(place.data_of_user().join("turnkit.db"), vec![0x55; 8192]).unwrap();
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(1));
    assert!(line(&report, "database").starts_with("fail  database"), "{report:?}");
}

#[tokio::test]
async fn a_running_server_is_asked_and_its_streams_are_timed() {
    let place = Place::new();
    let server = place.serve().await;
    let report = place.run(&["doctor", "--json"]).await;
    let found: Value = serde_json::from_str(&report.stdout).unwrap();
    assert_eq!(found["ok"], true, "{found}");
    let message = |check: &str| {
        let findings = found["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["check"] == check).unwrap()["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(message("server"), format!("{} is using the data directory and is ready", server.url));
    assert_eq!(message("directory"), place.data_of_user().display().to_string());
    assert_eq!(message("streams"), "from this machine, events arrive as they are sent");
}

/// A proxy that buffers a stream until it is complete.
#[tokio::test]
async fn a_buffering_proxy_is_found_through_the_public_address() {
    let events: String = (1..=4).map(|number| format!("event: probe\ndata: {{\"number\":{number}}}\n\n")).collect();
    let (proxy, asked) = answers_once(response(200, "text/event-stream", &events));
    let place = Place::new();
    let public = format!("http://{proxy}");
    let _server = place.serve().await;
    let mut command = place.command(&["doctor"]);
    let report = outcome(command.env("TURNKIT_SERVER__PUBLIC_URL", &public).spawn().unwrap()).await;
    assert!(asked().starts_with("GET /api/v1/probe HTTP/1.1\r\n"));
    assert_eq!(report.code, Some(1), "{report:?}");
    let said = format!("fail  streams        through {public}, events arrive together instead of one after the other");
    assert!(line(&report, "streams").starts_with(&said), "{report:?}");
    assert!(line(&report, "streams").contains("turn buffering and compression of text/event-stream off in the proxy"));
}

#[tokio::test]
async fn the_keys_of_the_identity_provider_are_read() {
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "a", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let keys = |keys: &[&Value]| json!({ "keys": keys }).to_string();
    for (status, body, code, said) in [
        (200, keys(&[&key]), 0, "https://login.example.com: keys that verify tokens: 1"),
        (200, keys(&[]), 1, ": no key for signatures with RSA"),
        (
            404,
            String::new(),
            1,
            ": the answer has status 404; are issuer, jwks_url and discovery_url of [auth.jwt] right",
        ),
    ] {
        let (address, asked) = answers_once(response(status, "application/json", &body));
        let place = Place::new();
        let jwt = format!(
            "issuer = \"https://login.example.com\"\naudience = \"turnkit\"\njwks_url = \"http://{address}/keys\"\n"
        );
        place.write("turnkit.toml", &format!("[auth]\nmode = \"jwt\"\n[auth.jwt]\n{jwt}"));
        let report = place.run(&["doctor"]).await;
        assert!(asked().starts_with("GET /keys HTTP/1.1\r\n"));
        assert_eq!(report.code, Some(code), "{report:?}");
        assert!(line(&report, "tokens").contains(said), "{report:?}");
    }
}
