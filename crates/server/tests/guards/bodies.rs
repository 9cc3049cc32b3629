//! Tests of the limits on the size, type and time of a body.

use std::time::Duration;

use turnkit_server::Settings;

use crate::running::Running;

const LIMIT: usize = 4096;

async fn server() -> Running {
    Running::with(Settings { body_bytes: LIMIT, ..Settings::default() }).await
}

/// Returns a valid request for a key, padded to this many bytes of JSON.
fn body_of(bytes: usize) -> String {
    let body = r#"{"name":"a key"}"#;
    format!("{body}{}", " ".repeat(bytes - body.len()))
}

fn chunked(body: &str) -> String {
    let chunks = body.as_bytes().chunks(1000).map(|chunk| String::from_utf8_lossy(chunk));
    let chunks: String = chunks.map(|chunk| format!("{:x}\r\n{chunk}\r\n", chunk.len())).collect();
    chunks + "0\r\n\r\n"
}

#[tokio::test]
async fn a_body_may_be_as_large_as_the_limit_and_no_larger() {
    let server = server().await;
    let head = format!(
        "POST /api/v1/keys HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n",
        server.token
    );
    for (bytes, status) in [(LIMIT, 201), (LIMIT + 1, 413)] {
        let body = body_of(bytes);
        let whole = server.send(format!("{head}content-length: {bytes}\r\n\r\n{body}")).await;
        assert_eq!(whole.status, status, "{}", whole.body);
        let in_chunks = server.send(format!("{head}transfer-encoding: chunked\r\n\r\n{}", chunked(&body))).await;
        assert_eq!(in_chunks.status, status, "{}", in_chunks.body);
        assert!(status == 201 || (whole.code() == "body_too_large" && in_chunks.code() == "body_too_large"));
    }
    let announced = server.send(format!("{head}content-length: 1000000000000\r\n\r\n")).await;
    assert_eq!((announced.status, announced.code().as_str()), (413, "body_too_large"));
}

#[tokio::test]
async fn the_limit_of_the_settings_is_the_only_one() {
    let server = Running::with(Settings { body_bytes: 4 << 20, ..Settings::default() }).await;
    let spaces = " ".repeat(3_000_000);
    for (path, body, status) in
        [("/api/v1/keys", r#"{"name":"a key"}"#, 201), ("/api/v1/turns", r#"{"message":"Hello"}"#, 202)]
    {
        let reply = server.ask_as(&server.token, "POST", path, &format!("{body}{spaces}")).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
    }
}

#[tokio::test]
async fn a_head_may_be_as_large_as_the_limit_and_no_larger() {
    let server = server().await;
    let start = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long: ";
    for (bytes, status) in [(16 * 1024, 200), (16 * 1024 + 1, 431), (64 * 1024, 431)] {
        let reply = server.send(format!("{start}{}\r\n\r\n", "a".repeat(bytes - start.len() - 4))).await;
        assert_eq!(reply.status, status, "{bytes}");
    }
    for (count, status) in [(98, 200), (100, 431)] {
        let many: String = (0..count).map(|number| format!("x-{number}: 1\r\n")).collect();
        let reply = server.send(format!("GET /healthz HTTP/1.1\r\nhost: localhost\r\n{many}\r\n")).await;
        assert_eq!(reply.status, status, "{count}");
    }
}

#[tokio::test]
async fn a_body_is_json_and_declares_its_type() {
    let server = server().await;
    let body = body_of(32);
    for (lines, status) in [
        ("content-type: application/json\r\n", 201),
        ("content-type: Application/JSON ; charset=utf-8\r\n", 201),
        ("content-type: application/json\r\ncontent-encoding: identity\r\n", 201),
        ("", 415),
        ("content-type: text/plain\r\n", 415),
        ("content-type: application/jsonp\r\n", 415),
        ("content-type: multipart/form-data; boundary=x\r\n", 415),
        ("content-type: application/json\r\ncontent-type: text/plain\r\n", 415),
        ("content-type: application/json\r\ncontent-encoding: gzip\r\n", 415),
        ("content-type: application/json\r\ncontent-encoding: identity, br\r\n", 415),
    ] {
        let token = &server.token;
        let head = format!("POST /api/v1/keys HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n{lines}");
        let reply = server.send(format!("{head}content-length: 32\r\n\r\n{body}")).await;
        assert_eq!(reply.status, status, "{lines}: {}", reply.body);
        assert!(status == 201 || reply.code() == "unsupported_media_type");
    }
}

#[tokio::test]
async fn no_body_is_of_any_type() {
    let server = server().await;
    for line in ["content-type: text/plain", "content-type: a\r\ncontent-type: b", "content-encoding: gzip", "x: y"] {
        let head = format!("POST /api/v1/turns/none/cancel HTTP/1.1\r\nhost: localhost\r\n{line}\r\n");
        let reply = server.send(format!("{head}content-length: 0\r\n\r\n")).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{line}");
    }
}

#[tokio::test]
async fn an_error_names_the_problem_of_a_body_without_repeating_its_data() {
    let server = server().await;
    for (body, status, code, message) in [
        ("", 400, "invalid_json", "line 1, column 0"),
        ("{", 400, "invalid_json", "line 1, column 1"),
        ("\u{feff}{}", 400, "invalid_json", "line 1, column 1"),
        (r#"{"name":"a"} SECRET"#, 400, "invalid_json", "line 1, column 14"),
        (r#"{"name":"\ud800 SECRET"}"#, 400, "invalid_json", "line 1"),
        (r#"{"name":5, "#, 400, "invalid_json", "line 1"),
        ("5", 422, "invalid_request", "body: must be an object"),
        (r#"{"name":5}"#, 422, "invalid_request", "name: must be a string"),
        (r#"{"name":"SECRET","other":1}"#, 422, "invalid_request", "other: unknown field"),
        (r#"{"name":"SECRET","a SECRET":1}"#, 422, "invalid_request", "(another field): unknown field"),
        (r#"{"name":"SECRET","name":"SECRET"}"#, 422, "invalid_request", "name: given twice"),
        (r#"{"user":"SECRET"}"#, 422, "invalid_request", "name: missing"),
        (r#"{"name":""}"#, 422, "invalid_request", "name: must not be empty"),
        (r#"{"name":"SECRET\n"}"#, 422, "invalid_request", "name: contains a control character"),
    ] {
        let reply = server.ask_as(&server.token, "POST", "/api/v1/keys", body).await;
        assert_eq!((reply.status, reply.code().as_str()), (status, code), "{body}: {}", reply.body);
        assert!(reply.body.contains(message), "{body}: {}", reply.body);
        assert!(!reply.body.contains("SECRET"), "{body}: {}", reply.body);
    }
}

#[tokio::test]
async fn a_body_that_trickles_is_given_up() {
    let server = Running::with(Settings { body_time: Duration::from_millis(100), ..Settings::default() }).await;
    for (framing, start) in [("content-length: 100", "{"), ("transfer-encoding: chunked", "1\r\n{\r\n")] {
        let head =
            format!("POST /api/v1/turns HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n{framing}");
        let reply = server.send(format!("{head}\r\n\r\n{start}")).await;
        assert_eq!((reply.status, reply.code().as_str()), (408, "timeout"), "{framing}");
    }
}

#[tokio::test]
async fn a_head_that_trickles_is_given_up() {
    let server = Running::with(Settings { head_time: Duration::from_millis(100), ..Settings::default() }).await;
    for start in ["", "GET /healthz HTTP/1.1\r\nhost: local"] {
        assert_eq!(server.send(start).await.status, 0, "{start}");
    }
}

#[tokio::test]
async fn an_error_reaches_a_client_that_continues_to_send() {
    let server = server().await;
    // The body is larger than the socket buffers, so the server rejects it while the client is still sending. Sending
    // must not fail, because most clients do not read a response after a failed write.
    let body = "a".repeat(16 * 1024 * 1024);
    let head = "POST /api/v1/turns HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let mut wire = server.wire().await;
    assert!(wire.send(format!("{head}content-length: {}\r\n\r\n{body}", body.len())).await);
    let reply = wire.reply().await;
    assert_eq!((reply.status, reply.code().as_str()), (413, "body_too_large"));
}
