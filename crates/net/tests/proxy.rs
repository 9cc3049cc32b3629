//! Tests the client behind a proxy, against real sockets.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use turnkit_net::{ClientOptions, HttpClient, NetError, Proxy, Target};

/// Returns a listener on loopback and its address.
async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    (listener, address)
}

/// Reads up to the end of a request's head.
async fn head(socket: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(socket.read_u8().await.unwrap());
    }
    String::from_utf8(head).unwrap()
}

fn client(proxy: &str) -> HttpClient {
    HttpClient::with_proxy(Some(Proxy::new(proxy, "").unwrap()), &ClientOptions::default())
}

async fn failure(client: &HttpClient, url: &str) -> NetError {
    client.get(&Target::new(url).unwrap()).await.unwrap_err()
}

#[tokio::test]
async fn a_secure_connection_goes_through_a_tunnel_of_the_proxy() {
    let (proxy, address) = listener().await;
    let served = async {
        let (mut socket, _) = proxy.accept().await.unwrap();
        let head = head(&mut socket).await;
        socket.write_all(b"HTTP/1.1 200 Connection established\r\nvia: proxy\r\n\r\n").await.unwrap();
        let mut hello = vec![0; 4096];
        let read = socket.read(&mut hello).await.unwrap();
        hello.truncate(read);
        // A response that is not TLS.
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        (head, hello)
    };
    let client = client(&format!("http://me:pass@{address}"));
    let ((head, hello), error) = tokio::join!(served, failure(&client, "https://llm.example/v1"));
    assert!(head.starts_with("CONNECT llm.example:443 HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("\r\nHost: llm.example:443\r\n"), "{head}");
    assert!(head.contains("\r\nProxy-Authorization: Basic bWU6cGFzcw==\r\n"), "{head}");
    assert_eq!(hello.first(), Some(&22), "a TLS handshake follows");
    assert!(hello.windows(11).any(|bytes| bytes == b"llm.example"), "the handshake names the host");
    assert!(matches!(error, NetError::Tls(_)), "{error:?}");
}

#[tokio::test]
async fn a_refused_tunnel_is_reported_with_its_reason_and_without_the_password() {
    let refused = "refuses to connect to the provider, or cannot";
    for (user, response, why) in [
        ("", &b"HTTP/1.1 403 Forbidden\r\n\r\n"[..], refused),
        ("", b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 2\r\n\r\nno", refused),
        ("", b"SSH-2.0-server\r\n\r\n", refused),
        ("", b"", "closed the connection"),
        ("", b"HTTP/1.1 407 No\r\n\r\n", "requires a user and a password, as in http://user:password@host"),
        ("me:hidden@", b"HTTP/1.1 407 No\r\n\r\n", "does not accept the user and password of its address"),
    ] {
        let (proxy, address) = listener().await;
        let served = async {
            let (mut socket, _) = proxy.accept().await.unwrap();
            head(&mut socket).await;
            socket.write_all(response).await.unwrap();
        };
        let client = client(&format!("http://{user}{address}"));
        let ((), error) = tokio::join!(served, failure(&client, "https://llm.example/v1"));
        assert_eq!(error.to_string(), format!("the proxy {address}: {why}"));
    }
}

#[tokio::test]
async fn an_unreachable_proxy_is_named_in_the_error() {
    let (proxy, address) = listener().await;
    drop(proxy);
    let error = failure(&client(&address), "https://llm.example/v1").await;
    assert_eq!(error, NetError::Proxy { host: address, reason: "the connection was refused".to_owned() });
    let error = failure(&client("http://proxy.invalid:3128"), "https://llm.example/v1").await;
    assert_eq!(error.to_string(), "the proxy proxy.invalid:3128: the host name could not be resolved");
}

#[tokio::test]
async fn plain_addresses_and_exceptions_are_reached_without_the_proxy() {
    let (proxy, address) = listener().await;
    drop(proxy);
    let client = client(&address);
    let (server, direct) = listener().await;
    let served = async {
        let (mut socket, _) = server.accept().await.unwrap();
        let head = head(&mut socket).await;
        socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await.unwrap();
        head
    };
    let target = Target::new(&format!("http://{direct}/v1")).unwrap();
    let (head, response) = tokio::join!(served, client.get(&target));
    assert!(head.starts_with("GET /v1 HTTP/1.1\r\n"), "{head}");
    assert_eq!(response.unwrap().into_body().collect(2).await.unwrap(), b"hi");

    // The name does not resolve, and it is looked up only without a proxy.
    let exempt = Proxy::new("http://127.0.0.1:1", "nobody.invalid").unwrap();
    let exempt = HttpClient::with_proxy(Some(exempt), &ClientOptions::default());
    assert_eq!(failure(&exempt, "https://nobody.invalid/").await, NetError::Dns);
}
