//! `turnkit chat`: one turn, or a conversation, in this process or with a server.

mod attachments;
mod branch;
mod children;
mod conversation;
mod follow;
mod input;
mod interrupt;
mod output;
mod questions;
mod render;
mod reply;
mod summary;
mod unfinished;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;
use std::time::Duration;

use turnkit_core::{SessionId, ToolUse, TurnId};
use turnkit_engine::TurnService;

use crate::args::{Chat, Place};
use crate::config::{AgentConfig, load};
use crate::data::{Data, Runner};
use crate::failure::Failure;
use crate::query::TurnOptions;
use crate::terminal::remark;
use conversation::{Conversation, session_key};
use interrupt::Interrupts;
use questions::ApprovalMode;
pub(crate) use render::{Renderer, Style};

/// The longest message read from a pipe, in bytes.
const MAX_PIPED: u64 = 1024 * 1024;

pub(crate) async fn run(place: &Place, chat: &Chat) -> Result<ExitCode, Failure> {
    let terminal = std::io::stdin().is_terminal();
    let piped = if terminal { String::new() } else { piped()? };
    let session = session_key(chat.session.as_deref())?;
    let data = open(place, chat)?;
    // Read before the turns are resumed: a turn whose decisions were all made meanwhile may end at once.
    let unfinished = data.unfinished_turns(&session).await?;
    let runner = data.runner();
    let is_interactive = terminal && !chat.print && !chat.json;
    if let Runner::Local { service, .. } = &runner {
        if !is_interactive {
            service.end_chores();
        }
        report_resumed(service.resume_unfinished().await?);
    }
    let interrupts = listen()?;
    let style = if chat.json { Style::Json } else { Style::Text };
    let options = TurnOptions {
        agent: chat.agent.clone(),
        params: chat.params.clone(),
        tools: chat.no_tools.then_some(ToolUse::None),
        mode: chat.mode.as_deref().map(Into::into),
        interact: is_interactive || chat.yes,
    };
    let mut conversation = Conversation {
        data: &data,
        runner,
        session,
        unfinished,
        options,
        files: Vec::new(),
        tree: chat.tree.clone(),
        style,
        interrupts,
        approves: chat.yes,
        prompt: None,
    };
    let ended = if is_interactive {
        talk(&mut conversation, chat).await
    } else {
        answer_once(&mut conversation, chat, &piped).await
    };
    // Report a failure before waiting for anything.
    let code = ended.unwrap_or_else(|failure| failure.report());
    if let (Data::Local(installation), Runner::Local { service, .. }) = (&data, &conversation.runner) {
        leave(service, installation.drain(), &mut conversation.interrupts).await;
    }
    Ok(code)
}

/// Holds a conversation at the terminal.
async fn talk(conversation: &mut Conversation<'_>, chat: &Chat) -> Result<ExitCode, Failure> {
    conversation.files = attachments::upload(conversation.data, chat).await?;
    conversation.talk(chat.prompt.clone()).await
}

/// Sends one message, unless a turn of the session waits for decisions, which the message would end.
async fn answer_once(conversation: &mut Conversation<'_>, chat: &Chat, piped: &str) -> Result<ExitCode, Failure> {
    conversation.check_undecided().await?;
    conversation.files = attachments::upload(conversation.data, chat).await?;
    conversation.once(message(chat.prompt.as_deref().unwrap_or_default(), piped)).await
}

/// Follows a turn that a command has started until it ends, then waits for all other work.
pub(crate) async fn follow_to_end(
    data: &Data,
    runner: &Runner,
    session: SessionId,
    turn: TurnId,
) -> Result<ExitCode, Failure> {
    if let Runner::Local { service, .. } = runner {
        service.end_chores();
    }
    let mut interrupts = listen()?;
    let renderer = Renderer::new(Style::Text, session, turn);
    let outcome = follow::follow(runner, turn, &mut interrupts, renderer, ApprovalMode::Headless).await;
    if let (Data::Local(installation), Runner::Local { service, .. }) = (data, runner) {
        leave(service, installation.drain(), &mut interrupts).await;
    }
    Ok(outcome?.code())
}

fn listen() -> Result<Interrupts, Failure> {
    Interrupts::listen().map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))
}

/// Opens the data that the chat uses.
fn open(place: &Place, chat: &Chat) -> Result<Data, Failure> {
    if let Some(url) = &chat.server {
        return Data::of_server(url);
    }
    let resolved = load(place)?;
    check_agent(&resolved.config.agents, chat.agent.as_deref())?;
    let notices = resolved.notices.clone();
    let data = Data::open_or_create(resolved, place)?;
    match &data {
        Data::Local(_) => notices.iter().for_each(|notice| remark(notice)),
        Data::Remote(client) => {
            remark(&format!("a server at {} is using the data directory, and answers", client.url()))
        }
    }
    Ok(data)
}

fn report_resumed(resumed: usize) {
    if resumed > 0 {
        remark(&format!("resumed {resumed} unfinished turn{}", if resumed == 1 { "" } else { "s" }));
    }
}

/// Waits for turns to finish, then deletes the logs of old turns. The chat does not depend on that deletion, and Ctrl-C
/// stops waiting for it.
async fn leave(service: &TurnService, patience: Duration, interrupts: &mut Interrupts) {
    if !service.drain(patience).await {
        remark("turns that did not finish in time continue at the next start");
    }
    let deleted = tokio::select! {
        biased;
        () = interrupts.next() => return,
        deleted = service.delete_expired() => deleted,
    };
    if let Err(error) = deleted {
        tracing::warn!(%error, "cannot delete the logs of old turns");
    }
}

/// Checks that the requested agent exists.
fn check_agent(agents: &[AgentConfig], wanted: Option<&str>) -> Result<(), Failure> {
    let Some(wanted) = wanted.filter(|wanted| agents.iter().all(|agent| agent.name != *wanted)) else { return Ok(()) };
    let known: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    Err(Failure::Usage(format!("--agent: there is no agent `{wanted}`; the agents are {}", known.join(", "))))
}

/// Returns the message of a single turn: the prompt, then the piped text.
fn message(prompt: &str, piped: &str) -> String {
    match (prompt, piped) {
        (prompt, piped) if piped.trim().is_empty() => prompt.to_owned(),
        ("", piped) => piped.to_owned(),
        (prompt, piped) => format!("{prompt}\n\n{piped}"),
    }
}

/// Reads all of standard input.
fn piped() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_PIPED + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
    if text.len() as u64 > MAX_PIPED {
        return Err(Failure::Usage(format!("standard input is longer than {MAX_PIPED} bytes")));
    }
    Ok(text)
}
