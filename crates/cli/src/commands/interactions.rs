//! `turnkit interactions`: the decisions that turns wait for.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::ports::Clock as _;
use turnkit_core::{Arguments, Denial, GrantScope, Timestamp, WaitKind};
use turnkit_engine::SystemClock;
use turnkit_server::{InteractionBody, List, ResolutionBody};

use crate::args::{Decide, Interactions, InteractionsCommand, Place};
use crate::data::{Data, DecisionResult};
use crate::failure::Failure;
use crate::query::InteractionQuery;
use crate::terminal::{arguments_of, json_line, line, question_lines, remark, revealed, shortened};

/// The longest note, and the longest changed arguments, in characters.
const MAX_TEXT_CHARS: usize = 120;

pub(crate) async fn run(place: &Place, interactions: &Interactions) -> Result<ExitCode, Failure> {
    let data = Data::open(place, interactions.server.as_deref())?;
    match &interactions.command {
        InteractionsCommand::Ls { json, all, session, limit, after } => {
            let Some(data) = data else { return print_list(&List::empty(), *json) };
            let session = match session {
                Some(session) => Some(data.find_session(session).await?),
                None => None,
            };
            let query = InteractionQuery { session, turn: None, pending: !all, limit: *limit, after: *after };
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
    let now = SystemClock.now();
    for shown in list.data.iter().flat_map(|interaction| lines_of(interaction, now)) {
        print(&shown)?;
    }
    for name in &list.unreadable {
        remark(&format!("{name} is damaged; `turnkit doctor` describes the damage"));
    }
    if let Some(next) = &list.next {
        remark(&format!("there are more: --after {next}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the lines that describe an interaction.
fn lines_of(interaction: &InteractionBody, now: Timestamp) -> Vec<String> {
    let InteractionBody { id, kind, name, arguments, reason, preview, question, .. } = interaction;
    let InteractionBody { created_at, expires_at, decided, .. } = interaction;
    // Without a server, nothing denies a call that was not decided in time.
    let is_expired = decided.is_none() && *expires_at <= now;
    let undecided = if is_expired { "expired" } else { "pending" };
    let state = decided.as_ref().map_or(undecided, |decided| decided.decision.as_str());
    let is_short = decided.is_some() || preview.is_some();
    let (wanted, arguments) = (awaited(*kind), arguments_of(&arguments.0, is_short));
    let mut lines = vec![format!("{id}  {created_at}  {state:<8}  {wanted}: {name} {arguments}")];
    if let Some(decided) = decided {
        lines.push(format!("  {}", decision_line(*kind, decided)));
        return lines;
    }
    let until = if is_expired { "expired at" } else { "open until" };
    lines.push(format!("  {reason}; {until} {expires_at}"));
    let question = question.as_ref().map(|question| (&*question.text, &*question.choices));
    lines.extend(question_lines(question, preview.as_deref()).iter().map(|line| format!("  {line}")));
    lines
}

/// Describes a decision: its time, who made it, and what belongs to it.
fn decision_line(kind: WaitKind, decided: &ResolutionBody) -> String {
    let ResolutionBody { by, arguments, note, grant, at, .. } = decided;
    let mut line = format!("decided at {at}; by: {}", decider(kind, *by));
    match grant {
        Some(GrantScope::Session) => line.push_str("; for the session"),
        Some(GrantScope::Always) => line.push_str("; always"),
        None => {}
    }
    if let Some(Arguments(changed)) = arguments {
        line.push_str(&format!("; with {}", shortened(changed, MAX_TEXT_CHARS)));
    }
    if let Some(note) = note {
        line.push_str(&format!("; note: {}", shortened(note, MAX_TEXT_CHARS)));
    }
    line
}

/// Returns who decided, or what denied the call.
fn decider(kind: WaitKind, denied_by: Option<Denial>) -> &'static str {
    match (denied_by, kind) {
        (Some(Denial::Expired), _) => "expired",
        (Some(Denial::Superseded), _) => "superseded",
        (Some(Denial::Cancelled), _) => "cancelled",
        (Some(Denial::Headless), _) => "headless",
        (_, WaitKind::ClientTool) => "client",
        (_, WaitKind::Child) => "sub-agent",
        (_, WaitKind::Approval | WaitKind::Outcome | WaitKind::Question) => "person",
    }
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
    match data.resolve(decide.id, decide.resolution()?).await? {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const TURN: &str = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01";

    fn shown(decided: &Value, now: &str) -> Vec<String> {
        let interaction = json!({
            "id": format!("{TURN}.1.0.0"), "kind": "approval", "session_id": TURN, "turn_id": TURN,
            "name": "pay", "arguments": "{}", "reason": "rule 1 of the configuration asks for approval",
            "created_at": "2026-01-01T12:00:00.000Z", "expires_at": "2026-01-08T12:00:00.000Z", "decided": decided,
        });
        let interaction: InteractionBody = serde_json::from_value(interaction).unwrap();
        lines_of(&interaction, serde_json::from_value(json!(now)).unwrap())
    }

    #[test]
    fn a_call_that_was_not_decided_in_time_is_shown_as_expired() {
        for (now, state, until) in [
            ("2026-01-08T11:59:59.999Z", "pending ", "open until"),
            ("2026-01-08T12:00:00.000Z", "expired ", "expired at"),
        ] {
            let first = format!("{TURN}.1.0.0  2026-01-01T12:00:00.000Z  {state}  approval: pay {{}}");
            let second = format!("  rule 1 of the configuration asks for approval; {until} 2026-01-08T12:00:00.000Z");
            assert_eq!(shown(&Value::Null, now), [first, second]);
        }
    }

    #[test]
    fn a_decision_is_shown_with_its_maker_its_grant_its_arguments_and_its_note() {
        let at = "2026-01-02T12:00:00.000Z";
        for (decided, says) in [
            (json!({ "decision": "approved", "at": at }), "person"),
            (
                json!({
                    "decision": "approved", "at": at, "grant": "session", "arguments": "{\"n\": 1}", "note": "a\nb",
                }),
                "person; for the session; with {\"n\": 1}; note: a b",
            ),
            (json!({ "decision": "approved", "at": at, "grant": "always" }), "person; always"),
            (json!({ "decision": "denied", "at": at, "by": "person", "note": "no" }), "person; note: no"),
            (json!({ "decision": "denied", "at": at, "by": "expired" }), "expired"),
        ] {
            let lines = shown(&decided, "2027-01-01T12:00:00.000Z");
            assert_eq!(lines[1..], [format!("  decided at {at}; by: {says}")], "{decided}");
        }
    }
}
