//! An agent with its own tool, which keeps a count in the session and sends data to the client.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use futures_util::StreamExt;
use turnkit::core::{Data, DecidedWait, NewWait, Resolution};
use turnkit::engine::Run;
use turnkit::engine::permission::Decision;
use turnkit::llm::offline::OfflineResponder;
use turnkit::{
    AgentFlow, BoxFuture, Engine, EventKind, PartKind, RawJson, RunEvent, Session, ToolDefinition, ToolError,
    ToolOutput,
};

/// An agent with its own calculator tool. It counts the sums in the session.
struct Bookkeeper {
    tools: Vec<ToolDefinition>,
}

impl Bookkeeper {
    fn new() -> Result<Self, serde_json::Error> {
        let parameters = r#"{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}"#;
        Ok(Self { tools: vec![ToolDefinition::new("calculator", "Adds numbers.", parameters)?] })
    }
}

impl AgentFlow for Bookkeeper {
    fn instructions(&self, session: &Session) -> Option<String> {
        Some(format!(
            "You keep the books. Sums so far: {}.",
            session.metadata.get("sums").map_or(0, |sums| sums.as_u64().unwrap_or(0))
        ))
    }

    fn tools(&self) -> Vec<ToolDefinition> {
        self.tools.clone()
    }

    fn execute_tool<'a>(
        &'a self,
        _: &'a str,
        arguments: &'a RawJson,
        session: &'a Session,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let arguments: serde_json::Value =
                arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))?;
            let expression = arguments["expression"].as_str().unwrap_or_default();
            let terms = expression.split('+').map(|term| term.trim().parse::<i64>());
            let sum: i64 = terms
                .sum::<Result<_, _>>()
                .map_err(|_| ToolError::Failed("I can only add whole numbers".to_owned()))?;
            let sums = session.metadata.get("sums").and_then(serde_json::Value::as_u64).unwrap_or(0) + 1;
            Ok(ToolOutput {
                data: RawJson::of(&sum).ok().map(|payload| Data { kind: "sum".to_owned(), payload }),
                session_metadata: serde_json::json!({ "sums": sums }).as_object().cloned(),
                ..sum.to_string().into()
            })
        })
    }
}

/// Prints the events of a run. Returns the calls that wait for a decision of the host.
async fn show(mut run: Run<'_>) -> Vec<NewWait> {
    while let Some(event) = run.next().await {
        match event {
            RunEvent::Delta { kind: PartKind::Text, text, .. } => print!("{text}"),
            RunEvent::Delta { .. } => {} // reasoning, and arguments of calls
            RunEvent::Progress(progress) => println!("[{}]", progress.text),
            RunEvent::Event(event) => match event.kind {
                EventKind::ToolStarted { name, arguments, .. } => println!("[{name} {}]", arguments.0),
                EventKind::Data { kind, payload, .. } => println!("[{kind}: {}]", payload.get()),
                EventKind::TurnEnded { status, .. } => println!("\n[{}]", status.as_str()),
                _ => {}
            },
            RunEvent::Waiting(waits) => return waits,
        }
    }
    Vec::new()
}

/// Approves every call: this host has no user to ask.
fn approve(wait: &NewWait) -> DecidedWait {
    println!("[{} is approved]", wait.question.name);
    wait.decided(Resolution::APPROVED)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Without this rule, the agent's own tools run without approval.
    let engine = Engine::builder(OfflineResponder).rule("calculator", Decision::Ask).build();
    let flow = Bookkeeper::new()?;
    let mut session = engine.new_session("bookkeeper");
    for question in ["What is 19 + 23?", "And 1 + 2 + 3?"] {
        println!("> {question}");
        let mut waiting = show(engine.run(&flow, &mut session, question)).await;
        // A waiting turn continues with the host's decisions.
        while !waiting.is_empty() {
            let decisions = waiting.iter().map(approve).collect();
            waiting = show(engine.resume(&flow, &mut session, decisions)?).await;
        }
    }
    println!("sums so far: {}", session.metadata["sums"]);
    Ok(())
}
