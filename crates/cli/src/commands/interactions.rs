//! `turnkit interactions`: the decisions that turns wait for.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::WaitKind;
use turnkit_server::{InteractionBody, List};

use crate::args::{Decide, Interactions, InteractionsCommand, Place};
use crate::data::{Data, DecisionResult};
use crate::failure::Failure;
use crate::query::InteractionQuery;
use crate::terminal::{arguments_of, json_line, line, question_lines, remark, revealed};

pub(crate) async fn run(place: &Place, interactions: &Interactions) -> Result<ExitCode, Failure> {
    let data = Data::open(place, interactions.server.as_deref())?;
    match &interactions.command {
        InteractionsCommand::Ls { json, all, session, limit, after } => {
            let Some(data) = data else { return print_list(&List::empty(), *json) };
            let session = match session {
                Some(session) => Some(data.find_session(session).await?),
                None => None,
            };
            let query = InteractionQuery { session, pending: !all, limit: *limit, after: *after };
            print_list(&data.interactions(&query).await?, *json)
        }
        InteractionsCommand::Resolve(decide) => {
            resolve(&data.ok_or_else(|| Failure::no_interaction(decide.id))?, decide).await
        }
    }
}

fn print_list(list: &List<InteractionBody>, json: bool) -> Result<ExitCode, Failure> {
    if json {
        json_line(&json!(list).to_string()).map_err(|error| Failure::of_output(&error))?;
        return Ok(ExitCode::SUCCESS);
    }
    let print = |text: &str| line(&revealed(text)).map_err(|error| Failure::of_output(&error));
    if list.data.is_empty() && list.unreadable.is_empty() {
        remark("nothing waits for a decision");
    }
    for interaction in &list.data {
        let InteractionBody { id, kind, name, arguments, reason, preview, question, .. } = interaction;
        let InteractionBody { created_at, expires_at, decided, .. } = interaction;
        let state = decided.as_ref().map_or("pending", |decided| decided.decision.as_str());
        let is_short = decided.is_some() || preview.is_some();
        let (kind, arguments) = (awaited(*kind), arguments_of(&arguments.0, is_short));
        print(&format!("{id}  {created_at}  {state:<8}  {kind}: {name} {arguments}"))?;
        if decided.is_none() {
            print(&format!("  {reason}; open until {expires_at}"))?;
            for shown in question.iter().flat_map(|question| question_lines(&question.text, &question.choices)) {
                print(&format!("  {shown}"))?;
            }
            for shown in preview.iter().flat_map(|preview| preview.lines()) {
                print(&format!("  {shown}"))?;
            }
        }
    }
    for name in &list.unreadable {
        remark(&format!("{name} is damaged; `turnkit doctor` describes the damage"));
    }
    if let Some(next) = &list.next {
        remark(&format!("there are more: --after {next}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Describes the reply that a turn waits for.
fn awaited(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Approval => "approval",
        WaitKind::Outcome => "outcome",
        WaitKind::Question => "question",
        WaitKind::ClientTool => "result of the client",
        WaitKind::Child => "sub-agent",
    }
}

async fn resolve(data: &Data, decide: &Decide) -> Result<ExitCode, Failure> {
    match data.resolve(decide.id, decide.resolution()).await? {
        DecisionResult::Applied => {
            let when = match data {
                Data::Local(_) => "; the turn continues when turns run again",
                Data::Remote(_) => "",
            };
            remark(&format!("decided{when}"));
            Ok(ExitCode::SUCCESS)
        }
        DecisionResult::TooLate(why) => Err(Failure::Failed(why)),
    }
}
