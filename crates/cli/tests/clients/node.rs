//! Node.js: `fetch`, and the package `eventsource`.

use tokio::process::Command;

use crate::program::{Running, named_by, script};
use crate::protocols::PROTOCOLS;
use crate::returning::{Feed, Listener, check_reconnect};
use crate::server::Server;

#[tokio::test]
async fn node_reads_a_turn_in_every_protocol() {
    let Some(node) = named_by("TURNKIT_NODE") else { return };
    let server = Server::offline().await;
    for protocol in &PROTOCOLS {
        let mut command = Command::new(&node);
        let reader = Running::start(command.arg(script("read.mjs")).arg(protocol.request(&server)));
        let (turn, events) = reader.read_all().await;
        protocol.agrees(&server, &turn, &events).await;
    }
}

#[tokio::test]
async fn an_event_source_of_node_reconnects_after_the_server_was_killed() {
    let Some(node) = named_by("TURNKIT_NODE") else { return };
    let listen = |listener: &Listener| {
        let mut command = Command::new(&node);
        Running::start(command.arg(script("listen.cjs")).arg(listener.wanted().to_string()))
    };
    check_reconnect(Feed::Turn, listen).await;
}
