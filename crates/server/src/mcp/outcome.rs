//! The results of calls.

use serde_json::{Map, Value, json};
use turnkit_core::{PartKind, TurnId, TurnStatus, TurnView};

use super::continuation::Continuation;
use super::revision::Revision;
use crate::dialect::sentence;

/// Returns the result of a call whose turn has ended.
pub(super) fn of_turn(turn: TurnId, session: &str, view: &TurnView, status: TurnStatus, revision: Revision) -> Value {
    let answer = answer(view);
    let text = match (status, answer.as_str()) {
        (TurnStatus::Completed, answer) => answer.to_owned(),
        (_, "") => reason(view, status),
        (_, answer) => format!("{}\n\nThe answer so far:\n{answer}", reason(view, status)),
    };
    let mut result = json!({
        "content": [{ "type": "text", "text": text }],
        "structuredContent": { "session": session, "turn": turn, "status": status, "text": answer },
    });
    if status != TurnStatus::Completed {
        result["isError"] = true.into();
    }
    complete(result, revision)
}

/// Returns the result of a call that starts no turn, for a reason that the calling model can act on.
pub(super) fn refused(why: &str, revision: Revision) -> Value {
    complete(json!({ "content": [{ "type": "text", "text": why }], "isError": true }), revision)
}

/// Returns the result of a call whose turn waits for answers to these forms.
pub(super) fn input_required(forms: Map<String, Value>, continuation: Continuation) -> Value {
    json!({ "resultType": "input_required", "inputRequests": forms, "requestState": continuation.to_string() })
}

/// Adds the type that results have since there are other ones.
pub(super) fn complete(mut result: Value, revision: Revision) -> Value {
    if revision == Revision::Stateless {
        result["resultType"] = "complete".into();
    }
    result
}

/// Returns the text of the last step that wrote any.
fn answer(view: &TurnView) -> String {
    let texts = || view.parts.iter().filter(|part| part.kind == PartKind::Text && !part.text.is_empty());
    let last = texts().map(|part| part.id.step).max();
    texts().filter(|part| Some(part.id.step) == last).map(|part| part.text.as_str()).collect()
}

/// Returns why a turn did not complete.
fn reason(view: &TurnView, status: TurnStatus) -> String {
    let error = view.remarks.iter().rev().find(|remark| remark.error);
    let intended = matches!(status, TurnStatus::Cancelled | TurnStatus::Interrupted);
    match error.filter(|_| !intended) {
        Some(error) => format!("{}: {}", error.code, error.text),
        None => sentence(status).to_owned(),
    }
}
