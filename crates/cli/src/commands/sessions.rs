//! `turnkit sessions`: what was said, without the page.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::ports::{SessionPage, SessionSummary};
use turnkit_core::{Mark, Message, Part, Role, SessionId, StoreError};

use crate::args::{Place, Sessions};
use crate::config::load;
use crate::failure::Failure;
use crate::terminal::{line, remark, shortened};
use crate::wiring::Installation;

pub(crate) async fn run(place: &Place, command: &Sessions) -> Result<ExitCode, Failure> {
    let Some(installation) = Installation::open_existing(load(place)?, place.data.as_deref())? else {
        return without_data(command);
    };
    match command {
        Sessions::Ls { json, limit, after } => list(&installation, *json, *limit, *after).await,
        Sessions::Show { session, json } => show(&installation, session, *json).await,
        Sessions::Rm { session } => remove(&installation, session).await,
    }?;
    Ok(ExitCode::SUCCESS)
}

/// What there is to say where nothing was ever saved.
fn without_data(command: &Sessions) -> Result<ExitCode, Failure> {
    match command {
        Sessions::Ls { json, .. } => print_list(&[], None, *json).map(|()| ExitCode::SUCCESS),
        Sessions::Show { session, .. } | Sessions::Rm { session } => Err(no_session(session)),
    }
}

async fn list(installation: &Installation, json: bool, limit: u32, after: Option<SessionId>) -> Result<(), Failure> {
    // One more than is shown tells whether there are more.
    let page = SessionPage { limit: limit + 1, after };
    let mut sessions = installation.sessions().list(&installation.scope, page).await.map_err(|error| match after {
        Some(after) if error == StoreError::NotFound => no_session(&after.to_string()),
        _ => error.into(),
    })?;
    let shown = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = sessions.len() > shown;
    sessions.truncate(shown);
    print_list(&sessions, sessions.last().filter(|_| more).map(|last| last.id), json)
}

fn print_list(sessions: &[SessionSummary], next: Option<SessionId>, json: bool) -> Result<(), Failure> {
    if json {
        let data: Vec<_> = sessions.iter().map(summary_json).collect();
        return print(&json!({ "data": data, "next": next }).to_string());
    }
    if sessions.is_empty() {
        remark("no sessions yet; `turnkit chat` begins one");
    }
    for session in sessions {
        let name = session.name.as_ref().map_or_else(String::new, |name| format!("  ({name})"));
        let SessionSummary { id, turns, last_active, title, .. } = session;
        print(&format!("{id}  {last_active}  {turns:>4} turns  {}{name}", shortened(title, 60)))?;
    }
    if let Some(next) = next {
        remark(&format!("there are more: --after {next}"));
    }
    Ok(())
}

fn summary_json(session: &SessionSummary) -> serde_json::Value {
    json!({
        "id": session.id,
        "name": session.name,
        "agent": session.agent,
        "title": session.title,
        "turns": session.turns,
        "last_active": session.last_active,
    })
}

async fn show(installation: &Installation, wanted: &str, json: bool) -> Result<(), Failure> {
    let id = find(installation, wanted).await?;
    let messages = installation.sessions().messages(&installation.scope, id).await?;
    if json {
        return print(&json!({ "id": id, "messages": messages }).to_string());
    }
    for message in &messages {
        for text in readable(message) {
            print(&text)?;
        }
    }
    Ok(())
}

async fn remove(installation: &Installation, wanted: &str) -> Result<(), Failure> {
    let id = find(installation, wanted).await?;
    installation.sessions().delete(&installation.scope, id).await.map_err(|error| match error {
        StoreError::Conflict(_) => Failure::Failed(format!("session {id} has a turn that is not over")),
        other => other.into(),
    })?;
    remark(&format!("removed session {id}"));
    Ok(())
}

/// The session with this id, or with this name.
async fn find(installation: &Installation, wanted: &str) -> Result<SessionId, Failure> {
    let sessions = installation.sessions();
    let found = match (wanted.parse::<SessionId>(), wanted.parse()) {
        (Ok(id), _) => sessions.session(&installation.scope, id).await.map(|session| session.id),
        (_, Ok(name)) => sessions.session_named(&installation.scope, &name).await.map(|session| session.id),
        (_, Err(error)) => return Err(Failure::Usage(error.to_string())),
    };
    found.map_err(|error| match error {
        StoreError::NotFound => no_session(wanted),
        other => other.into(),
    })
}

fn no_session(wanted: &str) -> Failure {
    Failure::Failed(format!("there is no session {wanted}; `turnkit sessions ls` lists them"))
}

/// A message as lines a person reads.
fn readable(message: &Message) -> Vec<String> {
    let speaker = match message.role {
        Role::User => "> ",
        _ => "",
    };
    let mut lines: Vec<String> = message.parts.iter().filter_map(|part| part_line(speaker, part)).collect();
    if let Some(mark) = message.mark {
        lines.push(match mark {
            Mark::Interrupted => "  [the provider broke off]".to_owned(),
            Mark::Cancelled => "  [cancelled]".to_owned(),
            Mark::Summary => "  [summary]".to_owned(),
        });
    }
    lines
}

fn part_line(speaker: &str, part: &Part) -> Option<String> {
    match part {
        Part::Text(text) if text.text.is_empty() => None,
        Part::Text(text) => Some(format!("{speaker}{}", text.text)),
        Part::ToolCall(call) => Some(format!("  {} {}", call.name, call.arguments.0)),
        Part::ToolResult(result) => {
            Some(format!("  {} {}", if result.ok { "→" } else { "✗" }, shortened(&result.content, 200)))
        }
        Part::ProviderTool(tool) => Some(format!("  {} {}", tool.name, shortened(&tool.input, 200))),
        Part::Image(image) => Some(format!("  [{}]", image.media_type)),
        Part::Notice(notice) => Some(format!("  [{}]", notice.text)),
        Part::Summary(summary) => Some(format!("  [{}]", summary.text)),
        Part::Reasoning(_) | Part::Data(_) => None,
    }
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
