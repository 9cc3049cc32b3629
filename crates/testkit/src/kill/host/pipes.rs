//! Reads commands from standard input and writes lines to standard output.

use std::io::{self, BufRead as _, Write as _};
use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use turnkit_core::ports::{BlobStore, Clock as _, IdSource as _, WaitPage};
use turnkit_core::{
    AgentReach, BlobId, BranchPoint, BusyPolicy, ClientCaps, Cursor, Idempotency, NewBlob, Resolution, ResolveOutcome,
    SamplingParams, Scope, SessionKey, StoreError, ToolDefinition, TurnId, Wait, WaitId,
};
use turnkit_engine::{FeedItem, RandomIds, SystemClock, TurnRequest, TurnService};
use turnkit_store::SqliteStore;

use super::AGENT_FOR_PERSON;
use crate::kill::HostTool;
use crate::kill::protocol::{Command, Line, Request, TurnWait, content};

/// The maximum number of commands waiting to be handled.
const MAX_WAITING: usize = 64;
/// The maximum number of waits per page.
const MAX_LISTED: u32 = 200;
/// The time running turns have to finish after the client has left.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);

/// Writes a line and flushes it, so the client is certain to receive it. Errors are ignored, because a client that has
/// gone misses nothing.
pub(super) fn print_line(line: &Line) {
    let Ok(mut text) = serde_json::to_vec(line) else { return };
    text.push(b'\n');
    let mut output = io::stdout().lock();
    let _ = output.write_all(&text).and_then(|()| output.flush());
}

/// Executes the commands on standard input concurrently, until the input ends.
pub(super) async fn serve(service: &TurnService, store: &Arc<SqliteStore>) {
    let mut commands = commands();
    let mut running = JoinSet::new();
    while let Some(command) = commands.recv().await {
        let (service, store) = (service.clone(), store.clone());
        match command {
            Command::Accept(request) => {
                running.spawn(async move { print_line(&accept(&service, store.as_ref(), request).await) });
            }
            Command::Follow { turn, after } => {
                running.spawn(async move { print_line(&follow(&service, turn, after).await) });
            }
            Command::List => {
                running.spawn(async move { print_line(&list(&service).await) });
            }
            Command::Children { turn } => {
                running.spawn(async move { print_line(&children(&service, turn).await) });
            }
            Command::Decide { wait, resolution } => {
                running.spawn(async move { print_line(&decide(&service, wait, resolution).await) });
            }
            Command::Quit => break,
        }
    }
    service.drain(PATIENCE).await;
}

/// Reads the commands on standard input on a separate thread.
pub(super) fn commands() -> mpsc::Receiver<Command> {
    let (sender, receiver) = mpsc::channel(MAX_WAITING);
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Some(command) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { return };
            if sender.blocking_send(command).is_err() {
                return;
            }
        }
    });
    receiver
}

async fn accept(service: &TurnService, store: &dyn BlobStore, request: Request) -> Line {
    let Request { session, key, task } = request;
    let name = task.name.clone();
    let accepted = async {
        let message = task.message().map_err(|error| error.to_string())?;
        let files = match task.picture() {
            Some(picture) => vec![upload(store, picture).await.map_err(|error| error.to_string())?],
            None => Vec::new(),
        };
        let request = TurnRequest {
            session: SessionKey::Name(session.parse().map_err(|error| format!("{error}"))?),
            agent: task.person.then(|| AGENT_FOR_PERSON.to_owned()),
            route: None,
            params: SamplingParams::default(),
            tools: None,
            client_tools: if task.person { tools_of_client() } else { Vec::new() },
            mode: None,
            message,
            files,
            context: None,
            caps: ClientCaps { interact: task.person, resume: true },
            busy: Some(BusyPolicy::Enqueue),
            reach: AgentReach::default(),
            idempotency: key.map(|key| Idempotency { key: key.into(), body_sha256: [0; 32] }),
            after: BranchPoint::Head,
            trace: None,
        };
        service.accept(&Scope::local(), request).await.map_err(|error| error.to_string())
    };
    match accepted.await {
        Ok(receipt) => Line::Accepted { task: name, turn: receipt.turn },
        Err(why) => Line::Refused { task: name, why },
    }
}

/// Returns the definitions of the tools that the client of a turn runs.
fn tools_of_client() -> Vec<ToolDefinition> {
    ToolDefinition::new(HostTool::Show.name(), "Shows something.", r#"{"type":"object"}"#).into_iter().collect()
}

/// Lists the waits that people are to decide.
async fn list(service: &TurnService) -> Line {
    let page = WaitPage { session: None, turn: None, below: false, pending: true, limit: MAX_LISTED, after: None };
    listed(service, page).await.map_or_else(|why| Line::Failed { why }, |waits| Line::List { waits })
}

/// Lists the sub-agents that a turn has or had.
async fn children(service: &TurnService, turn: TurnId) -> Line {
    let page =
        WaitPage { session: None, turn: Some(turn), below: false, pending: false, limit: MAX_LISTED, after: None };
    listed(service, page).await.map_or_else(|why| Line::Failed { why }, |waits| Line::Children { turn, waits })
}

/// Reads a page of waits. The page must contain all of them: it has room for more than a trial has.
async fn listed(service: &TurnService, page: WaitPage) -> Result<Vec<TurnWait>, String> {
    let list = service.waits(&Scope::local(), page).await.map_err(|error| error.to_string())?;
    if list.next.is_some() || !list.unreadable.is_empty() {
        return Err(format!("not everything is listed: {list:?}"));
    }
    let child = |wait: &Wait| wait.question.child.as_ref().map(|child| child.turn);
    Ok(list.waits.iter().map(|wait| TurnWait { id: wait.id, kind: wait.kind, child: child(wait) }).collect())
}

async fn decide(service: &TurnService, wait: WaitId, resolution: Resolution) -> Line {
    let refused = match service.resolve(&Scope::local(), wait, resolution).await {
        Ok(ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated) => None,
        Ok(refused) => Some(format!("{refused:?}")),
        Err(error) => Some(error.to_string()),
    };
    Line::Decided { wait, refused }
}

async fn upload(store: &dyn BlobStore, content: Vec<u8>) -> Result<BlobId, StoreError> {
    let at = SystemClock.now();
    let new = NewBlob { id: RandomIds.blob(at), name: "picture.png".into(), at };
    let content = futures_util::stream::once(std::future::ready(Ok(content.into()))).boxed();
    Ok(store.put(&Scope::local(), new, content).await?.id)
}

/// Sends the events of a turn as they happen, and returns the line that explains why the stream ended.
async fn follow(service: &TurnService, turn: TurnId, after: Option<String>) -> Line {
    let lost = |why: String| Line::Lost { turn, why };
    let after: Option<Cursor> = match after.map(|after| after.parse()).transpose() {
        Ok(after) => after,
        Err(error) => return lost(format!("{error}")),
    };
    let mut feed = match service.follow(&Scope::local(), turn, after.into()).await {
        Ok(feed) => feed,
        Err(error) => return lost(error.to_string()),
    };
    loop {
        let line = match feed.next().await {
            Ok(Some(FeedItem::Event(event))) => Line::event(turn, event.cursor(feed.number()).to_string(), &event.kind),
            Ok(Some(FeedItem::Resync(snapshot))) => {
                let view = snapshot.turn.map(|turn| turn.view).unwrap_or_default();
                Line::Resync { turn, cursor: snapshot.cursor.to_string(), content: content(&view) }
            }
            Ok(Some(FeedItem::Pending(_) | FeedItem::Progress(_))) => continue,
            Ok(None) => return Line::Ended { turn },
            Err(error) => return lost(error.to_string()),
        };
        print_line(&line);
    }
}
