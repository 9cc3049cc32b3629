//! Tests of what the log may contain about requests of unknown clients.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing::{Dispatch, Level};

use crate::running::Running;

/// A log that captures everything that this thread logs.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Starts to capture events at `info` and above, as JSON objects.
    fn begin_as_json(&self) -> DefaultGuard {
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_max_level(Level::INFO);
        tracing::subscriber::set_default(subscriber.with_writer(move || log.clone()).finish())
    }

    fn begin(&self) -> DefaultGuard {
        let log = self.clone();
        let subscriber = tracing_subscriber::fmt().with_max_level(Level::TRACE).with_ansi(false);
        tracing::subscriber::set_default(subscriber.with_writer(move || log.clone()).finish())
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[tokio::test]
async fn a_request_is_one_line_without_anything_a_client_chose() {
    // If a process has only one subscriber, tracing caches callsite interest for the whole process, as decided by the
    // first thread to reach a callsite. A second one prevents this.
    let _second = Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let guard = log.begin();
    let server = Running::locked().await;
    let key = server.key_for("ada-CANARY").await.key;
    for (method, path, head, body) in [
        ("GET", "/CANARY%0a%1b[31m?CANARY=1", &["user-agent: CANARY", "cookie: CANARY"][..], ""),
        ("CANARY", "/readyz", &["x-request-id: CANARY"], ""),
        ("GET", "/readyz", &["host: CANARY"], ""),
        ("GET", "/readyz", &["origin: http://CANARY"], ""),
        ("GET", "/metrics", &["authorization: Bearer CANARY"], ""),
        ("POST", "/api/v1/keys", &[&*format!("x-api-key: {}", server.token)], "{\"CANARY\": 1}"),
        ("GET", "/api/v1/providers", &[&*format!("x-api-key: {key}")], ""),
        ("GET", "/healthz", &["CANARY"], ""),
    ] {
        server.ask(method, path, head, body).await;
    }
    drop(guard);

    let text = log.text();
    assert!(!text.contains("CANARY") && !text.contains(&key) && !text.contains(&server.token), "{text}");
    assert!(text.lines().all(|line| line.len() < 4096 && !line.contains(char::is_control)), "{text}");
    let answered = |line: &&str| line.contains("request_id=") && line.contains("request answered");
    assert_eq!(text.lines().filter(answered).count(), 8, "{text}");
    assert!(text.contains("method=GET route=none status=401 code=unauthenticated"), "{text}");
}

#[tokio::test]
async fn a_request_is_one_object_at_info_whose_numbers_are_numbers() {
    // See the first test.
    let _second = Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let guard = log.begin_as_json();
    let server = Running::locked().await;
    let asked = [
        ("GET", "/healthz", "/healthz", 200, None),
        ("GET", "/api/v1/turns/CANARY", "/api/v1/turns/{id}", 401, Some("unauthenticated")),
        ("PUT", "/readyz", "/readyz", 405, Some("method_not_allowed")),
    ];
    let mut ids = Vec::new();
    for (method, path, ..) in asked {
        ids.push(server.ask(method, path, &[], "").await.header("x-request-id").unwrap().to_owned());
    }
    drop(guard);
    let text = log.text();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answered: Vec<_> = lines.iter().filter(|line| line["message"] == "request answered").collect();
    assert_eq!(answered.len(), asked.len(), "{text}");
    for ((line, id), (method, _, route, status, code)) in answered.into_iter().zip(&ids).zip(asked) {
        assert_eq!(line["level"], "INFO", "{line}");
        assert_eq!((&line["method"], &line["route"]), (&method.into(), &route.into()), "{line}");
        assert_eq!((&line["status"], line["code"].as_str()), (&status.into(), code), "{line}");
        assert!(line["ms"].is_u64(), "{line}");
        assert_eq!(line["request_id"], id.as_str(), "{line}");
        assert_eq!(line.to_string().matches(id.as_str()).count(), 1, "it is named once: {line}");
    }
}

#[tokio::test]
async fn the_log_says_who_read_the_data_of_another_user() {
    // See the first test.
    let _second = Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let guard = log.begin();
    let server = Running::locked().await;
    let key = format!("x-api-key: {}", server.token);
    for path in ["/api/v1/turns", "/api/v1/turns?user=ada%0aFORGED", "/api/v1/sessions?user=ada"] {
        assert_eq!(server.ask("GET", path, &[&*key], "").await.status, 200, "{path}");
    }
    drop(guard);
    let text = log.text();
    let read: Vec<&str> = text.lines().filter(|line| line.contains("data of another user is read")).collect();
    assert_eq!(read.len(), 2, "{text}");
    for (line, user) in read.into_iter().zip([r"user=ada\nFORGED", "user=ada"]) {
        assert!(line.contains("reader=local") && line.ends_with(user), "{line}");
    }
}

#[tokio::test]
async fn lines_about_a_turn_name_the_trace_of_its_caller() {
    // See the first test.
    let _second = Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let guard = log.begin_as_json();
    let mut server = Running::open().await;
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    for head in [&[&*format!("traceparent: 00-{trace}-00f067aa0ba902b7-01")][..], &[]] {
        server.ask("POST", "/api/v1/turns", head, r#"{"message":"Hello"}"#).await;
    }
    server.stop();
    assert!(server.stopped().await);
    drop(guard);
    let text = log.text();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let failed: Vec<_> = lines.iter().filter(|line| line["message"] == "model call failed").collect();
    let [traced, other] = &*failed else { panic!("not two lines: {text}") };
    let (traced, other) = if traced["span"].is_null() { (other, traced) } else { (traced, other) };
    assert_eq!((&traced["span"]["trace"], &traced["span"]["id"]), (&trace.into(), &traced["turn"]), "{traced}");
    assert_eq!((&other["span"], other["turn"].is_string()), (&serde_json::Value::Null, true), "{other}");
}
