//! Tests the client against real sockets: the requests it sends, the responses it accepts, and the error of each
//! failure.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinSet, coop};
use tokio::time::timeout;
use turnkit_net::{Body, ClientOptions, HttpClient, NetError, Target};

/// Time limit for events that should happen at once.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers one connection with `reply` and closes it. Returns the address, and a future of the request it reads.
async fn serve(reply: &'static str) -> (String, impl Future<Output = String>) {
    let (url, listener) = listen().await;
    let served = async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let request = read_request(&mut socket).await;
        socket.write_all(reply.as_bytes()).await.unwrap();
        request
    };
    (url, served)
}

async fn listen() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    (format!("http://{}/v1", listener.local_addr().unwrap()), listener)
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut seen = Vec::new();
    while !seen.ends_with(b"{\"a\":1}") {
        let mut buffer = [0; 1024];
        let read = socket.read(&mut buffer).await.unwrap();
        assert_ne!(read, 0, "the request ended early: {}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8(seen).unwrap()
}

/// Opens a response with a chunked body and returns its socket and its unread body.
async fn begun() -> (TcpStream, Body) {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let server = async {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        socket.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.unwrap();
        socket
    };
    let (socket, response) = tokio::join!(server, client.post(&target, "{\"a\":1}".into()));
    (socket, response.unwrap().into_body())
}

fn client() -> HttpClient {
    HttpClient::new(&ClientOptions { max_body: 64, ..ClientOptions::default() })
}

async fn failure(url: &str) -> NetError {
    client().post(&Target::new(url).unwrap(), "{\"a\":1}".into()).await.unwrap_err()
}

#[tokio::test]
async fn a_request_carries_headers_and_body_and_the_response_its_parts() {
    let (url, served) = serve("HTTP/1.1 429 Slow\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nwait").await;
    let target = Target::new(&url).unwrap().secret_header("authorization", "Bearer secret").unwrap();
    assert!(!format!("{target:?}").contains("secret"));

    let client = client();
    let (request, response) = tokio::join!(served, client.post(&target, "{\"a\":1}".into()));
    let response = response.unwrap();
    assert!(request.starts_with("POST /v1 HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer secret\r\n"), "{request}");
    assert_eq!((response.status(), response.header("retry-after")), (429, Some("7")));
    assert_eq!(response.into_body().collect(64).await.unwrap(), b"wait");
}

#[tokio::test]
async fn a_request_without_a_body_declares_it_in_its_head() {
    for method in ["GET", "DELETE"] {
        let (url, listener) = listen().await;
        let (client, target) = (client(), Target::new(&url).unwrap().header("accept", "text/plain").unwrap());
        let server = async {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut head = [0; 1024];
            let read = socket.read(&mut head).await.unwrap();
            socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await.unwrap();
            String::from_utf8_lossy(&head[..read]).into_owned()
        };
        let sent = async { if method == "GET" { client.get(&target).await } else { client.delete(&target).await } };
        let (head, response) = tokio::join!(server, sent);
        assert!(head.starts_with(&format!("{method} /v1 HTTP/1.1\r\n")), "{head}");
        assert!(head.contains("accept: text/plain\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(!head.contains("transfer-encoding"), "{head}");
        assert_eq!(response.unwrap().into_body().collect(64).await.unwrap(), b"hi");
    }
}

#[tokio::test]
async fn the_user_of_an_address_becomes_a_header_unless_there_is_one() {
    for (user, header, expected) in [
        ("me:p%40ss@", None, Some("Basic bWU6cEBzcw==")),
        ("me@", None, Some("Basic bWU6")),
        (":secret@", None, Some("Basic OnNlY3JldA==")),
        ("me:pass@", Some("Bearer key"), Some("Bearer key")),
        ("", None, None),
    ] {
        let (url, served) = serve("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let mut target = Target::new(&url.replace("http://", &format!("http://{user}"))).unwrap();
        if let Some(value) = header {
            target = target.secret_header("authorization", value).unwrap();
        }
        assert!(!format!("{target:?}").contains("Basic"), "{target:?}");
        let client = client();
        let (request, response) = tokio::join!(served, client.post(&target, "{\"a\":1}".into()));
        assert_eq!(response.unwrap().status(), 200);
        let sent = request.lines().find_map(|line| line.strip_prefix("authorization: "));
        assert_eq!(sent, expected, "{request}");
    }
}

#[tokio::test]
async fn a_connection_is_reused_and_a_closed_one_is_replaced() {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let server = async {
        for requests in [2, 1] {
            let (mut socket, _) = listener.accept().await.unwrap();
            for _ in 0..requests {
                read_request(&mut socket).await;
                socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await.unwrap();
            }
        }
    };
    let asked = async {
        for _ in 0..3 {
            let response = client.post(&target, "{\"a\":1}".into()).await.unwrap();
            assert_eq!(response.into_body().collect(64).await.unwrap(), b"hi");
        }
    };
    tokio::join!(server, asked);
}

#[tokio::test]
async fn unused_connections_are_kept_up_to_a_number_and_for_a_time() {
    let kept = ClientOptions::default();
    for (options, expected) in [
        (kept, 2),
        (ClientOptions { idle_per_host: 1, ..kept }, 3),
        (ClientOptions { idle_per_host: 0, ..kept }, 4),
        (ClientOptions { idle_timeout: Duration::ZERO, ..kept }, 4),
    ] {
        let (url, listener) = listen().await;
        let (client, target) = (HttpClient::new(&options), Target::new(&url).unwrap());
        let asked = async {
            for _ in 0..2 {
                let one = client.post(&target, "{\"a\":1}".into()).await.unwrap();
                let other = client.post(&target, "{\"a\":1}".into()).await.unwrap();
                for response in [one, other] {
                    assert_eq!(response.into_body().collect(64).await.unwrap(), b"hi");
                }
            }
        };
        assert_eq!(connections_for(listener, HI, asked).await, expected, "{options:?}");
    }
}

#[tokio::test]
async fn a_response_without_a_body_need_not_be_read() {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let asked = async {
        for _ in 0..3 {
            client.post(&target, "{\"a\":1}".into()).await.unwrap();
        }
    };
    assert_eq!(connections_for(listener, b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", asked).await, 1);
}

const HI: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi";

/// Returns how many connections are opened while `asked` runs. Each request on each connection is answered with
/// `reply`.
async fn connections_for(listener: TcpListener, reply: &'static [u8], asked: impl Future<Output = ()>) -> usize {
    let (mut opened, mut served) = (0, JoinSet::new());
    let server = async {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            opened += 1;
            served.spawn(async move {
                while socket.peek(&mut [0]).await.is_ok_and(|length| length > 0) {
                    read_request(&mut socket).await;
                    socket.write_all(reply).await.unwrap();
                }
            });
        }
    };
    tokio::select! {
        () = asked => {}
        () = server => {}
    }
    opened
}

#[tokio::test]
async fn a_request_that_may_have_been_read_is_not_sent_again() {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let server = async {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        socket.write_all(HI).await.unwrap();
        read_request(&mut socket).await;
        listener
    };
    let asked = async {
        let response = client.post(&target, "{\"a\":1}".into()).await.unwrap();
        assert_eq!(response.into_body().collect(64).await.unwrap(), b"hi");
        assert_eq!(client.post(&target, "{\"a\":1}".into()).await.unwrap_err(), NetError::Incomplete);
    };
    let (listener, ()) = tokio::join!(server, asked);
    assert!(listener.accept().now_or_never().is_none());
}

#[tokio::test]
async fn all_chunks_of_one_read_are_ready_at_once() {
    let (url, served) =
        serve("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nto\r\n3\r\nken\r\n1\r\ns\r\n0\r\n\r\n").await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let (_, response) = tokio::join!(served, client.post(&target, "{\"a\":1}".into()));
    let mut body = response.unwrap().into_body();
    for piece in ["to", "ken", "s"] {
        assert_eq!(body.next().now_or_never(), Some(Some(Ok(piece.into()))));
    }
    assert_eq!(body.next().now_or_never(), Some(None));
}

/// Counts how often it wakes.
#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn the_last_waker_is_woken_once_per_arrival_and_not_by_reading() {
    let (mut socket, mut body) = begun().await;
    let (first, last) = (Arc::new(Wakes::default()), Arc::new(Wakes::default()));
    for piece in ["to", "ken"] {
        for task in [&first, &last, &last] {
            assert_eq!(body.poll_next_unpin(&mut Context::from_waker(&Arc::clone(task).into())), Poll::Pending);
        }
        let before = last.0.load(Ordering::SeqCst);
        socket.write_all(format!("{}\r\n{piece}\r\n", piece.len()).as_bytes()).await.unwrap();
        let woken = async {
            while last.0.load(Ordering::SeqCst) == before {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, woken).await.unwrap();
        let mut cx = Context::from_waker(Waker::noop());
        assert_eq!(body.poll_next_unpin(&mut cx), Poll::Ready(Some(Ok(piece.into()))));
        assert_eq!(body.poll_next_unpin(&mut cx), Poll::Pending);
        assert_eq!(last.0.load(Ordering::SeqCst), before + 1);
    }
    assert_eq!(first.0.load(Ordering::SeqCst), 0);
    drop(socket);
    assert_eq!(body.next().await, Some(Err(NetError::Incomplete)));
}

#[test]
fn a_task_without_budget_yields_before_it_reads_on() {
    let (done, is_done) = mpsc::sync_channel(1);
    let work = async move {
        let (mut socket, mut body) = begun().await;
        while coop::has_budget_remaining() {
            coop::consume_budget().await;
        }
        let read = async {
            let first = body.next().await;
            (first, body.next().now_or_never())
        };
        let (read, written) = tokio::join!(read, socket.write_all(b"2\r\nto\r\n"));
        written.unwrap();
        assert_eq!(read, (Some(Ok("to".into())), None));
        done.send(()).unwrap();
    };
    // In `block_on`, unlike in a spawned task, tokio wakes a task without budget at once. If that repeated forever, no
    // timer of this runtime would fire. So another thread waits.
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    std::thread::spawn(move || runtime().block_on(work));
    is_done.recv_timeout(PATIENCE).unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_share_a_client_and_each_reads_its_own_response() {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let server = async {
        let mut served = JoinSet::new();
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            served.spawn(async move {
                while socket.peek(&mut [0]).await.is_ok_and(|length| length > 0) {
                    read_request(&mut socket).await;
                    socket.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").await.unwrap();
                    for _ in 0..10 {
                        tokio::task::yield_now().await;
                        socket.write_all(b"2\r\nhi\r\n").await.unwrap();
                    }
                    socket.write_all(b"0\r\n\r\n").await.unwrap();
                }
            });
        }
    };
    let mut readers = JoinSet::new();
    for _ in 0..16 {
        let (client, target) = (client.clone(), target.clone());
        readers.spawn(async move {
            for _ in 0..50 {
                let response = client.post(&target, "{\"a\":1}".into()).await.unwrap();
                assert_eq!(response.into_body().collect(64).await.unwrap(), b"hihihihihihihihihihi");
            }
        });
    }
    tokio::select! {
        done = readers.join_all() => assert_eq!(done.len(), 16),
        () = server => {}
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer_not_an_order() {
    let (url, served) =
        serve("HTTP/1.1 301 Moved\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n").await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let (_, response) = tokio::join!(served, client.post(&target, "{\"a\":1}".into()));
    assert_eq!(response.unwrap().status(), 301);
}

#[tokio::test]
async fn a_body_has_a_limit_and_must_be_complete() {
    let long = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789";
    for (reply, expected) in [
        (long, NetError::TooLarge),
        ("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123", NetError::Incomplete),
        ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n0123\r\n", NetError::Incomplete),
    ] {
        let (url, served) = serve(reply).await;
        let (client, target) = (client(), Target::new(&url).unwrap());
        let (_, response) = tokio::join!(served, client.post(&target, "{\"a\":1}".into()));
        assert_eq!(response.unwrap().into_body().collect(1000).await, Err(expected));
    }
}

#[tokio::test]
async fn dropping_a_response_closes_its_connection() {
    let (url, listener) = listen().await;
    let (client, target) = (client(), Target::new(&url).unwrap());
    let server = async {
        let (mut socket, _) = listener.accept().await.unwrap();
        read_request(&mut socket).await;
        socket.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n").await.unwrap();
        socket.read(&mut [0; 16]).await.unwrap_or(0)
    };
    let reader = async {
        let mut body = client.post(&target, "{\"a\":1}".into()).await.unwrap().into_body();
        assert_eq!(body.next().await.unwrap().unwrap(), "hi");
    };
    let (closed, ()) = tokio::join!(server, reader);
    assert_eq!(closed, 0);
}

#[tokio::test]
async fn failures_to_connect_are_distinguished() {
    assert_eq!(failure("http://no-such-host.invalid/").await, NetError::Dns);

    let (url, listener) = listen().await;
    drop(listener);
    assert_eq!(failure(&url).await, NetError::Refused);

    let (url, served) = serve_any(b"HTTP/1.1 400 this is not TLS\r\n\r\n").await;
    let secure = url.replace("http:", "https:");
    let ((), error) = tokio::join!(served, failure(&secure));
    assert!(matches!(error, NetError::Tls(_)), "{error:?}");

    let (url, served) = serve_any(b"").await;
    let ((), error) = tokio::join!(served, failure(&url));
    assert_eq!(error, NetError::Incomplete);
}

/// Answers the first bytes of one connection, whatever they are, and closes it gracefully.
async fn serve_any(reply: &'static [u8]) -> (String, impl Future<Output = ()>) {
    let (url, listener) = listen().await;
    let served = async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let read = socket.read(&mut [0; 4096]).await.unwrap();
        assert_ne!(read, 0);
        socket.write_all(reply).await.unwrap();
        socket.shutdown().await.unwrap();
        while socket.read(&mut [0; 4096]).await.unwrap_or(0) > 0 {}
    };
    (url, served)
}

#[tokio::test]
async fn a_connection_that_is_never_established_times_out() {
    let options = ClientOptions { connect_timeout: Duration::from_millis(50), ..ClientOptions::default() };
    // An unanswered TLS handshake counts as connecting.
    let (url, _listener) = listen().await;
    let target = Target::new(&url.replace("http:", "https:")).unwrap();
    let error = HttpClient::new(&options).post(&target, "{}".into()).await.unwrap_err();
    assert_eq!(error, NetError::ConnectTimeout);
}

#[test]
fn an_invalid_target_is_explained() {
    for bad in ["", "not a url", "ftp://host/", "/v1"] {
        assert!(matches!(Target::new(bad), Err(NetError::Address(_))), "{bad}");
    }
    let target = Target::new("http://HOST:8080/v1").unwrap();
    assert_eq!(target.host(), "host");
    assert_eq!(target.header("authorization", "a\nb").unwrap_err(), NetError::Header("authorization".to_owned()));
}
