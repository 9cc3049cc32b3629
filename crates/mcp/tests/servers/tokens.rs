//! Servers that need access tokens of an identity provider.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use turnkit_core::ports::ToolSource as _;
use turnkit_mcp::{HttpServer, McpServer, Transport};
use turnkit_net::{Target, TokenEndpoint, TokenSettings, TokenSource};

use crate::proxy::relay;
use crate::raw::read;
use crate::support::{call, client, server, tool, with};
use crate::tickets::Tickets;
use crate::web::serve;

/// The number of requests that a server has answered.
type Count = Arc<AtomicUsize>;

/// Starts a server that answers each request, whose head and body it is given.
pub(crate) async fn answering<A: Future<Output = ()> + Send + 'static>(
    answer: impl Fn(TcpStream, String, Vec<u8>) -> A + Clone + Send + Sync + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move {
                let Some((head, body)) = read(&mut socket).await else { return };
                answer(socket, head, body).await;
            });
        }
    });
    address
}

pub(crate) async fn write(mut socket: TcpStream, status: u16, body: &Value) {
    let body = body.to_string();
    let (kind, length) = ("content-type: application/json\r\nconnection: close", body.len());
    let answer = format!("HTTP/1.1 {status} X\r\n{kind}\r\ncontent-length: {length}\r\n\r\n{body}");
    _ = socket.write_all(answer.as_bytes()).await;
}

/// Starts an identity provider that issues `access-token-1`, then `access-token-2`, and so on.
async fn identity_provider() -> (SocketAddr, Count) {
    let issued = Count::default();
    let count = Arc::clone(&issued);
    let answer = move |socket: TcpStream, _: String, _: Vec<u8>| {
        let number = count.fetch_add(1, Ordering::SeqCst) + 1;
        let token = json!({ "access_token": format!("access-token-{number}"), "expires_in": 600 });
        async move { write(socket, 200, &token).await }
    };
    (answering(answer).await, issued)
}

/// Starts a server of tickets that accepts this token only. Its calls return the header that they were sent with.
async fn guarded(accepted: &'static str) -> (SocketAddr, Count) {
    let (tickets, _) = serve(Tickets::new(ProtocolVersion::LATEST)).await;
    let calls = Count::default();
    let count = Arc::clone(&calls);
    let answer = move |mut socket: TcpStream, head: String, body: Vec<u8>| {
        let count = Arc::clone(&count);
        async move {
            let sent = head.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or_default();
            if sent != format!("Bearer {accepted}") {
                return write(socket, 401, &json!({ "error": "invalid_token" })).await;
            }
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            if message["method"] != "tools/call" {
                // The server closes the connection after its answer, which is then complete.
                let head = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
                return relay(&mut socket, tickets, &[head.as_bytes(), &body].concat()).await;
            }
            count.fetch_add(1, Ordering::SeqCst);
            let result = json!({ "resultType": "complete", "content": [{ "type": "text", "text": sent }] });
            write(socket, 200, &json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })).await;
        }
    };
    (answering(answer).await, calls)
}

/// Returns the server at this address, which gets its tokens from this provider.
fn server_with_tokens(address: SocketAddr, provider: SocketAddr) -> McpServer {
    let endpoint = TokenEndpoint::Url(format!("http://{provider}/token"));
    let settings = TokenSettings::new(endpoint, "desk", "the-secret-of-the-desk");
    let tokens = Arc::new(TokenSource::new(&settings, client()).unwrap());
    let target = Target::new(&format!("http://{address}/mcp")).unwrap();
    server(with(Transport::Http(HttpServer::new(client(), target).with_tokens(tokens))))
}

#[tokio::test]
async fn one_token_is_requested_for_concurrent_calls_and_is_not_shown() {
    let (provider, issued) = identity_provider().await;
    let (address, calls) = guarded("access-token-1").await;
    let server = server_with_tokens(address, provider);
    let listed = join_all((0..10).map(|_| server.tools(None))).await;
    assert!(listed.iter().all(Result::is_ok), "{:?}", listed.into_iter().find_map(Result::err));
    let find = tool(&server, "find").await;
    let arguments = json!({ "id": 7 });
    for output in join_all((0..50).map(|_| call(&find, &arguments))).await {
        assert_eq!(output.unwrap().content, "Bearer (secret)");
    }
    assert_eq!((issued.load(Ordering::SeqCst), calls.load(Ordering::SeqCst)), (1, 50));
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_and_the_request_is_sent_again() {
    let (provider, issued) = identity_provider().await;
    let (address, calls) = guarded("access-token-2").await;
    let server = server_with_tokens(address, provider);
    let close = tool(&server, "close").await;
    assert_eq!(call(&close, &json!({})).await.unwrap().content, "Bearer (secret)");
    assert_eq!((issued.load(Ordering::SeqCst), calls.load(Ordering::SeqCst)), (2, 1));
}

#[tokio::test]
async fn a_server_that_refuses_every_token_causes_no_more_than_two_requests_for_tokens() {
    let (provider, issued) = identity_provider().await;
    let (address, _) = guarded("another").await;
    let server = server_with_tokens(address, provider);
    for _ in 0..3 {
        let error = server.tools(None).await.err().unwrap();
        assert!(error.0.starts_with("the server refused the request with status 401"), "{error}");
    }
    assert_eq!(issued.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn without_a_token_nothing_is_sent_and_the_error_names_the_identity_provider() {
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (address, calls) = guarded("access-token-1").await;
    let server = server_with_tokens(address, gone);
    let error = server.tools(None).await.err().unwrap();
    assert!(error.0.starts_with("the identity provider 127.0.0.1 is unreachable"), "{error}");
    assert_eq!(calls.load(Ordering::SeqCst), 0);
    assert!(!error.0.contains("the-secret-of-the-desk"), "{error}");
}
