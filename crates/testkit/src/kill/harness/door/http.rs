//! Sends commands as HTTP requests, and turns the server's responses into lines.

use std::io;
use std::sync::mpsc::SyncSender;

use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Runtime;
use turnkit_core::{ChildPlace, Resolution, TurnId, WaitId, WaitKind};

use super::Heard;
use super::reading::Reading;
use crate::http::HttpClient;
use crate::kill::host::AGENT_FOR_PERSON;
use crate::kill::protocol::{Asked, Command, Line, Request};
use crate::kill::{Chore, Task};

/// A client that starts turns in one protocol and follows them in another, with independent requests. If the host dies
/// before it responds, the request yields no line.
pub(super) struct Http {
    runtime: Option<Runtime>,
    tell: SyncSender<Heard>,
    host: Option<HttpClient>,
    /// Commands queued until the address of the host is known.
    waiting: Vec<Command>,
}

impl Http {
    pub(super) fn new(tell: SyncSender<Heard>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { runtime: Some(runtime), tell, host: None, waiting: Vec::new() })
    }

    pub(super) fn found(&mut self, address: &str) {
        self.host = Some(HttpClient::of(address));
        std::mem::take(&mut self.waiting).into_iter().for_each(|command| self.send(command));
    }

    pub(super) fn send(&mut self, command: Command) {
        let (Some(host), Some(runtime)) = (self.host.clone(), &self.runtime) else {
            return self.waiting.push(command);
        };
        let tell = self.tell.clone();
        runtime.spawn(async move {
            // An error means that the harness or the host has gone, so nothing is waiting for the response.
            let _ = match command {
                Command::Accept(request) => accept(&host, &tell, &request).await,
                Command::Follow { turn, after } => follow(&host, &tell, turn, after.as_deref()).await,
                Command::List => list(&host, &tell).await,
                Command::Children { turn } => children(&host, &tell, turn).await,
                Command::Decide { wait, resolution } => decide(&host, &tell, wait, &resolution).await,
                Command::Quit => Ok(()),
            };
        });
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Starts a turn like a client of the `named` protocol, whose sessions have names chosen by the client, and does not
/// read the answer. That protocol has no interactions. A turn that may wait is therefore started in the native
/// protocol, in a session of its own.
async fn accept(host: &HttpClient, tell: &SyncSender<Heard>, request: &Request) -> io::Result<()> {
    let Request { session, key, task } = request;
    let headers: Vec<(&str, &str)> = key.iter().map(|key| ("idempotency-key", key.as_str())).collect();
    if task.person {
        let tools = json!([{ "name": Chore::Show.tool(), "description": "Shows something.", "parameters": { "type": "object" } }]);
        let message = task.message()?.text();
        let body = json!({ "message": message, "agent": AGENT_FOR_PERSON, "interact": true, "client_tools": tools });
        let answer = host.post("/api/v1/turns", &headers, &body).await?;
        let turn = answer.json()["turn_id"].as_str().and_then(|id| id.parse().ok());
        return say(tell, accepted(task, turn, answer.status));
    }
    if let Some(picture) = task.picture() {
        // The protocol that starts the turn has no files, so the upload belongs to no turn.
        let picture = json!(String::from_utf8_lossy(&picture));
        host.post("/api/v1/files?name=picture", &[], &picture).await?;
    }
    let body = json!({ "session_id": session, "message": task.message()?.text() });
    let answer = host.post_for_events("/chat", &headers, &body).await?;
    let turn = answer.header("x-turn-id").and_then(|id| id.parse().ok()).filter(|_| answer.status() == 200);
    say(tell, accepted(task, turn, answer.status()))
}

fn accepted(task: &Task, turn: Option<TurnId>, status: u16) -> Line {
    let task = task.name.clone();
    match turn {
        Some(turn) => Line::Accepted { task, turn },
        None => Line::Refused { task, why: format!("status {status}") },
    }
}

/// Requests the waits that people are to decide.
async fn list(host: &HttpClient, tell: &SyncSender<Heard>) -> io::Result<()> {
    let listed = listed(host, "state=pending").await?;
    say(tell, listed.map_or_else(|why| Line::Failed { why }, |waits| Line::List { waits }))
}

/// Requests the sub-agents that a turn has or had.
async fn children(host: &HttpClient, tell: &SyncSender<Heard>, turn: TurnId) -> io::Result<()> {
    let listed = listed(host, &format!("state=all&turn={turn}")).await?;
    say(tell, listed.map_or_else(|why| Line::Failed { why }, |waits| Line::Children { turn, waits }))
}

/// Reads a page of waits. The page must contain all of them: it has room for more than a trial has.
async fn listed(host: &HttpClient, which: &str) -> io::Result<Result<Vec<Asked>, String>> {
    let answer = host.get(&format!("/api/v1/interactions?limit=200&{which}")).await?;
    let listed: Option<Listed> = serde_json::from_slice(&answer.body).ok();
    let whole = listed.filter(|list| list.next.is_none());
    let waits = whole.map(|list| list.data.into_iter().map(Interaction::asked).collect());
    Ok(waits.ok_or_else(|| format!("not everything is listed: {}", answer.json())))
}

#[derive(Deserialize)]
struct Listed {
    data: Vec<Interaction>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct Interaction {
    id: WaitId,
    kind: WaitKind,
    child: Option<ChildPlace>,
}

impl Interaction {
    fn asked(self) -> Asked {
        Asked { wait: self.id, kind: self.kind, child: self.child.map(|child| child.turn) }
    }
}

async fn decide(host: &HttpClient, tell: &SyncSender<Heard>, wait: WaitId, resolution: &Resolution) -> io::Result<()> {
    let body = match resolution {
        Resolution::Approved { .. } => json!({ "decision": "approve" }),
        Resolution::Outcome { outcome, .. } => json!({ "outcome": outcome }),
        Resolution::Answered { answer } => json!({ "answer": answer }),
        Resolution::Returned { content, .. } => json!({ "result": content }),
        _ => json!({ "decision": "deny" }),
    };
    let answer = host.post(&format!("/api/v1/interactions/{wait}"), &[], &body).await?;
    let refused = (answer.status != 200).then(|| format!("status {}: {}", answer.status, answer.json()));
    say(tell, Line::Decided { wait, refused })
}

/// Follows a turn until it ends or the stream breaks.
async fn follow(host: &HttpClient, tell: &SyncSender<Heard>, turn: TurnId, after: Option<&str>) -> io::Result<()> {
    let mut stream = host.follow(&format!("/api/v1/turns/{turn}/events"), after).await?;
    let mut ended = match stream.status() {
        200 => false,
        204 => true,
        status => return say(tell, Line::Failed { why: format!("turn {turn} is followed with status {status}") }),
    };
    let mut reading = Reading::of(turn);
    loop {
        match stream.next().await {
            Ok(Some(frame)) => {
                ended |= frame.name() == "turn.ended";
                let line = reading.line(&frame).transpose();
                let Some(line) = line else { continue };
                say(tell, line.unwrap_or_else(|why| Line::Failed { why: format!("turn {turn}: {why}") }))?;
            }
            Ok(None) if ended => return say(tell, Line::Ended { turn }),
            Ok(None) => return say(tell, Line::Lost { turn, why: "the stream ended before the turn".to_owned() }),
            Err(error) => return say(tell, Line::Lost { turn, why: error.to_string() }),
        }
    }
}

fn say(tell: &SyncSender<Heard>, line: Line) -> io::Result<()> {
    tell.send(Heard::Line(line)).map_err(|_| io::Error::other("nobody listens"))
}
