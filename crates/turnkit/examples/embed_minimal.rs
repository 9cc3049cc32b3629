//! A turn in a host program, without a server, a database or a key.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use futures_util::StreamExt;
use turnkit::llm::offline::OfflineResponder;
use turnkit::{AgentFlow, Engine, EventKind, PartKind, RunEvent, Session};

struct Assistant;

impl AgentFlow for Assistant {
    fn instructions(&self, _: &Session) -> Option<String> {
        Some("You are a helpful assistant.".to_owned())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let engine = Engine::builder(OfflineResponder).build();
    let mut session = engine.new_session("assistant");

    let mut run = engine.run(&Assistant, &mut session, "Hello, who is there?");
    while let Some(event) = run.next().await {
        match event {
            RunEvent::Delta { kind: PartKind::Text, text, .. } => print!("{text}"),
            RunEvent::Delta { .. } => {} // reasoning, and arguments of calls
            RunEvent::Progress(progress) => println!("[{}]", progress.text),
            RunEvent::Event(event) => {
                if let EventKind::TurnEnded { status, .. } = event.kind {
                    println!("\n[{}]", status.as_str());
                }
            }
            // The turn continues once the host has decided: see `custom_tool.rs`.
            RunEvent::Waiting(calls) => println!("\n[{} calls wait for a decision]", calls.len()),
        }
    }
    drop(run);
    println!("the session now has {} messages", session.history.len());
}
