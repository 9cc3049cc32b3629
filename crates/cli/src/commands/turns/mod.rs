//! `turnkit turns`: running and ended turns, with their results.

mod trace;

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::{EventKind, TurnId, TurnState, TurnStatus};
use turnkit_server::{List, TurnBody};

use crate::args::{Place, Turns, TurnsCommand};
use crate::chat::{Renderer, Style};
use crate::commands::replay;
use crate::data::{Data, FeedItem};
use crate::failure::Failure;
use crate::query::TurnQuery;
use crate::terminal::{line, remark};

pub(crate) async fn run(place: &Place, turns: &Turns) -> Result<ExitCode, Failure> {
    let server = turns.server.as_deref();
    let data = || Data::open(place, server);
    match &turns.command {
        TurnsCommand::Ls { json, session, state, user, limit, after } => {
            let Some(data) = data()? else { return print_list(&List::empty(), *json) };
            let session = match session {
                Some(session) => Some(data.find_session_of(user.as_deref(), session).await?),
                None => None,
            };
            let query = TurnQuery { user: user.clone(), session, state: *state, limit: *limit, after: *after };
            print_list(&data.turns(&query).await?, *json)
        }
        TurnsCommand::Tail { turn, json } => tail(&data()?.ok_or_else(|| Failure::no_turn(*turn))?, *turn, *json).await,
        TurnsCommand::Trace { turn, json } => {
            trace::run(&data()?.ok_or_else(|| Failure::no_turn(*turn))?, *turn, *json).await
        }
        TurnsCommand::Replay { turn, from, json } => replay::run(place, server, *turn, from.as_deref(), *json).await,
        TurnsCommand::Cancel { turn } => cancel(&data()?.ok_or_else(|| Failure::no_turn(*turn))?, *turn).await,
    }
}

fn print_list(list: &List<TurnBody>, json: bool) -> Result<ExitCode, Failure> {
    if json {
        return print(&json!(list).to_string());
    }
    if list.data.is_empty() && list.unreadable.is_empty() && list.next.is_none() {
        remark("no such turns");
    }
    for turn in &list.data {
        let TurnBody { id, session_id, number, agent, accepted_at, parent_turn_id, .. } = turn;
        let state = state_of(turn);
        let above = parent_turn_id.map(|above| format!(", sub-agent of {above}")).unwrap_or_default();
        print(&format!("{id}  {accepted_at}  {state:<11}  {agent}  turn {number} of session {session_id}{above}"))?;
    }
    for id in &list.unreadable {
        remark(&format!("turn {id} is damaged; `turnkit doctor` describes the damage"));
    }
    if let Some(next) = &list.next {
        remark(&format!("there are more: --after {next}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the state of a turn, and what became or is to become of a message for another turn.
fn state_of(turn: &TurnBody) -> String {
    match turn.steered_into {
        Some(into) => format!("{} (steered into {into})", turn.state),
        None if turn.steering => format!("{} (steers)", turn.state),
        None => turn.state.to_string(),
    }
}

/// Follows a turn without changing it: Ctrl-C leaves, and the turn continues.
async fn tail(data: &Data, turn: TurnId, json: bool) -> Result<ExitCode, Failure> {
    let found = data.turn(turn).await?;
    if matches!(data, Data::Local(_)) && found.ended_at.is_none() {
        let why = format!("turn {turn} is {}, and no process runs it now; `turnkit serve` continues it", found.state);
        return Err(Failure::Failed(why));
    }
    let mut feed = data.runner().follow(turn).await?;
    let mut renderer = Renderer::new(if json { Style::Json } else { Style::Text }, found.session_id, turn);
    let mut ended = None;
    while let Some(item) = feed.next().await? {
        match item {
            FeedItem::Event(event) => {
                renderer.show(&event).map_err(|error| Failure::of_output(&error))?;
                if let EventKind::TurnEnded { status, .. } = event.kind {
                    ended = Some(status);
                }
            }
            FeedItem::Pending(_) => {}
            FeedItem::Progress(progress) => renderer.progress(&progress).map_err(|error| Failure::of_output(&error))?,
            FeedItem::Disconnected => renderer.wait().map_err(|error| Failure::of_output(&error))?,
            FeedItem::Restarted => renderer.restart().map_err(|error| Failure::of_output(&error))?,
        }
    }
    Ok(if ended == Some(TurnStatus::Completed) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn cancel(data: &Data, turn: TurnId) -> Result<ExitCode, Failure> {
    let before = data.turn(turn).await?;
    if before.ended_at.is_some() {
        remark(&format!("turn {turn} has ended: {}", before.state));
        return Ok(ExitCode::SUCCESS);
    }
    let state = match data.runner().cancel(turn).await? {
        Some(state) => state,
        None => data.turn(turn).await?.state,
    };
    let when = match data {
        Data::Local(_) if state == TurnState::Cancelling => "; it ends when turns run again",
        _ => "",
    };
    remark(&format!("turn {turn}: {state}{when}"));
    Ok(ExitCode::SUCCESS)
}

fn print(text: &str) -> Result<ExitCode, Failure> {
    line(text).map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}
