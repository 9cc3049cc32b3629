//! The questions of a waiting turn, as forms that a client shows to its user, and the decisions that come back.

use serde_json::{Map, Value, json};
use turnkit_core::{GrantScope, KnownOutcome, Resolution, ToolQuestion, Wait, WaitKind, json_contains_nul};

use super::arguments::{InputAction, InputResponse};
use super::excerpt::{self, excerpt};

/// The longest text of a form that comes from the model or from a tool, in characters.
const TEXT_CHARS: usize = 4_000;
/// The longest note to the model, in bytes.
const NOTE_BYTES: usize = 4096;
/// The JSON types that a field of a form may have.
const PLAIN_TYPES: [&str; 4] = ["string", "number", "integer", "boolean"];

/// Returns the forms for those of the waits that a person can decide, by the ids of the waits.
pub(super) fn forms(waits: &[Wait]) -> Map<String, Value> {
    let form = |wait: &Wait| {
        let schema = schema(wait)?;
        let params = json!({ "mode": "form", "message": message(wait), "requestedSchema": schema });
        Some((wait.id.to_string(), json!({ "method": "elicitation/create", "params": params })))
    };
    waits.iter().filter_map(form).collect()
}

/// Returns the decision of a client's user about a wait. The reason of an error is for the developer of the client.
pub(super) fn resolution(wait: &Wait, response: InputResponse) -> Result<Resolution, &'static str> {
    let InputResponse { action, content } = response;
    // A form that was closed is not asked again: a client that answers by itself would do so without end.
    if action != InputAction::Accept {
        return Ok(Resolution::denied(None));
    }
    if content.as_ref().is_some_and(json_contains_nul) {
        return Err("content: contains a NUL character");
    }
    let Some(Value::Object(mut content)) = content else { return Err("content: must be an object") };
    let note = note(&mut content)?;
    match wait.kind {
        WaitKind::Approval => approval(wait, content.get("decision").and_then(Value::as_str), note),
        WaitKind::Outcome => outcome(content.get("outcome").and_then(Value::as_str), note),
        WaitKind::Question => answer(wait.question.question.as_deref(), content),
        WaitKind::ClientTool | WaitKind::Child => Err("this interaction is not decided by a person"),
    }
}

fn approval(wait: &Wait, decision: Option<&str>, note: Option<String>) -> Result<Resolution, &'static str> {
    let grant = match decision {
        Some("approve" | "approve_session" | "approve_always") if hidden(wait) > 0 => {
            return Err("decision: must be deny, because the form cannot show all of the call; another client can \
                        approve it with POST /api/v1/interactions/{id}");
        }
        Some("approve") => None,
        Some("approve_session" | "approve_always") if wait.question.grantable.is_none() => {
            return Err("decision: the approval cannot also cover later calls; it must be approve or deny");
        }
        Some("approve_session") => Some(GrantScope::Session),
        Some("approve_always") => Some(GrantScope::Always),
        Some("deny") => return Ok(Resolution::denied(note)),
        _ => return Err("decision: must be approve, approve_session, approve_always or deny"),
    };
    Ok(Resolution::Approved { arguments: None, note, grant })
}

fn outcome(outcome: Option<&str>, note: Option<String>) -> Result<Resolution, &'static str> {
    let outcome = match outcome {
        Some("retry") => KnownOutcome::Retry,
        Some("done") => KnownOutcome::Done,
        Some("failed") => KnownOutcome::Failed,
        Some("deny") => return Ok(Resolution::denied(note)),
        _ => return Err("outcome: must be retry, done, failed or deny"),
    };
    Ok(Resolution::Outcome { outcome, note })
}

fn answer(question: Option<&ToolQuestion>, mut content: Map<String, Value>) -> Result<Resolution, &'static str> {
    let schema = question.and_then(|question| question.schema.as_ref());
    if schema.is_some_and(is_form) {
        return Ok(Resolution::Answered { answer: Value::Object(content) });
    }
    let Some(answer) = content.remove("answer") else { return Err("answer: missing") };
    let answer = match (schema, answer) {
        (Some(schema), Value::String(text)) if !is_plain(schema) => {
            serde_json::from_str(&text).map_err(|_| "answer: must be JSON")?
        }
        (_, answer) => answer,
    };
    Ok(Resolution::Answered { answer })
}

/// Removes the note from the content of a form.
fn note(content: &mut Map<String, Value>) -> Result<Option<String>, &'static str> {
    match content.remove("note") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(note)) if note.len() > NOTE_BYTES => Err("note: must be at most 4096 bytes"),
        Some(Value::String(note)) => Ok(Some(note).filter(|note| !note.trim().is_empty())),
        Some(_) => Err("note: must be a string"),
    }
}

/// Returns the sentence above a form.
fn message(wait: &Wait) -> String {
    let asked = &wait.question;
    if let Some(question) = &asked.question {
        let choices = match question.choices.as_slice() {
            [] => String::new(),
            choices => format!("\n\nFor example: {}", choices.join(", ")),
        };
        return format!("{}{}", excerpt(&question.text, TEXT_CHARS), excerpt(&choices, TEXT_CHARS));
    }
    let (call, hidden) = (excerpt(call(wait), TEXT_CHARS), hidden(wait));
    let notice = match (hidden, wait.kind) {
        (0, _) => String::new(),
        (_, WaitKind::Approval) => format!(
            "\n\nCharacters of this call that cannot be shown here: {hidden}. It can only be denied here; a client \
             that shows all of it can approve it."
        ),
        _ => format!("\n\nCharacters of this call that cannot be shown here: {hidden}."),
    };
    format!("{}: {}\n\n{call}{notice}", asked.name, asked.reason)
}

/// Returns the text that shows the call of a wait.
fn call(wait: &Wait) -> &str {
    wait.question.preview.as_deref().unwrap_or(wait.question.arguments.0.as_str())
}

/// Returns how many characters of the call of a wait its form does not show.
fn hidden(wait: &Wait) -> usize {
    excerpt::missing(call(wait), TEXT_CHARS)
}

/// Returns the fields of the form for a wait, or `None` if no person decides it.
fn schema(wait: &Wait) -> Option<Value> {
    let note = json!({ "type": "string", "title": "Note to the agent", "maxLength": NOTE_BYTES });
    match wait.kind {
        WaitKind::Approval => {
            // A person approves only what the form shows.
            let choices = match (hidden(wait), &wait.question.grantable) {
                (0, Some(_)) => vec!["approve", "deny", "approve_session", "approve_always"],
                (0, None) => vec!["approve", "deny"],
                _ => vec!["deny"],
            };
            let decision = json!({ "type": "string", "title": "Decision", "enum": choices });
            Some(form(json!({ "decision": decision, "note": note }), "decision"))
        }
        WaitKind::Outcome => {
            let outcome = json!({
                "type": "string",
                "title": "Outcome of the call",
                "description": "retry: it had no effect and runs again; done: it took effect; failed: it had no effect",
                "enum": ["retry", "done", "failed", "deny"],
            });
            Some(form(json!({ "outcome": outcome, "note": note }), "outcome"))
        }
        WaitKind::Question => Some(question_schema(wait.question.question.as_deref())),
        WaitKind::ClientTool | WaitKind::Child => None,
    }
}

/// Returns the form for a tool's question. Forms have plain fields only, so other answers are asked for as JSON.
fn question_schema(question: Option<&ToolQuestion>) -> Value {
    let answer = match question.and_then(|question| question.schema.as_ref()) {
        Some(schema) if is_form(schema) => return schema.clone(),
        Some(schema) if is_plain(schema) => schema.clone(),
        Some(schema) => {
            let description = format!("JSON of this schema: {}", excerpt(&schema.to_string(), TEXT_CHARS));
            json!({ "type": "string", "title": "Answer", "description": description })
        }
        None => json!({ "type": "string", "title": "Answer" }),
    };
    form(json!({ "answer": answer }), "answer")
}

fn form(properties: Value, required: &str) -> Value {
    json!({ "type": "object", "properties": properties, "required": [required] })
}

/// Reports whether a schema is one of a form: an object with plain fields.
fn is_form(schema: &Value) -> bool {
    let Some(fields) = schema["properties"].as_object() else { return false };
    schema["type"] == "object" && !fields.is_empty() && !fields.contains_key("note") && fields.values().all(is_plain)
}

fn is_plain(schema: &Value) -> bool {
    schema["type"].as_str().is_some_and(|name| PLAIN_TYPES.contains(&name))
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Arguments, SessionId, Timestamp, WaitQuestion};

    use super::*;

    fn wait(kind: WaitKind, question: Option<ToolQuestion>) -> Wait {
        Wait {
            id: "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0".parse().unwrap(),
            session: SessionId::default(),
            parent: None,
            kind,
            question: WaitQuestion {
                name: "pay".to_owned(),
                arguments: Arguments(r#"{"to":"Bob"}"#.to_owned()),
                reason: "a rule asks for approval".to_owned(),
                preview: None,
                question: question.map(Box::new),
                grantable: None,
                child: None,
            },
            created_at: Timestamp::default(),
            expires_at: Timestamp::default(),
            decided: None,
        }
    }

    fn asking(schema: Value) -> Wait {
        let question = ToolQuestion { schema: Some(schema), ..ToolQuestion::new("Which one?") };
        wait(WaitKind::Question, Some(question))
    }

    fn decided(wait: &Wait, content: Value) -> Result<Resolution, &'static str> {
        resolution(wait, InputResponse { action: InputAction::Accept, content: Some(content) })
    }

    #[test]
    fn a_form_has_the_choices_of_its_wait() {
        for (wait, property, expected) in [
            (wait(WaitKind::Approval, None), "decision", json!(["approve", "deny"])),
            (wait(WaitKind::Outcome, None), "outcome", json!(["retry", "done", "failed", "deny"])),
        ] {
            let forms = forms(std::slice::from_ref(&wait));
            let params = &forms[&wait.id.to_string()]["params"];
            assert_eq!(params["requestedSchema"]["properties"][property]["enum"], expected);
            assert_eq!(params["message"], "pay: a rule asks for approval\n\n{\"to\":\"Bob\"}");
        }
        assert!(forms(&[wait(WaitKind::ClientTool, None), wait(WaitKind::Child, None)]).is_empty());
    }

    #[test]
    fn the_answer_to_a_form_is_the_decision_about_the_wait() {
        let approval = wait(WaitKind::Approval, None);
        let approved = Resolution::Approved { arguments: None, note: Some("ok".to_owned()), grant: None };
        assert_eq!(decided(&approval, json!({ "decision": "approve", "note": "ok" })), Ok(approved));
        let denied = Resolution::denied(Some("no".to_owned()));
        assert_eq!(decided(&approval, json!({ "decision": "deny", "note": "no" })), Ok(denied));
        assert_eq!(decided(&approval, json!({ "decision": "deny", "note": " " })), Ok(Resolution::denied(None)));
        let outcome = wait(WaitKind::Outcome, None);
        let done = Resolution::Outcome { outcome: KnownOutcome::Done, note: None };
        assert_eq!(decided(&outcome, json!({ "outcome": "done" })), Ok(done));
        for action in [InputAction::Decline, InputAction::Cancel] {
            let declined = resolution(&approval, InputResponse { action, content: None });
            assert_eq!(declined, Ok(Resolution::denied(None)));
        }
        for content in [json!({}), json!({ "decision": "maybe" }), json!({ "decision": "deny", "note": 7 }), json!([])]
        {
            assert!(decided(&approval, content.clone()).is_err(), "{content}");
        }
        for decision in ["approve_session", "approve_always"] {
            let refused = decided(&approval, json!({ "decision": decision })).unwrap_err();
            assert!(refused.starts_with("decision: "), "the call cannot be granted: {refused}");
        }
    }

    #[test]
    fn a_call_that_a_form_cannot_show_can_only_be_denied_there() {
        for (call, preview, missing) in [
            ("x".repeat(TEXT_CHARS), None, 0),
            ("ä".repeat(TEXT_CHARS + 12), None, 12),
            ("x".repeat(TEXT_CHARS + 12), Some("Pays Bob.".to_owned()), 0),
            ("{}".to_owned(), Some("y".repeat(TEXT_CHARS + 7)), 7),
        ] {
            let mut wait = wait(WaitKind::Approval, None);
            wait.question.arguments = Arguments(call);
            wait.question.preview = preview;
            let params = forms(std::slice::from_ref(&wait))[&wait.id.to_string()]["params"].clone();
            let choices = &params["requestedSchema"]["properties"]["decision"]["enum"];
            let message = params["message"].as_str().unwrap();
            let notice = format!("Characters of this call that cannot be shown here: {missing}. It can only be denied");
            let can_approve = missing == 0;
            assert_eq!(message.contains(&notice), !can_approve, "{message}");
            assert_eq!(choices.as_array().unwrap().contains(&json!("approve")), can_approve, "{choices}");
            assert_eq!(decided(&wait, json!({ "decision": "approve" })).is_ok(), can_approve, "{missing}");
            assert_eq!(decided(&wait, json!({ "decision": "deny" })), Ok(Resolution::denied(None)));
        }
        let mut outcome = wait(WaitKind::Outcome, None);
        outcome.question.arguments = Arguments("x".repeat(TEXT_CHARS + 1));
        assert!(message(&outcome).ends_with("…\n\nCharacters of this call that cannot be shown here: 1."));
        assert!(decided(&outcome, json!({ "outcome": "retry" })).is_ok());
    }

    #[test]
    fn an_answer_has_the_form_of_its_question() {
        let answered = |answer: Value| Ok(Resolution::Answered { answer });
        let text = wait(WaitKind::Question, Some(ToolQuestion::new("Which one?")));
        assert_eq!(decided(&text, json!({ "answer": "this" })), answered(json!("this")));
        let number = asking(json!({ "type": "integer" }));
        assert_eq!(decided(&number, json!({ "answer": 7 })), answered(json!(7)));
        let object = asking(json!({ "type": "object", "properties": { "size": { "type": "integer" } } }));
        assert_eq!(decided(&object, json!({ "size": 7 })), answered(json!({ "size": 7 })));
        let list = asking(json!({ "type": "array", "items": { "type": "integer" } }));
        assert_eq!(decided(&list, json!({ "answer": "[7]" })), answered(json!([7])));
        assert!(decided(&list, json!({ "answer": "[7" })).is_err());
        assert!(decided(&text, json!({})).is_err());
    }
}
