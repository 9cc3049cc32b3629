//! Tests of the operator's view, and of the shape of every response.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use turnkit_core::StoreError;
use turnkit_server::{Readiness, Settings};
use turnkit_testkit::model_store::{Disk, ModelStore, Pause};

use crate::running::Running;

/// Starts a server on an in-memory store. Once the server has started, every operation of the store runs `fault`.
async fn with_fault(fault: fn() -> StoreError, settings: Settings) -> Running {
    let has_started = Arc::new(AtomicBool::new(false));
    let is_faulty = Arc::clone(&has_started);
    let store = ModelStore::open(&Disk::default()).pausing(move |pause| {
        let fails = pause == Pause::BeforeCommit && is_faulty.load(Ordering::SeqCst);
        Box::pin(async move { if fails { Err(fault()) } else { Ok(()) } })
    });
    let server = Running::on(Arc::new(store), settings).await;
    has_started.store(true, Ordering::SeqCst);
    server
}

#[tokio::test]
async fn a_request_that_panics_gets_a_response_and_the_server_continues() {
    let page = "https://listed.example";
    let settings = Settings { allowed_origins: vec![page.to_owned()], ..Settings::default() };
    let server = with_fault(|| panic!("the key\nexploded"), settings).await;
    let head = [format!("authorization: Bearer {}", server.token), format!("origin: {page}")];
    for _ in 0..3 {
        let path = "/api/v1/keys/00000000-0000-7000-8000-000000000000";
        let reply = server.ask("DELETE", path, &head.each_ref().map(String::as_str), "").await;
        assert_eq!((reply.status, reply.code().as_str()), (500, "unavailable"));
        assert_eq!(reply.json()["error"]["retryable"], false, "asked again it would panic again");
        assert_eq!(reply.header("access-control-allow-origin"), Some(page), "a page may read that it failed");
        assert!(!reply.body.contains("exploded"));
        assert_eq!(server.ask("GET", "/healthz", &[], "").await.status, 200);
    }
}

#[tokio::test]
async fn messages_of_the_storage_reach_only_the_log() {
    let full = || StoreError::Full("/secret/path is full".to_owned());
    let server = with_fault(full, Settings::default()).await;
    let reply = server.ask_as(&server.token, "POST", "/api/v1/keys", r#"{"name":"a"}"#).await;
    assert_eq!((reply.status, reply.code().as_str()), (507, "storage_full"));
    assert!(!reply.body.contains("secret"), "{}", reply.body);
}

#[tokio::test]
async fn a_refusal_has_one_shape_and_every_answer_an_id() {
    let server = Running::open().await;
    let refused = server.ask("GET", "/no/such/route", &["x-request-id: mine"], "").await;
    let id = refused.header("x-request-id").unwrap();
    let expected = serde_json::json!({
        "error": {
            "code": "not_found",
            "message": "not found",
            "type": "invalid_request_error",
            "param": null,
            "request_id": id,
            "retryable": false,
        }
    });
    assert_eq!((refused.status, refused.json()), (404, expected));
    assert_eq!(refused.header("content-type"), Some("application/json"));

    let answered = server.ask("GET", "/healthz", &[], "").await;
    assert_eq!(answered.body, r#"{"status":"ok"}"#);
    assert_ne!(answered.header("x-request-id").unwrap(), id);
    for reply in [refused, answered] {
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert_eq!((reply.header("server"), reply.header("content-encoding")), (None, None));
    }
}

#[tokio::test]
async fn a_wrong_method_is_answered_with_the_allowed_ones() {
    let server = Running::open().await;
    for (method, path, allow) in [
        ("POST", "/healthz", "GET,HEAD"),
        ("PUT", "/api/v1/keys", "GET,HEAD,POST"),
        ("GET", "/api/v1/keys/1", "DELETE"),
    ] {
        let reply = server.ask(method, path, &[], "").await;
        assert_eq!((reply.status, reply.code().as_str()), (405, "method_not_allowed"), "{method} {path}");
        assert_eq!(reply.header("allow"), Some(allow), "{method} {path}");
    }
    let head = server.ask("HEAD", "/healthz", &["connection: close"], "").await;
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[tokio::test]
async fn a_server_whose_database_answers_is_ready() {
    let server = Running::open().await;
    let reply = server.ask("GET", "/readyz", &[], "").await;
    let readiness: Readiness = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((reply.status, readiness.status.as_str(), readiness.degraded.len()), (200, "ready", 0));
}

#[tokio::test]
async fn a_server_that_accepts_no_turns_is_not_ready() {
    let server = Running::open().await;
    server.service.close();
    let reply = server.ask("GET", "/readyz", &[], "").await;
    let readiness: Readiness = serde_json::from_str(&reply.body).unwrap();
    assert_eq!((reply.status, readiness.status.as_str()), (503, "degraded"));
    assert_eq!(readiness.degraded, ["turns"]);
}

#[tokio::test]
async fn requests_are_counted_by_pattern_and_never_by_path() {
    let server = Running::open().await;
    for path in ["/readyz", "/readyz?a=1", "/no/such/route", "/nor/this", "/api/v1/keys/SECRET"] {
        server.ask("GET", path, &[], "").await;
    }
    server.ask("FROB", "/readyz", &[], "").await;
    let mut probe = server.wire().await;
    probe.send("GET /api/v1/probe HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    probe.read_past("\"number\":1").await;

    let metrics = server.ask("GET", "/metrics", &[], "").await;
    for line in [
        r#"turnkit_http_requests_total{method="GET",route="/readyz",status="2xx"} 2"#,
        r#"turnkit_http_requests_total{method="GET",route="none",status="4xx"} 2"#,
        r#"turnkit_http_requests_total{method="GET",route="/api/v1/keys/{id}",status="4xx"} 1"#,
        r#"turnkit_http_requests_total{method="other",route="/readyz",status="4xx"} 1"#,
        "turnkit_http_connections ",
        "turnkit_streams 1",
        "turnkit_streams_written_bytes_total ",
        "turnkit_build_info{version=",
        "turnkit_turns_running 0",
        "turnkit_turns_waiting 0",
        "turnkit_turns_accepted_total 0",
        "turnkit_turns_resumed_total 0",
        r#"turnkit_turns_ended_total{status="completed"} 0"#,
        r#"turnkit_turn_duration_seconds_bucket{le="+Inf"} 0"#,
        "turnkit_turn_first_output_seconds_count 0",
        "turnkit_turn_preparation_seconds_count 0",
        "turnkit_model_wait_seconds_count 0",
        "turnkit_model_answer_seconds_count 0",
        "turnkit_tool_duration_seconds_sum 0.0",
        r#"turnkit_commit_duration_seconds_bucket{le="0.0001"} 0"#,
        "turnkit_turn_input_tokens_count 0",
        "turnkit_turn_output_tokens_count 0",
        r#"turnkit_turn_cost_usd_bucket{le="0.0001"} 0"#,
        "# EOF",
    ] {
        assert!(metrics.body.contains(line), "{line} is not in\n{}", metrics.body);
    }
    assert!(!metrics.body.contains("SECRET"));
}

#[tokio::test]
async fn the_probe_sends_four_events_with_their_times() {
    let server = Running::open().await;
    let mut wire = server.wire().await;
    wire.send("GET /api/v1/probe HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").await;
    let head = wire.read_past("\r\n\r\n").await;
    for line in ["content-type: text/event-stream", "cache-control: no-cache, no-transform", "x-accel-buffering: no"] {
        assert!(head.contains(line), "{head}");
    }
    for number in 1..=4 {
        wire.read_past(&format!("event: probe\ndata: {{\"number\":{number},\"of\":4,\"at\":\"20")).await;
    }
    assert!(wire.rest().await.ends_with("0\r\n\r\n"));
}
