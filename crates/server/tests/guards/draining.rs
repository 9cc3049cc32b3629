//! Tests of how a server stops.

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
    // The stream ended properly and was not cut: the last chunk is there.
    let rest = stream.rest().await;
    assert!(rest.ends_with("0\r\n\r\n") && !rest.contains("\"number\":4"), "{rest}");
    assert!(server.stopped().await);
}

#[tokio::test]
async fn a_request_that_is_being_sent_is_answered_before_the_end_but_starts_no_turn() {
    let mut server = Running::open().await;
    let key = (server.wire().await, "/api/v1/keys", r#"{"name":"a"}"#, 201);
    let turn = (server.wire().await, "/api/v1/turns", r#"{"message":"Hello"}"#, 503);
    let mut requests = [key, turn];
    for (wire, path, body, _) in &mut requests {
        let token = &server.token;
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n");
        let body = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
        wire.send(format!("{head}{body}expect: 100-continue\r\n\r\n")).await;
        assert_eq!(wire.reply().await.status, 100);
    }
    let mut stream = server.wire().await;
    stream.send("GET /api/v1/probe HTTP/1.1\r\nhost: localhost\r\n\r\n").await;
    stream.read_past("\"number\":1").await;
    server.stop();
    stream.read_past("\r\n0\r\n\r\n").await;

    for (wire, path, body, status) in &mut requests {
        wire.send(body).await;
        let reply = wire.reply().await;
        assert_eq!((reply.status, reply.header("connection")), (*status, Some("close")), "{path}: {}", reply.body);
    }
    assert!(server.stopped().await);
}

#[tokio::test]
async fn a_request_that_never_ends_is_cut_in_the_end() {
    let mut server = Running::open().await;
    let mut wire = server.wire().await;
    let head = format!("POST /api/v1/keys HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n", server.token);
    wire.send(format!("{head}content-type: application/json\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n"))
        .await;
    assert_eq!(wire.reply().await.status, 100);
    wire.send("{").await;
    server.stop();
    assert_eq!(wire.rest().await, "");
    assert!(server.stopped().await);
}
