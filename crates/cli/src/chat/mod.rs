//! `turnkit chat`: one turn, or a conversation, in this process.

mod conversation;
mod follow;
mod input;
mod interrupt;
mod render;
mod summary;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use crate::args::{Chat, Place};
use crate::failure::Failure;
use crate::terminal::remark;
use crate::wiring::Installation;
use conversation::{Conversation, session_key};
use interrupt::Interrupts;
use render::Style;

/// The longest message read from a pipe, in bytes.
const MAX_PIPED: u64 = 1024 * 1024;

pub(crate) async fn run(place: &Place, chat: &Chat) -> Result<ExitCode, Failure> {
    let interactive = !chat.print && !chat.json && std::io::stdin().is_terminal();
    let first = match &chat.prompt {
        Some(prompt) => Some(prompt.clone()),
        None if interactive => None,
        None => Some(piped()?),
    };
    let session = session_key(chat.session.as_deref())?;
    let installation = Installation::open(place)?;
    installation.resolved.notices.iter().for_each(|notice| remark(notice));
    let service = installation.service()?;
    let resumed = service.resume_unfinished().await?;
    if resumed > 0 {
        remark(&format!("resumed {resumed} unfinished turn{}", if resumed == 1 { "" } else { "s" }));
    }
    service.forget_old().await?;
    let interrupts =
        Interrupts::listen().map_err(|error| Failure::Failed(format!("cannot listen for Ctrl-C: {error}")))?;
    let mut conversation = Conversation {
        service,
        scope: installation.scope.clone(),
        session,
        agent: chat.agent.clone(),
        busy: installation.on_busy(chat.agent.as_deref()),
        style: if chat.json { Style::Json } else { Style::Text },
        interrupts,
    };
    let code = match first {
        first if interactive => conversation.talk(first).await,
        first => conversation.once(first.unwrap_or_default()).await,
    };
    if !conversation.service.drain(installation.drain()).await {
        remark("turns that did not finish in time go on at the next start");
    }
    code
}

fn piped() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_PIPED + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
    if text.len() as u64 > MAX_PIPED {
        return Err(Failure::Usage(format!("the message is longer than {MAX_PIPED} bytes")));
    }
    Ok(text)
}
