//! `turnkit chat`: one turn, or a conversation, in this process.

mod conversation;
mod follow;
mod input;
mod interrupt;
mod render;
mod summary;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use turnkit_core::SessionKey;

use crate::args::{Chat, Place};
use crate::config::{AgentConfig, load};
use crate::failure::Failure;
use crate::terminal::remark;
use crate::wiring::{Installation, busy_policy};
use conversation::{Conversation, session_key};
use interrupt::Interrupts;
use render::Style;

/// The longest message read from a pipe, in bytes.
const MAX_PIPED: u64 = 1024 * 1024;

pub(crate) async fn run(place: &Place, chat: &Chat) -> Result<ExitCode, Failure> {
    let terminal = std::io::stdin().is_terminal();
    let piped = if terminal { String::new() } else { piped()? };
    let session = session_key(chat.session.as_deref())?;
    let resolved = load(place)?;
    chosen(&resolved.config.agents, chat.agent.as_deref())?;
    resolved.notices.iter().for_each(|notice| remark(notice));
    let installation = Installation::open(resolved, place.data.as_deref())?;
    let agent = match &chat.agent {
        Some(agent) => Some(agent.clone()),
        None => begun_with(&installation, &session).await,
    };
    let busy = busy_policy(chosen(&installation.resolved.config.agents, agent.as_deref())?.on_busy);
    let service = installation.service()?;
    let resumed = service.resume_unfinished().await?;
    if resumed > 0 {
        remark(&format!("resumed {resumed} unfinished turn{}", if resumed == 1 { "" } else { "s" }));
    }
    let interrupts =
        Interrupts::listen().map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
    let mut conversation = Conversation {
        service,
        scope: installation.scope.clone(),
        session,
        agent,
        busy,
        style: if chat.json { Style::Json } else { Style::Text },
        interrupts,
    };
    let ended = if terminal && !chat.print && !chat.json {
        conversation.talk(chat.prompt.clone()).await
    } else {
        conversation.once(message(chat.prompt.as_deref().unwrap_or_default(), &piped)).await
    };
    // What went wrong is told before anything is waited for.
    let code = ended.unwrap_or_else(|failure| failure.tell());
    if !conversation.service.drain(installation.drain()).await {
        remark("turns that did not finish in time go on at the next start");
    }
    conversation.forget_old().await;
    Ok(code)
}

/// The agent the session was begun with, if it is still configured.
async fn begun_with(installation: &Installation, session: &SessionKey) -> Option<String> {
    let (sessions, scope) = (installation.sessions(), &installation.scope);
    let session = match session {
        SessionKey::New | SessionKey::Ephemeral(_) => return None,
        SessionKey::Id(id) => sessions.session(scope, *id).await,
        SessionKey::Name(name) => sessions.session_named(scope, name).await,
    };
    let agents = &installation.resolved.config.agents;
    session.ok().map(|session| session.agent).filter(|name| agents.iter().any(|agent| agent.name == *name))
}

/// The agent with this name, or the first one.
fn chosen<'a>(agents: &'a [AgentConfig], wanted: Option<&str>) -> Result<&'a AgentConfig, Failure> {
    let found = agents.iter().find(|agent| wanted.is_none_or(|name| agent.name == name));
    found.ok_or_else(|| {
        let known: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        let wanted = wanted.unwrap_or_default();
        Failure::Usage(format!("--agent: there is no agent `{wanted}`; the agents are {}", known.join(", ")))
    })
}

/// What is said once: the prompt, then what was piped in.
fn message(prompt: &str, piped: &str) -> String {
    match (prompt, piped) {
        (prompt, piped) if piped.trim().is_empty() => prompt.to_owned(),
        ("", piped) => piped.to_owned(),
        (prompt, piped) => format!("{prompt}\n\n{piped}"),
    }
}

/// All of standard input.
fn piped() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_PIPED + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
    if text.len() as u64 > MAX_PIPED {
        return Err(Failure::Usage(format!("standard input is longer than {MAX_PIPED} bytes")));
    }
    Ok(text)
}
