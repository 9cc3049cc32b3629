//! Sends commands as HTTP requests, and turns the server's responses into lines.

use std::io;
use std::sync::mpsc::SyncSender;

use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Runtime;
use turnkit_core::{ChildId, Resolution, TurnId, WaitId, WaitKind};

use super::HostMessage;
use super::frame_converter::FrameConverter;
use crate::http::HttpClient;
use crate::kill::host::AGENT_FOR_PERSON;
use crate::kill::protocol::{Command, Line, Request, TurnWait};
use crate::kill::{HostTool, Task};

/// A client that starts turns in one protocol and follows them in another, with independent requests. If the host dies
/// before it responds, the request yields no line.
pub(super) struct Http {
    runtime: Option<Runtime>,
    sender: SyncSender<HostMessage>,
    host: Option<HttpClient>,
    /// Commands queued until the address of the host is known.
    waiting: Vec<Command>,
}

impl Http {
    pub(super) fn new(sender: SyncSender<HostMessage>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { runtime: Some(runtime), sender, host: None, waiting: Vec::new() })
    }

    pub(super) fn set_address(&mut self, address: &str) {
        self.host = Some(HttpClient::new(address));
        std::mem::take(&mut self.waiting).into_iter().for_each(|command| self.send(command));
    }

    pub(super) fn send(&mut self, command: Command) {
        let (Some(host), Some(runtime)) = (self.host.clone(), &self.runtime) else {
            return self.waiting.push(command);
        };
        let sender = self.sender.clone();
        runtime.spawn(async move {
            // An error means that the harness or the host has gone, so nothing is waiting for the response.
            let _ = match command {
                Command::Accept(request) => accept(&host, &sender, &request).await,
                Command::Follow { turn, after } => follow(&host, &sender, turn, after.as_deref()).await,
                Command::List => list(&host, &sender).await,
                Command::Children { turn } => children(&host, &sender, turn).await,
                Command::Decide { wait, resolution } => decide(&host, &sender, wait, &resolution).await,
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
async fn accept(host: &HttpClient, sender: &SyncSender<HostMessage>, request: &Request) -> io::Result<()> {
    let Request { session, key, task } = request;
    let headers: Vec<(&str, &str)> = key.iter().map(|key| ("idempotency-key", key.as_str())).collect();
    if task.person {
        let tools = json!([{ "name": HostTool::Show.name(), "description": "Shows something.", "parameters": { "type": "object" } }]);
        let message = task.message()?.text();
        let body = json!({ "message": message, "agent": AGENT_FOR_PERSON, "interact": true, "client_tools": tools });
        let answer = host.post("/api/v1/turns", &headers, &body).await?;
        let turn = answer.json()["turn_id"].as_str().and_then(|id| id.parse().ok());
        return send_line(sender, accepted(task, turn, answer.status));
    }
    if let Some(picture) = task.picture() {
        // The protocol that starts the turn has no files, so the upload belongs to no turn.
        let picture = json!(String::from_utf8_lossy(&picture));
        host.post("/api/v1/files?name=picture", &[], &picture).await?;
    }
    let body = json!({ "session_id": session, "message": task.message()?.text() });
    let answer = host.post_for_events("/chat", &headers, &body).await?;
    let turn = answer.header("x-turn-id").and_then(|id| id.parse().ok()).filter(|_| answer.status() == 200);
    send_line(sender, accepted(task, turn, answer.status()))
}

fn accepted(task: &Task, turn: Option<TurnId>, status: u16) -> Line {
    let task = task.name.clone();
    match turn {
        Some(turn) => Line::Accepted { task, turn },
        None => Line::Refused { task, why: format!("status {status}") },
    }
}

/// Requests the waits that people are to decide.
async fn list(host: &HttpClient, sender: &SyncSender<HostMessage>) -> io::Result<()> {
    let listed = listed(host, "state=pending").await?;
    send_line(sender, listed.map_or_else(|why| Line::Failed { why }, |waits| Line::List { waits }))
}

/// Requests the sub-agents that a turn has or had.
async fn children(host: &HttpClient, sender: &SyncSender<HostMessage>, turn: TurnId) -> io::Result<()> {
    let listed = listed(host, &format!("state=all&turn={turn}")).await?;
    send_line(sender, listed.map_or_else(|why| Line::Failed { why }, |waits| Line::Children { turn, waits }))
}

/// Reads a page of waits. The page must contain all of them: it has room for more than a trial has.
async fn listed(host: &HttpClient, which: &str) -> io::Result<Result<Vec<TurnWait>, String>> {
    let answer = host.get(&format!("/api/v1/interactions?limit=200&{which}")).await?;
    let listed: Option<Listed> = serde_json::from_slice(&answer.body).ok();
    let whole = listed.filter(|list| list.next.is_none());
    let waits = whole.map(|list| list.data.into_iter().map(Interaction::wait).collect());
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
    child: Option<ChildId>,
}

impl Interaction {
    fn wait(self) -> TurnWait {
        TurnWait { id: self.id, kind: self.kind, child: self.child.map(|child| child.turn) }
    }
}

async fn decide(
    host: &HttpClient,
    sender: &SyncSender<HostMessage>,
    wait: WaitId,
    resolution: &Resolution,
) -> io::Result<()> {
    let body = match resolution {
        Resolution::Approved { .. } => json!({ "decision": "approve" }),
        Resolution::Outcome { outcome, .. } => json!({ "outcome": outcome }),
        Resolution::Answered { answer } => json!({ "answer": answer }),
        Resolution::Returned { content, .. } => json!({ "result": content }),
        _ => json!({ "decision": "deny" }),
    };
    let answer = host.post(&format!("/api/v1/interactions/{wait}"), &[], &body).await?;
    let refused = (answer.status != 200).then(|| format!("status {}: {}", answer.status, answer.json()));
    send_line(sender, Line::Decided { wait, refused })
}

/// Follows a turn until it ends or the stream breaks.
async fn follow(
    host: &HttpClient,
    sender: &SyncSender<HostMessage>,
    turn: TurnId,
    after: Option<&str>,
) -> io::Result<()> {
    let mut stream = host.follow(&format!("/api/v1/turns/{turn}/events"), after).await?;
    let mut ended = match stream.status() {
        200 => false,
        204 => true,
        status => {
            return send_line(sender, Line::Failed { why: format!("turn {turn} is followed with status {status}") });
        }
    };
    let mut converter = FrameConverter::new(turn);
    loop {
        match stream.next().await {
            Ok(Some(frame)) => {
                ended |= frame.name() == "turn.ended";
                let line = converter.line(&frame).transpose();
                let Some(line) = line else { continue };
                send_line(sender, line.unwrap_or_else(|why| Line::Failed { why: format!("turn {turn}: {why}") }))?;
            }
            Ok(None) if ended => return send_line(sender, Line::Ended { turn }),
            Ok(None) => {
                return send_line(sender, Line::Lost { turn, why: "the stream ended before the turn".to_owned() });
            }
            Err(error) => return send_line(sender, Line::Lost { turn, why: error.to_string() }),
        }
    }
}

fn send_line(sender: &SyncSender<HostMessage>, line: Line) -> io::Result<()> {
    sender.send(HostMessage::Line(line)).map_err(|_| io::Error::other("the harness has stopped converter"))
}
