//! Tests a provider on a real socket that stalls, disconnects, rejects requests, or keeps sending.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::io::Write as _;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use turnkit_core::ports::{CallContext, LlmProvider, OpenedAnswer};
use turnkit_core::{
    Answer, ChatRequest, FinishReason, Fold, History, Message, ModelName, Params, Phase, ProviderError,
    ProviderErrorKind as Kind, ToolChoice, TurnId,
};
use turnkit_llm::{Endpoint, EndpointError, Provider, Secret, Timeouts, Wire};

const KEY: &str = "key-1234";
const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const HELLO: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hello\"}}]}\n\n";
const STOP: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";
/// A wait that no test is expected to reach.
const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(60);

fn call() -> CallContext {
    CallContext { turn: TurnId::default(), step: 1, attempt: 1 }
}

fn timeouts() -> Timeouts {
    Timeouts { connect: LONG, first_event: LONG, idle: LONG, total: LONG }
}

fn endpoint(base_url: &str, timeouts: Timeouts) -> Endpoint {
    Endpoint {
        base_url: Some(base_url.to_owned()),
        api_key: Some(Secret::new(KEY)),
        models: vec![ModelName("small".into())],
        timeouts,
        ..Endpoint::new("main", Wire::OpenaiChat)
    }
}

fn request() -> ChatRequest {
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: Arc::new([]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

/// The server side of one connection.
struct Upstream {
    listener: TcpListener,
    url: String,
}

impl Upstream {
    async fn listen() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        Self { listener, url }
    }

    /// Accepts a connection and reads its request.
    async fn accept(&self) -> (TcpStream, String) {
        let (mut socket, _) = self.listener.accept().await.unwrap();
        let request = read_request(&mut socket).await;
        (socket, request)
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut seen = String::new();
    while !is_whole(&seen) {
        let mut buffer = [0; 4096];
        let read = socket.read(&mut buffer).await.unwrap();
        assert_ne!(read, 0, "the request ended early: {seen}");
        seen.push_str(std::str::from_utf8(&buffer[..read]).unwrap());
    }
    seen
}

fn is_whole(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    body.len() >= length.parse().unwrap()
}

/// Sends chunks of a body.
async fn send(socket: &mut TcpStream, pieces: &[&str]) {
    for piece in pieces {
        socket.write_all(format!("{:x}\r\n{piece}\r\n", piece.len()).as_bytes()).await.unwrap();
    }
}

async fn ask(base_url: &str, timeouts: Timeouts) -> Result<OpenedAnswer, ProviderError> {
    Provider::new(endpoint(base_url, timeouts)).unwrap().stream(request(), &call()).await
}

/// Reads an answer to its end.
async fn follow(mut opened: OpenedAnswer) -> Result<Answer, ProviderError> {
    let mut fold = Fold::new(TurnId::default(), 1);
    while let Some(batch) = opened.deltas.next().await {
        batch?.iter().try_for_each(|delta| fold.push(delta))?;
    }
    fold.finish()
}

/// Returns the outcome of a call whose upstream sends `reply` and then keeps the connection open until the call has
/// ended.
async fn held(reply: &[&str], timeouts: Timeouts) -> Result<Answer, ProviderError> {
    let upstream = Upstream::listen().await;
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        socket.write_all(HEAD.as_bytes()).await.unwrap();
        send(&mut socket, reply).await;
        std::future::pending::<()>().await;
    };
    let call = async { follow(ask(&upstream.url, timeouts).await?).await };
    tokio::select! { answer = call => answer, () = serve => unreachable!("it serves for ever") }
}

/// Returns the outcome of a call whose upstream sends exactly these bytes and closes.
async fn closed(reply: String) -> Result<Answer, ProviderError> {
    let upstream = Upstream::listen().await;
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        socket.write_all(reply.as_bytes()).await.unwrap();
        socket.shutdown().await.unwrap();
    };
    let call = async { follow(ask(&upstream.url, timeouts()).await?).await };
    tokio::join!(serve, call).1
}

fn chunked(pieces: &[&str]) -> String {
    let chunks = pieces.iter().map(|piece| format!("{:x}\r\n{piece}\r\n", piece.len()));
    format!("{HEAD}{}", chunks.collect::<String>())
}

#[tokio::test]
async fn an_answer_is_requested_and_followed() {
    let upstream = Upstream::listen().await;
    let serve = async {
        let (mut socket, request) = upstream.accept().await;
        socket.write_all(HEAD.as_bytes()).await.unwrap();
        send(&mut socket, &[": busy\n\n", HELLO, STOP, DONE]).await;
        socket.write_all(b"0\r\n\r\n").await.unwrap();
        request
    };
    let call = async {
        let opened = ask(&format!("{}/", upstream.url), timeouts()).await.unwrap();
        assert_eq!((opened.provider.as_str(), opened.model.as_str()), ("main", "small"));
        follow(opened).await.unwrap()
    };
    let (request, answer) = tokio::join!(serve, call);
    assert_eq!(answer.text(), "hello");
    assert!(request.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer key-1234\r\n"), "{request}");
    assert!(request.contains(r#"{"model":"small","messages":[{"role":"user","content":"hi"}]"#), "{request}");
}

#[tokio::test]
async fn every_wire_asks_at_its_address_with_its_key_and_reads_its_answer() {
    let anthropic = concat!(
        "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\n",
        "data: {\"type\":\"message_stop\"}\n\n",
    );
    let responses = concat!(
        "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"hello\"}\n\n",
        "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
    );
    let gemini =
        "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hello\"}]},\"finishReason\":\"STOP\"}]}\n\n";
    for (wire, path, headers, reply) in [
        (Wire::OpenaiChat, "/v1/chat/completions", &["authorization: Bearer key-1234"][..], [HELLO, STOP].concat()),
        (Wire::OpenaiResponses, "/v1/responses", &["authorization: Bearer key-1234"], responses.to_owned()),
        (
            Wire::Anthropic,
            "/v1/messages",
            &["x-api-key: key-1234", "anthropic-version: 2023-06-01"],
            anthropic.to_owned(),
        ),
        (
            Wire::Gemini,
            "/v1/models/small:streamGenerateContent?alt=sse",
            &["x-goog-api-key: key-1234"],
            gemini.to_owned(),
        ),
    ] {
        let upstream = Upstream::listen().await;
        let serve = async {
            let (mut socket, request) = upstream.accept().await;
            socket.write_all(chunked(&[&reply]).as_bytes()).await.unwrap();
            socket.write_all(b"0\r\n\r\n").await.unwrap();
            request
        };
        let call = async {
            let endpoint = Endpoint { wire, ..endpoint(&upstream.url, timeouts()) };
            follow(Provider::new(endpoint).unwrap().stream(request(), &call()).await.unwrap()).await.unwrap()
        };
        let (request, answer) = tokio::join!(serve, call);
        assert_eq!((answer.text().as_str(), answer.finish), ("hello", FinishReason::Stop), "{wire:?}");
        assert!(request.starts_with(&format!("POST {path} HTTP/1.1\r\n")), "{request}");
        for header in headers {
            assert!(request.contains(&format!("{header}\r\n")), "{wire:?}: {request}");
        }
    }
}

#[tokio::test]
async fn a_requested_model_is_called_at_its_own_address() {
    let upstream = Upstream::listen().await;
    let endpoint = Endpoint { wire: Wire::Gemini, ..endpoint(&upstream.url, timeouts()) };
    let provider = Provider::new(endpoint).unwrap();
    let request = ChatRequest { model: Some(ModelName("large".into())), ..request() };
    let context = call();
    let (accepted, _) = tokio::join!(upstream.accept(), async {
        tokio::time::timeout(SHORT, provider.stream(request, &context)).await.err()
    });
    assert!(accepted.1.starts_with("POST /v1/models/large:streamGenerateContent?alt=sse "), "{}", accepted.1);
}

#[tokio::test]
async fn a_connection_is_reused() {
    let upstream = Upstream::listen().await;
    let provider = Provider::new(endpoint(&upstream.url, timeouts())).unwrap();
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        for _ in 0..3 {
            socket.write_all(HEAD.as_bytes()).await.unwrap();
            send(&mut socket, &[HELLO, STOP, DONE]).await;
            socket.write_all(b"0\r\n\r\n").await.unwrap();
            read_request(&mut socket).await;
        }
        socket.write_all(chunked(&[HELLO, STOP, DONE]).as_bytes()).await.unwrap();
    };
    let calls = async {
        for _ in 0..4 {
            follow(provider.stream(request(), &call()).await.unwrap()).await.unwrap();
        }
    };
    tokio::join!(serve, calls);
}

#[tokio::test]
async fn a_buffered_answer_is_an_answer() {
    let body = r#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}"#;
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
    assert_eq!(closed(head + body).await.unwrap().text(), "hello");
}

#[tokio::test]
async fn silence_is_a_timeout_of_its_phase() {
    let first_event = Timeouts { first_event: SHORT, ..timeouts() };
    let idle = Timeouts { idle: SHORT, ..timeouts() };
    let total = Timeouts { total: SHORT, ..timeouts() };
    for (reply, timeouts, phase) in [
        (&[][..], first_event, Phase::FirstEvent),
        (&[HELLO], idle, Phase::Idle),
        (&[": busy\n\n"], idle, Phase::Idle),
        (&[], total, Phase::Total),
        (&[HELLO], total, Phase::Total),
    ] {
        let error = held(reply, timeouts).await.unwrap_err();
        assert_eq!(error.kind, Kind::Timeout(phase), "{reply:?}");
    }
}

#[tokio::test]
async fn a_missing_response_head_is_a_first_event_timeout() {
    let upstream = Upstream::listen().await;
    let serve = async {
        let _held = upstream.accept().await;
        std::future::pending::<()>().await;
    };
    let call = ask(&upstream.url, Timeouts { first_event: SHORT, ..timeouts() });
    let error =
        tokio::select! { opened = call => opened.err().unwrap(), () = serve => unreachable!("it never answers") };
    assert_eq!(error.kind, Kind::Timeout(Phase::FirstEvent));
}

/// Simulates a process that was stopped: when the timer fires, the rest of the answer is in the socket, and the runtime
/// has not polled the socket yet. The clock jumps to the limit as soon as there is no other work.
#[tokio::test]
async fn data_in_the_socket_is_read_before_a_timeout_counts() {
    let events = chunked(&[HELLO, STOP, DONE]).split_off(HEAD.len()) + "0\r\n\r\n";
    let rest = chunked(&[STOP, DONE]).split_off(HEAD.len()) + "0\r\n\r\n";
    let longer = Timeouts { connect: LONG, first_event: 2 * LONG, idle: 2 * LONG, total: 3 * LONG };
    for (before, after, timeouts) in [
        (String::new(), format!("{HEAD}{events}"), Timeouts { first_event: LONG, ..longer }),
        (HEAD.to_owned(), events, Timeouts { first_event: LONG, ..longer }),
        (chunked(&[HELLO]), rest.clone(), Timeouts { idle: LONG, ..longer }),
        (chunked(&[HELLO]), rest, Timeouts { total: LONG, ..longer }),
    ] {
        let upstream = Upstream::listen().await;
        let mut call = pin!(async { follow(ask(&upstream.url, timeouts).await?).await });
        let serve = async {
            let (mut socket, _) = upstream.accept().await;
            socket.write_all(before.as_bytes()).await.unwrap();
            socket.into_std().unwrap()
        };
        let mut socket = tokio::select! { _ = &mut call => unreachable!("it must wait"), socket = serve => socket };
        tokio::time::pause();
        let (stopped, mut after) = (Instant::now(), Some(after));
        let answer = std::future::poll_fn(|cx| {
            if stopped.elapsed() > LONG / 2
                && let Some(after) = after.take()
            {
                socket.write_all(after.as_bytes()).unwrap();
            }
            call.as_mut().poll(cx)
        });
        assert_eq!(answer.await.unwrap().text(), "hello", "{timeouts:?} after {before:?}");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn comments_keep_an_answer_alive() {
    let upstream = Upstream::listen().await;
    let patience = Timeouts { first_event: LONG, idle: Duration::from_secs(1), ..timeouts() };
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        socket.write_all(HEAD.as_bytes()).await.unwrap();
        // Together longer than the idle time, but each pause is much shorter.
        for _ in 0..24 {
            send(&mut socket, &[": busy\n\n"]).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        send(&mut socket, &[HELLO, STOP, DONE]).await;
    };
    let call = async { follow(ask(&upstream.url, patience).await?).await };
    assert_eq!(tokio::join!(serve, call).1.unwrap().text(), "hello");
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_never_complete() {
    for (reply, expected) in [
        (chunked(&[HELLO]), Kind::Truncated),
        (chunked(&[HELLO]) + "0\r\n\r\n", Kind::Truncated),
        (chunked(&[]) + "0\r\n\r\n", Kind::Overloaded),
        (chunked(&[": busy\n\n"]) + "0\r\n\r\n", Kind::Overloaded),
        (chunked(&[DONE]) + "0\r\n\r\n", Kind::Overloaded),
        (chunked(&[HELLO, "data: {oops\n\n"]), Kind::BadResponse),
        (chunked(&[HELLO, "event: error\ndata: {\"error\":{\"type\":\"rate_limit_error\"}}\n\n"]), Kind::RateLimited),
        ("HTTP/1.1 204 No Content\r\n\r\n".to_owned(), Kind::Overloaded),
        ("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>".to_owned(), Kind::BadResponse),
        (
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{\"id\":\"\"}".to_owned(),
            Kind::BadResponse,
        ),
        (String::new(), Kind::Truncated),
    ] {
        let error = closed(reply.clone()).await.unwrap_err();
        assert_eq!(error.kind, expected, "{reply}");
        assert!(error.message.starts_with("main: "), "{}", error.message);
    }
}

#[tokio::test]
async fn a_finished_answer_is_complete_for_any_end_of_its_connection() {
    assert_eq!(closed(chunked(&[HELLO, STOP])).await.unwrap().text(), "hello");
    assert_eq!(closed(chunked(&[HELLO, STOP, DONE])).await.unwrap().text(), "hello");
    assert_eq!(held(&[HELLO, DONE], timeouts()).await.unwrap().text(), "hello");
    let impatient = Timeouts { idle: SHORT, ..timeouts() };
    assert_eq!(held(&[HELLO, STOP], impatient).await.unwrap().text(), "hello");
}

#[tokio::test]
async fn a_reset_is_a_network_failure() {
    let upstream = Upstream::listen().await;
    let provider = Provider::new(endpoint(&upstream.url, timeouts())).unwrap();
    let (go, wait) = tokio::sync::oneshot::channel::<()>();
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        socket.write_all(chunked(&[HELLO]).as_bytes()).await.unwrap();
        wait.await.unwrap();
        socket.set_zero_linger().unwrap();
    };
    let call = async {
        let opened = provider.stream(request(), &call()).await.unwrap();
        go.send(()).unwrap();
        follow(opened).await.unwrap_err()
    };
    assert_eq!(tokio::join!(serve, call).1.kind, Kind::Network);
}

#[tokio::test]
async fn dropping_an_answer_closes_the_connection() {
    let upstream = Upstream::listen().await;
    let serve = async {
        let (mut socket, _) = upstream.accept().await;
        socket.write_all(chunked(&[HELLO]).as_bytes()).await.unwrap();
        socket.read(&mut [0; 16]).await.unwrap_or(0)
    };
    let call = async {
        let mut opened = ask(&upstream.url, timeouts()).await.unwrap();
        assert!(opened.deltas.next().await.unwrap().is_ok());
    };
    assert_eq!(tokio::join!(serve, call).0, 0);
}

#[tokio::test]
async fn a_rejection_has_its_kind_and_its_wait() {
    let body =
        format!(r#"{{"error":{{"message":"slow down, {KEY}","type":"requests","code":"rate_limit_exceeded"}}}}"#);
    let length = body.len();
    let head = format!("HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: {length}\r\n\r\n");
    let error = closed(head + &body).await.unwrap_err();
    assert_eq!((error.kind, error.status), (Kind::RateLimited, Some(429)));
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
    assert_eq!(error.code.as_deref(), Some("rate_limit_exceeded"));
    assert_eq!(error.message, "main: the provider limits the rate of requests (HTTP 429): slow down, ***");

    // No part of a key remains if the message is truncated within the key.
    for length in [0, 250, 300, 320, 330, 335, 340, 345, 350] {
        let body = format!(r#"{{"error":{{"message":"{}{KEY}","code":"{KEY}"}}}}"#, "x".repeat(length));
        let head = format!("HTTP/1.1 400 No\r\ncontent-length: {}\r\n\r\n", body.len());
        let error = closed(head + &body).await.unwrap_err();
        assert!(!error.message.contains("xk"), "{}", error.message);
        assert_eq!(error.code.as_deref(), Some("***"));
    }

    // The explanation may be in an encoding that the request did not accept.
    let unread = "; its explanation could not be read: the response";
    for (encoding, why) in [
        ("zstd", r#"is encoded as "zstd", which was not asked for and cannot be read"#),
        ("br", "is not the br that its content-encoding says"),
    ] {
        let head = format!("HTTP/1.1 400 No\r\ncontent-encoding: {encoding}\r\ncontent-length: 6\r\n\r\n");
        let error = closed(head + "(=/X`!").await.unwrap_err();
        assert_eq!((error.kind, error.status), (Kind::BadRequest, Some(400)), "{encoding}");
        assert_eq!(error.message, format!("main: the provider refused the request (HTTP 400){unread} {why}"));
    }

    // The explanation may never arrive.
    let error = closed("HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\n{".to_owned()).await.unwrap_err();
    assert_eq!((error.kind, error.status), (Kind::Overloaded, Some(503)));

    let redirect = "HTTP/1.1 301 Moved\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n";
    assert_eq!(closed(redirect.to_owned()).await.unwrap_err().kind, Kind::BadResponse);
}

#[tokio::test]
async fn a_refused_connection_is_a_network_failure() {
    let upstream = Upstream::listen().await;
    let url = upstream.url.clone();
    drop(upstream);
    for base_url in [url.as_str(), "http://no-such-host.invalid/v1"] {
        assert_eq!(ask(base_url, timeouts()).await.err().unwrap().kind, Kind::Network, "{base_url}");
    }
}

#[tokio::test]
async fn a_connection_that_is_never_established_is_a_connect_timeout() {
    let upstream = Upstream::listen().await;
    // An unanswered TLS handshake counts as connecting.
    let url = upstream.url.replace("http:", "https:");
    let error = ask(&url, Timeouts { connect: SHORT, ..timeouts() }).await.err().unwrap();
    assert_eq!(error.kind, Kind::Timeout(Phase::Connect));
    assert_eq!(error.message, "main: connecting took too long");
}

#[test]
fn an_invalid_endpoint_names_the_setting_to_change() {
    let good = endpoint("http://host/v1", timeouts());
    assert!(!format!("{:?}", Provider::new(good.clone()).unwrap()).contains(KEY));
    for (bad, expected) in [
        (Endpoint { models: vec![], ..good.clone() }, "provider main: models is empty; name at least one model"),
        (
            Endpoint { base_url: Some("host/v1".to_owned()), ..good.clone() },
            "provider main: base_url: not a usable address",
        ),
        (
            Endpoint { api_key: Some(Secret::new("a\nb")), ..good },
            "provider main: api_key contains characters that are not allowed",
        ),
    ] {
        let error: EndpointError = Provider::new(bad).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}
