//! How a server ends.

use crate::running::Running;

#[tokio::test]
async fn a_server_that_stops_ends_its_streams_and_its_idle_connections() {
    let mut server = Running::open().await;
    let (mut stream, mut idle) = (server.wire().await, server.wire().await);
    idle.send("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    assert_eq!(idle.reply().await.status, 200);
    stream.send("GET /api/v1/probe HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    stream.read_past("\"number\":1").await;

    server.stop();
    assert_eq!(idle.rest().await, "");
    // Ended as a stream ends, not cut: the last chunk is there.
    let rest = stream.rest().await;
    assert!(rest.ends_with("0\r\n\r\n") && !rest.contains("\"number\":4"), "{rest}");
    assert!(server.stopped().await);
}

#[tokio::test]
async fn a_request_that_is_being_sent_is_answered_before_the_end() {
    let mut server = Running::open().await;
    let token = server.token.clone();
    let mut wire = server.wire().await;
    let head = format!("POST /api/v1/keys HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n");
    wire.send(format!("{head}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 12\r\n\r\n"))
        .await;
    assert_eq!(wire.reply().await.status, 100);
    server.stop();
    wire.send(r#"{"name":"a"}"#).await;
    let reply = wire.reply().await;
    assert_eq!((reply.status, reply.header("connection")), (201, Some("close")));
    assert!(server.stopped().await);
}
