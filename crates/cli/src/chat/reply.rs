//! Replies of a person at the prompt of a question.

use serde_json::{Map, Value};
use turnkit_core::{Arguments, GrantScope, InteractionRequest, KnownOutcome, Resolution, WaitKind};

use crate::args::NOTE_BYTES;
use crate::terminal::escaped;

/// The input that declines to answer.
const DECLINE: &str = "/decline";

/// The reply to a line that is not a decision.
const LETTERS: &str =
    "type one of the letters in brackets, optionally followed by a note for the model; Ctrl-C cancels the turn";

/// What follows from a line.
pub(super) enum Reply {
    /// The question is decided.
    Decided(Resolution),
    /// More input is needed.
    Ask(Stage),
}

/// The kind of input that a person is asked for.
pub(super) enum Stage {
    /// The decision itself.
    Choice,
    /// The note about a denied call that the model reads, which the person edits.
    Note(String),
    /// The arguments of the call, which the person edits.
    Arguments(String),
}

/// The meaning of a line that decides a call.
enum Choice {
    Decided(Resolution),
    Edit,
    Deny,
}

/// Parses a line that was entered at this stage. An error has the reason and the stage at which the person tries again.
pub(super) fn reply_of(question: &InteractionRequest, stage: &Stage, line: &str) -> Result<Reply, (String, Stage)> {
    let reply = match stage {
        Stage::Choice if matches!(question.kind, WaitKind::Question | WaitKind::ClientTool) => {
            Reply::Decided(answered(question, line).map_err(|why| (why, Stage::Choice))?)
        }
        Stage::Choice => match chosen(question.kind, line) {
            Some(Choice::Decided(resolution)) => Reply::Decided(resolution),
            Some(Choice::Edit) => Reply::Ask(Stage::Arguments(escaped(&question.arguments.0))),
            Some(Choice::Deny) => Reply::Ask(Stage::Note(String::new())),
            None => return Err((LETTERS.to_owned(), Stage::Choice)),
        },
        Stage::Note(_) => Reply::Decided(Resolution::denied(note(line))),
        Stage::Arguments(_) => changed(line)?,
    };
    let Reply::Decided(resolution) = &reply else { return Ok(reply) };
    let bytes = note_of(resolution).map_or(0, str::len);
    if bytes <= NOTE_BYTES {
        return Ok(reply);
    }
    let again = if matches!(stage, Stage::Note(_)) { Stage::Note(line.to_owned()) } else { Stage::Choice };
    Err((format!("a note has at most {NOTE_BYTES} bytes, and this one has {bytes}: shorten it"), again))
}

/// Parses the arguments of a call that the person changed. A blank line leads back to the question.
fn changed(line: &str) -> Result<Reply, (String, Stage)> {
    if line.trim().is_empty() {
        return Ok(Reply::Ask(Stage::Choice));
    }
    match serde_json::from_str::<Map<String, Value>>(line) {
        Ok(_) => {
            let arguments = Some(Arguments(line.to_owned()));
            Ok(Reply::Decided(Resolution::Approved { arguments, note: None, grant: None }))
        }
        Err(error) => Err((format!("not a JSON object: {error}"), Stage::Arguments(line.to_owned()))),
    }
}

/// Returns the note to the model, if the decision has one.
fn note_of(resolution: &Resolution) -> Option<&str> {
    match resolution {
        Resolution::Approved { note, .. } | Resolution::Denied { note, .. } | Resolution::Outcome { note, .. } => {
            note.as_deref()
        }
        Resolution::Answered { .. } | Resolution::Returned { .. } | Resolution::Child(_) => None,
    }
}

/// Parses a line that decides a call. Returns `None` if it decides nothing.
fn chosen(kind: WaitKind, line: &str) -> Option<Choice> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let note = note(rest);
    let outcome = match (kind, word.to_lowercase().as_str()) {
        (WaitKind::Approval, "a" | "approve" | "y" | "yes") => {
            return Some(approved(note, None));
        }
        (WaitKind::Approval, "s" | "session") => return Some(approved(note, Some(GrantScope::Session))),
        (WaitKind::Approval, "w" | "always") => return Some(approved(note, Some(GrantScope::Always))),
        (WaitKind::Approval, "e" | "edit") if note.is_none() => return Some(Choice::Edit),
        (WaitKind::Approval, "d" | "deny" | "n" | "no") if note.is_none() => return Some(Choice::Deny),
        (WaitKind::Approval, "d" | "deny" | "n" | "no") | (WaitKind::Outcome, "n" | "nobody") => {
            return Some(Choice::Decided(Resolution::denied(note)));
        }
        (WaitKind::Outcome, "r" | "retry" | "run") => KnownOutcome::Retry,
        (WaitKind::Outcome, "d" | "done") => KnownOutcome::Done,
        (WaitKind::Outcome, "f" | "failed") => KnownOutcome::Failed,
        _ => return None,
    };
    Some(Choice::Decided(Resolution::Outcome { outcome, note }))
}

/// Parses the answer to a question, or the result of a client's tool. A number selects the choice of this number.
fn answered(request: &InteractionRequest, line: &str) -> Result<Resolution, String> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix(DECLINE).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
        return Ok(Resolution::denied(note(rest)));
    }
    if line.is_empty() {
        return Err(
            "type an answer, or /decline, optionally followed by a note for the model; Ctrl-C cancels the turn"
                .to_owned(),
        );
    }
    let Some(question) = &request.question else {
        return Ok(Resolution::returned(true, line));
    };
    if question.schema.is_some() {
        let answer = serde_json::from_str(line).map_err(|error| format!("the answer must be JSON: {error}"))?;
        return Ok(Resolution::Answered { answer });
    }
    let index = line.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let choice = index.and_then(|index| question.choices.get(index)).map_or(line, String::as_str);
    Ok(Resolution::Answered { answer: Value::String(choice.to_owned()) })
}

fn approved(note: Option<String>, grant: Option<GrantScope>) -> Choice {
    Choice::Decided(Resolution::Approved { arguments: None, note, grant })
}

/// Returns the note, or `None` if it is blank.
fn note(line: &str) -> Option<String> {
    Some(line.trim()).filter(|line| !line.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use turnkit_core::{CallUid, Timestamp, WaitId, ports::IdSource as _};
    use turnkit_testkit::SeededIds;

    use super::*;

    #[test]
    fn a_letter_decides_and_the_rest_of_the_line_is_a_note() {
        let denied = |note: &str| Resolution::denied(Some(note.to_owned()));
        let outcome = |outcome| Resolution::Outcome { outcome, note: None };
        let approved = |note: &str| Resolution::Approved { arguments: None, note: Some(note.to_owned()), grant: None };
        let granted = |note: Option<&str>, grant| Resolution::Approved {
            arguments: None,
            note: note.map(str::to_owned),
            grant: Some(grant),
        };
        for (kind, line, expected) in [
            (WaitKind::Approval, "a", Some(Resolution::APPROVED)),
            (WaitKind::Approval, " YES ", Some(Resolution::APPROVED)),
            (WaitKind::Approval, "a but only once", Some(approved("but only once"))),
            (WaitKind::Approval, "s", Some(granted(None, GrantScope::Session))),
            (WaitKind::Approval, "always carefully", Some(granted(Some("carefully"), GrantScope::Always))),
            (WaitKind::Approval, "d  ask Bob first ", Some(denied("ask Bob first"))),
            (WaitKind::Approval, "no", None),
            (WaitKind::Approval, "r", None),
            (WaitKind::Approval, "all", None),
            (WaitKind::Approval, "", None),
            (WaitKind::Outcome, "r", Some(outcome(KnownOutcome::Retry))),
            (WaitKind::Outcome, "d", Some(outcome(KnownOutcome::Done))),
            (WaitKind::Outcome, "failed", Some(outcome(KnownOutcome::Failed))),
            (WaitKind::Outcome, "n", Some(Resolution::denied(None))),
            (WaitKind::Outcome, "a", None),
            (WaitKind::Outcome, "s", None),
        ] {
            let found = match chosen(kind, line) {
                Some(Choice::Decided(resolution)) => Some(resolution),
                Some(Choice::Edit | Choice::Deny) | None => None,
            };
            assert_eq!(found, expected, "{line:?}");
        }
        assert!(matches!(chosen(WaitKind::Approval, "e"), Some(Choice::Edit)));
        assert!(matches!(chosen(WaitKind::Approval, "no"), Some(Choice::Deny)));
    }

    #[test]
    fn a_note_that_is_too_long_is_refused_where_it_was_entered() {
        let at = Timestamp::from_millis(0);
        let uid = CallUid { turn: SeededIds::new(1).turn(at), step: 1, ordinal: 0 };
        let question = InteractionRequest {
            id: WaitId { call: uid, number: 0 },
            kind: WaitKind::Approval,
            uid,
            name: "pay".to_owned(),
            arguments: Arguments("{}".to_owned()),
            reason: String::new(),
            preview: None,
            question: None,
            child: None,
            expires_at: at,
        };
        let (longest, longer) = ("x".repeat(NOTE_BYTES), "é".repeat(NOTE_BYTES / 2 + 1));
        let noted = || Stage::Note(String::new());
        for (stage, line, expected) in [
            (Stage::Choice, format!("a {longest}"), None),
            (noted(), longest.clone(), None),
            (Stage::Choice, format!("a {longer}"), Some("")),
            (Stage::Choice, format!("d {longer}"), Some("")),
            (noted(), longer.clone(), Some(longer.as_str())),
        ] {
            let refused = match reply_of(&question, &stage, &line) {
                Ok(reply) => {
                    assert!(matches!(reply, Reply::Decided(_)));
                    None
                }
                Err((why, again)) => {
                    assert_eq!(why, "a note has at most 4096 bytes, and this one has 4098: shorten it");
                    match again {
                        Stage::Note(note) => Some(note),
                        Stage::Choice | Stage::Arguments(_) => Some(String::new()),
                    }
                }
            };
            assert_eq!(refused.as_deref(), expected);
        }
    }
}
