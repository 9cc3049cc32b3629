//! Commands as requests, and what the server answers as lines.

use std::io;
use std::sync::mpsc::SyncSender;

use serde_json::json;
use tokio::runtime::Runtime;
use turnkit_core::TurnId;

use super::Heard;
use super::reading::Reading;
use crate::http::HttpClient;
use crate::kill::protocol::{Command, Line, Request};

/// A client that starts turns in one protocol and follows them in another, each request on its own. What a host that
/// died did not answer is not heard of.
pub(super) struct Http {
    runtime: Option<Runtime>,
    tell: SyncSender<Heard>,
    host: Option<HttpClient>,
    /// Commands from before it was known where the host listens.
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
            // The harness is gone, or the host is: nobody waits for more.
            let _ = match command {
                Command::Accept(request) => accept(&host, &tell, &request).await,
                Command::Follow { turn, after } => follow(&host, &tell, turn, after.as_deref()).await,
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

/// Starts a turn like a client of the protocol `named`, whose sessions have the client's own names, and does not stay to
/// read the answer.
async fn accept(host: &HttpClient, tell: &SyncSender<Heard>, request: &Request) -> io::Result<()> {
    let Request { session, key, task } = request;
    if let Some(picture) = task.picture() {
        // The protocol in which the turn starts has no files: the upload is of no turn.
        let picture = json!(String::from_utf8_lossy(&picture));
        host.post("/api/v1/files?name=picture", &[], &picture).await?;
    }
    let body = json!({ "session_id": session, "message": task.message()?.text() });
    let headers: Vec<(&str, &str)> = key.iter().map(|key| ("idempotency-key", key.as_str())).collect();
    let answer = host.post_for_events("/chat", &headers, &body).await?;
    let turn = answer.header("x-turn-id").and_then(|id| id.parse().ok()).filter(|_| answer.status() == 200);
    let task = task.name.clone();
    say(
        tell,
        match turn {
            Some(turn) => Line::Accepted { task, turn },
            None => Line::Refused { task, why: format!("status {}", answer.status()) },
        },
    )
}

/// Follows a turn until its end, or until the stream is cut.
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
