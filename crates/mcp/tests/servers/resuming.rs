//! Streams of answers that are cut, and resumed by the events that arrived.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Barrier;

use crate::raw::read;
use crate::support::{call, server, settings, tool};

/// The number of calls whose streams are cut.
const CALLS: usize = 40;

/// Starts a server that cuts the stream of every answer after its first event. It answers no resumption before all
/// streams are resumed.
async fn cutting() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let all_resumed = Arc::new(Barrier::new(CALLS));
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let all_resumed = Arc::clone(&all_resumed);
            tokio::spawn(async move { serve(socket, &all_resumed).await });
        }
    });
    address
}

/// Answers one request, and closes its connection.
async fn serve(mut socket: TcpStream, all_resumed: &Barrier) {
    let Some((head, body)) = read(&mut socket).await else { return };
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let id = &message["id"];
    let reply = |id: &Value, result: &Value| json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
    let answer = match message["method"].as_str() {
        Some("initialize") => {
            let (capabilities, info) = (json!({ "tools": {} }), json!({ "name": "cutting", "version": "1" }));
            let result = json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "serverInfo": info });
            whole(200, "application/json", &reply(id, &result))
        }
        Some("tools/list") => {
            let tools = json!([{ "name": "find", "inputSchema": { "type": "object" } }]);
            whole(200, "application/json", &reply(id, &json!({ "tools": tools })))
        }
        // The body is shorter than its head says.
        Some("tools/call") => {
            format!("{}content-length: 1000\r\n\r\nid: {id}\ndata:\n\n", head_of(200, "text/event-stream"))
        }
        Some("server/discover") => whole(400, "text/plain", ""),
        Some(_) => whole(202, "text/plain", ""),
        None => match head.lines().find_map(|line| line.strip_prefix("last-event-id: ")) {
            Some(id) => {
                all_resumed.wait().await;
                let result = json!({ "content": [{ "type": "text", "text": id }] });
                let answer = reply(&serde_json::from_str(id).unwrap(), &result);
                whole(200, "text/event-stream", &format!("data: {answer}\n\n"))
            }
            None => whole(405, "text/plain", ""),
        },
    };
    _ = socket.write_all(answer.as_bytes()).await;
}

fn whole(status: u16, kind: &str, body: &str) -> String {
    format!("{}content-length: {}\r\n\r\n{body}", head_of(status, kind), body.len())
}

fn head_of(status: u16, kind: &str) -> String {
    format!("HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nmcp-session-id: s1\r\nconnection: close\r\n")
}

#[tokio::test]
async fn calls_whose_streams_are_cut_at_the_same_time_are_all_answered_after_a_resumption() {
    let find = tool(&server(settings(cutting().await)), "find").await;
    let no_arguments = json!({});
    let answers = join_all((0..CALLS).map(|_| call(&find, &no_arguments))).await;
    let mut answered: Vec<String> = answers.into_iter().map(|answer| answer.unwrap().content).collect();
    answered.sort();
    answered.dedup();
    assert_eq!(answered.len(), CALLS, "each call has the answer of its own stream");
}
