//! Tests of messages over a pipe, as a program writes them.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf};
use turnkit_core::ports::TurnPage;
use turnkit_core::{EventKind, Scope, TurnStatus};
use turnkit_engine::{FeedItem, FollowFrom};
use turnkit_testkit::{Gate, Reply};

use super::say;
use crate::running::{Piped, Setup};

/// The most requests that the server handles at once.
const REQUESTS: u64 = 64;

/// A client that writes and reads lines.
struct Peer {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Peer {
    fn new(pipe: DuplexStream) -> Self {
        let (output, input) = tokio::io::split(pipe);
        Self { input, output: BufReader::new(output).lines() }
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    /// Returns the next message of the server; `None` once the server has ended.
    async fn next(&mut self) -> Option<Value> {
        let line = self.output.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }
}

/// Returns how the turn in the session with this name ended, once it has.
async fn end_in_session(piped: &Piped, name: &str) -> TurnStatus {
    let scope = Scope::local();
    let page = TurnPage { limit: 100, ..TurnPage::default() };
    for turn in piped.store.turns(&scope, page).await.unwrap().turns {
        let session = piped.store.summary(&scope, turn.session).await.unwrap();
        if session.name.is_none_or(|session| session.as_str() != name) {
            continue;
        }
        let mut feed = piped.service.follow(&scope, turn.id, FollowFrom::Start).await.unwrap();
        while let Some(item) = feed.next().await.unwrap() {
            if let FeedItem::Event(event) = item
                && let EventKind::TurnEnded { status, .. } = event.kind
            {
                return status;
            }
        }
    }
    panic!("no turn in the session {name} has ended");
}

#[tokio::test]
async fn a_notification_is_handled_and_not_answered_while_as_many_requests_as_possible_are_handled() {
    let gate = Gate::new();
    let setup = Setup::always(Reply::new().say("Hello ").wait(&gate).say("there"));
    let (piped, pipe) = setup.pipe().await;
    let mut peer = Peer::new(pipe);
    let mut begun = BTreeSet::new();
    for id in 0..REQUESTS {
        let mut params = say("Hello");
        params["_meta"]["progressToken"] = json!(id);
        if id == 7 {
            params["arguments"]["session"] = json!("cancelled");
        }
        peer.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })).await;
        // The report of a turn's first step: the server follows the turn, and takes no other request in its place.
        let report = peer.next().await.unwrap();
        begun.insert(report["params"]["progressToken"].as_u64().unwrap());
    }
    assert_eq!(begun.len() as u64, REQUESTS, "{begun:?}");
    peer.send(&json!({ "jsonrpc": "2.0", "id": 64, "method": "ping" })).await;
    let refused = peer.next().await.unwrap();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(64), &json!(-32603)), "{refused}");

    peer.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    let params = json!({ "requestId": 7 });
    peer.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    assert_eq!(end_in_session(&piped, "cancelled").await, TurnStatus::Cancelled);
    gate.open();
    peer.input.shutdown().await.unwrap();
    let mut answered = BTreeSet::new();
    while let Some(message) = peer.next().await {
        assert!(message["result"].is_object() || message["method"].is_string(), "{message}");
        answered.extend(message["id"].as_u64());
    }
    let expected: BTreeSet<u64> = (0..REQUESTS).filter(|id| *id != 7).collect();
    assert_eq!(answered, expected, "a cancelled request has no response");
}
