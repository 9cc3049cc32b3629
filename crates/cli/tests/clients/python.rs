//! Python's standard library.

use tokio::process::Command;

use crate::program::{Running, named_by, script};
use crate::protocols::PROTOCOLS;
use crate::server::Server;

#[tokio::test]
async fn python_reads_a_turn_in_every_protocol() {
    let Some(python) = named_by("TURNKIT_PYTHON") else { return };
    let server = Server::offline().await;
    for protocol in &PROTOCOLS {
        let mut command = Command::new(&python);
        let reader = Running::start(command.arg(script("read.py")).arg(protocol.request(&server)));
        let (turn, events) = reader.read_all().await;
        protocol.agrees(&server, &turn, &events).await;
    }
}
