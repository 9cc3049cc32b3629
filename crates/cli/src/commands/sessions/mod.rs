//! `turnkit sessions`: the stored conversations, at the command line.

mod branches;
mod compact;
mod context;
mod search;
mod transfer;

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::ports::SessionEdit;
use turnkit_core::{Mark, Message, Part, Role};
use turnkit_server::List;

use crate::args::{Place, Sessions, SessionsCommand};
use crate::data::{Data, Session};
use crate::failure::Failure;
use crate::terminal::{line, remark, shortened};

pub(crate) async fn run(place: &Place, sessions: &Sessions) -> Result<ExitCode, Failure> {
    let data = Data::open(place, sessions.server.as_deref())?;
    match &sessions.command {
        SessionsCommand::Ls { json, limit, user, after, archived } => {
            let list = match data {
                Some(data) => data.sessions(user.as_deref(), *limit, *after, *archived).await?,
                None => List::empty(),
            };
            print_list(&list, *json, *archived)
        }
        SessionsCommand::Search { words, json, limit, user, after } => {
            search::run(data.as_ref(), &words.join(" "), user.as_deref(), (*limit, *after), *json).await
        }
        SessionsCommand::Show { session, json } => {
            show(&data.ok_or_else(|| Failure::no_session(session))?, session, *json).await
        }
        SessionsCommand::Context { session, json } => {
            context::run(&data.ok_or_else(|| Failure::no_session(session))?, session, *json).await
        }
        SessionsCommand::Branches { session, json } => {
            branches::list(&data.ok_or_else(|| Failure::no_session(session))?, session, *json).await
        }
        SessionsCommand::Switch { session, turn } => {
            branches::switch(&data.ok_or_else(|| Failure::no_session(session))?, session, *turn).await
        }
        SessionsCommand::Export { session, format } => {
            transfer::export(&data.ok_or_else(|| Failure::no_session(session))?, session, *format).await
        }
        SessionsCommand::Import { file } => transfer::import(place, data, file.as_deref()).await,
        SessionsCommand::Compact { session } => {
            return compact::run(&data.ok_or_else(|| Failure::no_session(session))?, session).await;
        }
        SessionsCommand::Pin { session } => {
            shelve(&data.ok_or_else(|| Failure::no_session(session))?, session, Shelf::Pinned).await
        }
        SessionsCommand::Unpin { session } => {
            shelve(&data.ok_or_else(|| Failure::no_session(session))?, session, Shelf::Unpinned).await
        }
        SessionsCommand::Archive { session } => {
            shelve(&data.ok_or_else(|| Failure::no_session(session))?, session, Shelf::Archived).await
        }
        SessionsCommand::Unarchive { session } => {
            shelve(&data.ok_or_else(|| Failure::no_session(session))?, session, Shelf::Unarchived).await
        }
        SessionsCommand::Rm { session } => remove(&data.ok_or_else(|| Failure::no_session(session))?, session).await,
    }?;
    Ok(ExitCode::SUCCESS)
}

fn print_list(list: &List<Session>, json: bool, archived: bool) -> Result<(), Failure> {
    if json {
        return print(&json!(list).to_string());
    }
    if list.data.is_empty() && list.unreadable.is_empty() {
        remark(if archived { "no archived sessions" } else { "no sessions yet; `turnkit chat` begins one" });
    }
    list.data.iter().try_for_each(|session| print(&list_line(session)))?;
    remark_rest(list);
    Ok(())
}

/// Formats a session as a line of a list.
fn list_line(session: &Session) -> String {
    let name = session.name.as_ref().map_or_else(String::new, |name| format!("  ({name})"));
    let Session { id, turns, last_active, title, pinned, .. } = session;
    let (title, unit) = (shortened(title, 60), if *turns == 1 { "turn " } else { "turns" });
    let pinned = if *pinned { "  [pinned]" } else { "" };
    format!("{id}  {last_active}  {turns:>4} {unit}  {title}{name}{pinned}")
}

/// Prints the unreadable entries of a list, and the option for its next page.
fn remark_rest<T>(list: &List<T>) {
    for id in &list.unreadable {
        remark(&format!(
            "session {id} is damaged; `turnkit doctor` describes the damage, `turnkit sessions rm` removes it"
        ));
    }
    if let Some(next) = &list.next {
        remark(&format!("there are more: --after {next}"));
    }
}

async fn show(data: &Data, wanted: &str, json: bool) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let messages = data.messages(id).await?;
    if json {
        let Session { usage, cost, .. } = data.session(id).await?;
        return print(&json!({ "id": id, "messages": messages, "usage": usage, "cost": cost }).to_string());
    }
    for message in &messages {
        for text in readable(message) {
            print(&text)?;
        }
    }
    Ok(())
}

/// Where lists show a session.
#[derive(Clone, Copy)]
enum Shelf {
    Pinned,
    Unpinned,
    Archived,
    Unarchived,
}

/// Pins or archives a session, or undoes that.
async fn shelve(data: &Data, wanted: &str, shelf: Shelf) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let pinned = |pinned| SessionEdit { pinned: Some(pinned), ..SessionEdit::default() };
    let archived = |archived| SessionEdit { archived: Some(archived), ..SessionEdit::default() };
    let (edit, result) = match shelf {
        Shelf::Pinned => (pinned(true), "pinned"),
        Shelf::Unpinned => (pinned(false), "no longer pinned"),
        Shelf::Archived => (archived(true), "archived"),
        Shelf::Unarchived => (archived(false), "no longer archived"),
    };
    data.shelve_session(id, edit).await?;
    remark(&format!("session {id} is {result}"));
    Ok(())
}

async fn remove(data: &Data, wanted: &str) -> Result<(), Failure> {
    // A damaged session can be deleted by id, because that does not read it.
    let id = match wanted.parse() {
        Ok(id) => id,
        Err(_) => data.find_session(wanted).await?,
    };
    data.delete_session(id).await?;
    remark(&format!("removed session {id}"));
    Ok(())
}

/// Formats a message as lines for people.
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
            Mark::Edits => "  [edits]".to_owned(),
            Mark::Steering => "  [while the turn ran]".to_owned(),
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
        Part::Context(context) => Some(format!("  [{}]", context.source)),
        Part::File(file) => Some(format!("  [{}]", file.name)),
        Part::Notice(notice) => Some(format!("  [{}]", notice.text)),
        Part::Summary(summary) => Some(format!("  [{}]", summary.text)),
        Part::Edits(edits) => Some(format!("  [tool results left out: {}]", edits.blank.len())),
        Part::Reasoning(_) | Part::Data(_) => None,
    }
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
