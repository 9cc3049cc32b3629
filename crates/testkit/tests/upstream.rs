//! The fake upstream writes exactly what its script says.
#![expect(clippy::unwrap_used, reason = "a socket that fails fails the test")]

use std::io::ErrorKind;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use turnkit_testkit::{Counts, FakeUpstream, Gate, Response};

fn hello() -> Value {
    json!({ "model": "m", "stream": true, "messages": [{ "role": "user", "content": "hi" }] })
}

async fn post(upstream: &FakeUpstream, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(upstream.address()).await.unwrap();
    send(&mut stream, &body.to_string()).await;
    stream
}

async fn send(stream: &mut TcpStream, body: &str) {
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: fake\r\nX-Test: yes\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
}

/// Reads a response that ends with the connection or with an error. Returns its head, its raw body and the error.
async fn rest(stream: &mut TcpStream) -> (String, Vec<u8>, Option<ErrorKind>) {
    let mut bytes = Vec::new();
    let error = stream.read_to_end(&mut bytes).await.err().map(|error| error.kind());
    let (head, body) = halves(&bytes);
    (head, body, error)
}

/// Reads until the response contains `end`.
async fn until(stream: &mut TcpStream, end: &str) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    while !bytes.windows(end.len()).any(|window| window == end.as_bytes()) {
        assert!(stream.read_buf(&mut bytes).await.unwrap() > 0, "the connection ended before {end:?}");
    }
    halves(&bytes)
}

fn halves(bytes: &[u8]) -> (String, Vec<u8>) {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
    (String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end..].to_vec())
}

/// Parses the chunks of a chunked body, and reports whether the final chunk arrived.
fn chunks(mut body: &[u8]) -> (Vec<Vec<u8>>, bool) {
    let mut chunks = Vec::new();
    while let Some(line) = body.windows(2).position(|window| window == b"\r\n") {
        let length = usize::from_str_radix(str::from_utf8(&body[..line]).unwrap(), 16).unwrap();
        if length == 0 {
            return (chunks, true);
        }
        chunks.push(body[line + 2..line + 2 + length].to_vec());
        body = &body[line + 4 + length..];
    }
    (chunks, false)
}

#[tokio::test]
async fn a_text_is_streamed_as_chat_completion_chunks() {
    let upstream = FakeUpstream::start([Response::text("Hello there")]).await.unwrap();
    let (head, body) = until(&mut post(&upstream, &hello()).await, "\r\n0\r\n\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"), "{head}");
    let (chunks, ended) = chunks(&body);
    assert!(ended);
    let events: Vec<_> = chunks.iter().map(|chunk| String::from_utf8(chunk.clone()).unwrap()).collect();
    let words: String = events
        .iter()
        .filter_map(|event| serde_json::from_str::<Value>(event.strip_prefix("data: ")?).ok())
        .filter_map(|event| event["choices"][0]["delta"]["content"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(words, "Hello there");
    assert!(events[3].contains(r#""finish_reason":"stop""#) && events[4].contains(r#""prompt_tokens":10"#));
    assert_eq!(events[5], "data: [DONE]\n\n");
}

#[tokio::test]
async fn requests_are_kept_and_connections_reused() {
    let upstream =
        FakeUpstream::start([Response::text("one"), Response::json(200, &json!({ "ok": 1 }))]).await.unwrap();
    let mut stream = post(&upstream, &hello()).await;
    until(&mut stream, "\r\n0\r\n\r\n").await;
    send(&mut stream, &hello().to_string()).await;
    let (head, _) = until(&mut stream, r#"{"ok":1}"#).await;
    assert!(head.contains("content-length: 8\r\n"), "{head}");

    let requests = upstream.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[0].path.as_str(), requests[0].header("x-test")), ("/v1/chat/completions", Some("yes")));
    assert_eq!(requests[1].json(), hello());
    drop(stream);
    upstream.wait_closed().await;
    assert_eq!(upstream.counts(), Counts { connections: 1, requests: 2, ..Counts::default() });
}

#[tokio::test]
async fn a_body_can_be_split_at_every_byte() {
    let response = Response::text("čau 👋");
    let upstream = FakeUpstream::start([response.clone().split_every(1)]).await.unwrap();
    let (_, body) = until(&mut post(&upstream, &hello()).await, "\r\n0\r\n\r\n").await;
    let (chunks, _) = chunks(&body);
    assert!(chunks.iter().all(|chunk| chunk.len() == 1));
    assert_eq!(chunks.concat(), response.body());
}

#[tokio::test]
async fn lines_can_end_with_cr_and_lf_and_comments_come_between() {
    let body = Response::stream().comment("PROCESSING").delta(json!({ "content": "a" })).done().crlf().body();
    let body = String::from_utf8(body).unwrap();
    assert!(body.starts_with(": PROCESSING\r\n\r\ndata: {"), "{body}");
    assert!(body.ends_with("\r\n\r\ndata: [DONE]\r\n\r\n"), "{body}");
    assert_eq!(body.matches('\n').count(), body.matches("\r\n").count());
}

#[tokio::test]
async fn a_cut_closes_the_connection_after_exactly_so_many_bytes() {
    let response = Response::text("Hello there");
    for bytes in [0, 1, 100, response.body().len()] {
        let upstream = FakeUpstream::start([response.clone().cut_at(bytes)]).await.unwrap();
        let (_, body, error) = rest(&mut post(&upstream, &hello()).await).await;
        let (chunks, ended) = chunks(&body);
        assert_eq!((chunks.concat(), ended, error), (response.body()[..bytes].to_vec(), false, None));
        upstream.wait_closed().await;
        assert_eq!(upstream.counts().abandoned, 0);
    }
}

#[tokio::test]
async fn a_cut_buffered_answer_is_shorter_than_it_claims() {
    let upstream = FakeUpstream::start([Response::json(200, &json!({ "ok": 1 })).cut_at(3)]).await.unwrap();
    let (head, body, error) = rest(&mut post(&upstream, &hello()).await).await;
    assert!(head.contains("content-length: 8\r\n"), "{head}");
    assert_eq!((body.as_slice(), error), (br#"{"o"#.as_slice(), None));
}

#[tokio::test]
async fn a_reset_reaches_the_client_as_a_reset() {
    let gate = Gate::new();
    let response = Response::stream().delta(json!({ "content": "a" })).wait(&gate).reset();
    let upstream = FakeUpstream::start([response]).await.unwrap();
    let mut stream = post(&upstream, &hello()).await;
    until(&mut stream, "\n\n\r\n").await;
    gate.open();
    let error = stream.read_to_end(&mut Vec::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn garbage_errors_and_headers_arrive_as_they_are() {
    let script = [
        Response::stream().raw(b"\xff\xfe{{").cut(),
        Response::status(429, "slow down").header("retry-after", "2"),
        Response::stream().delta(json!({ "content": "a" })).error("overloaded", "529").cut(),
    ];
    let upstream = FakeUpstream::start(script).await.unwrap();
    let (_, body, _) = rest(&mut post(&upstream, &hello()).await).await;
    assert_eq!(chunks(&body).0, [b"\xff\xfe{{"]);

    let (head, body) = until(&mut post(&upstream, &hello()).await, "slow down\",\"type\":\"error\"}}").await;
    assert!(head.starts_with("HTTP/1.1 429 Too Many Requests\r\n") && head.contains("retry-after: 2\r\n"), "{head}");
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["error"]["message"], "slow down");

    let (_, body, _) = rest(&mut post(&upstream, &hello()).await).await;
    let last = chunks(&body).0.pop().unwrap();
    assert_eq!(last, b"data: {\"error\":{\"code\":\"529\",\"message\":\"overloaded\"}}\n\n");
}

#[tokio::test]
async fn a_client_that_leaves_is_noticed() {
    let upstream = FakeUpstream::start([Response::text("never whole").hang_at(50)]).await.unwrap();
    let mut stream = post(&upstream, &hello()).await;
    until(&mut stream, "data: ").await;
    assert_eq!(upstream.counts().open_connections, 1);
    drop(stream);
    upstream.wait_abandoned().await;
    upstream.wait_closed().await;
    assert_eq!(upstream.counts(), Counts { connections: 1, requests: 1, abandoned: 1, ..Counts::default() });
}

#[tokio::test]
async fn a_gate_holds_the_stream_until_the_test_opens_it() {
    let gate = Gate::new();
    let response = Response::stream().delta(json!({ "content": "a" })).wait(&gate).done().sleep(Duration::ZERO);
    let upstream = FakeUpstream::start([response.pace(Duration::from_millis(1))]).await.unwrap();
    let mut stream = post(&upstream, &hello()).await;
    let (_, before) = until(&mut stream, "\n\n\r\n").await;
    assert!(!String::from_utf8(before).unwrap().contains("[DONE]"));
    gate.reached().await;
    gate.open();
    let mut after = Vec::new();
    while !after.ends_with(b"0\r\n\r\n") {
        assert!(stream.read_buf(&mut after).await.unwrap() > 0);
    }
    assert!(String::from_utf8(after).unwrap().contains("data: [DONE]"));
}

#[tokio::test]
async fn a_malformed_transcript_is_refused_and_takes_no_response() {
    let upstream = FakeUpstream::start([]).await.unwrap();
    let mut malformed = hello();
    malformed["messages"] =
        json!([{ "role": "assistant", "content": "I speak first" }, { "role": "user", "content": "?" }]);
    let (head, body) = until(&mut post(&upstream, &malformed).await, "}}").await;
    assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{head}");
    let message = serde_json::from_slice::<Value>(&body).unwrap()["error"]["message"].clone();
    assert_eq!(message, "malformed transcript: message 0: the conversation must begin with the user");
    assert_eq!(upstream.requests()[0].violations.len(), 1);

    upstream.push(Response::status(503, "later"));
    let cases = [(hello().to_string(), "503"), (hello().to_string(), "500"), ("{".to_owned(), "400")];
    for (body, status) in cases {
        let mut stream = TcpStream::connect(upstream.address()).await.unwrap();
        send(&mut stream, &body).await;
        let (head, _) = until(&mut stream, "}}").await;
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{head}");
    }
    assert_eq!(upstream.wait_for(|counts| counts.requests == 4).await.requests, 4);
}
