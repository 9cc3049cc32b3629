//! Interactions of a turn, as questions to a person at the terminal.

use std::collections::VecDeque;

use serde_json::{Map, Value};
use turnkit_core::{Arguments, GrantScope, InteractionRequest, KnownOutcome, Resolution, TurnId, WaitId, WaitKind};

use super::input::{Input, Prompt, Request};
use crate::failure::Failure;
use crate::terminal::{escaped, harmless, remark, revealed, shortened};

/// The input that declines to answer.
const DECLINE: &str = "/decline";

/// The largest number of characters of arguments that a question shows.
const ARGUMENTS: usize = 120;

/// The party that decides calls that need approval.
pub(super) enum ApprovalMode<'a> {
    /// No person is present: calls that need approval are denied without a question.
    Headless,
    /// All calls run.
    ApproveAll,
    /// A person.
    Interactive(&'a mut Prompt),
}

/// The open questions of a turn. The first one is being asked.
pub(super) struct Questions<'a> {
    approval: ApprovalMode<'a>,
    open: VecDeque<InteractionRequest>,
    stage: Stage,
    /// The question whose prompt the person has seen.
    shown: Option<WaitId>,
}

/// The kind of input that a person is asked for.
enum Stage {
    /// The decision itself.
    Choice,
    /// The note about a denied call that the model reads.
    Note,
    /// The arguments of the call, which the person edits.
    Arguments(String),
}

/// The result of a question.
pub(super) enum Answer {
    /// The question is decided.
    Decided(WaitId, Resolution),
    /// The person wants the turn to be cancelled.
    Interrupted,
    /// The person leaves. The question stays open.
    Left,
}

/// The meaning of a line that decides a call.
enum Choice {
    Decided(Resolution),
    Edit,
    Deny,
}

impl<'a> Questions<'a> {
    pub(super) fn of(approval: ApprovalMode<'a>) -> Self {
        Self { approval, open: VecDeque::new(), stage: Stage::Choice, shown: None }
    }

    /// Reports whether a person decides.
    pub(super) fn are_interactive(&self) -> bool {
        matches!(self.approval, ApprovalMode::Interactive(_))
    }

    /// Adds the question of a waiting call.
    pub(super) fn add(&mut self, question: &InteractionRequest) {
        self.open.push_back(question.clone());
    }

    /// Removes a question that was decided here or elsewhere. Returns `true` if the question was open.
    pub(super) fn remove(&mut self, id: WaitId) -> bool {
        if self.open.front().is_some_and(|question| question.id == id) {
            self.stage = Stage::Choice;
            if let ApprovalMode::Interactive(prompt) = &mut self.approval
                && prompt.withdraw()
            {
                remark("the question is withdrawn; press Enter to continue");
            }
        }
        let before = self.open.len();
        self.open.retain(|question| question.id != id);
        self.open.len() < before
    }

    /// Withdraws the questions of one turn, because its events are repeated.
    pub(super) fn forget(&mut self, turn: TurnId) {
        let of_turn = self.open.iter().map(|question| question.id).filter(|id| id.call.turn == turn);
        of_turn.collect::<Vec<_>>().into_iter().for_each(|id| {
            self.remove(id);
        });
    }

    /// Withdraws all questions, because the turn will stop or its events are repeated.
    pub(super) fn clear(&mut self) {
        while let Some(id) = self.open.front().map(|question| question.id) {
            self.remove(id);
        }
    }

    /// Waits for the answer to the first question. This method is cancel safe: no input is lost.
    pub(super) async fn answer(&mut self) -> Result<Answer, Failure> {
        let Some(question) = self.open.front() else { return std::future::pending().await };
        let (id, kind) = (question.id, question.kind);
        let prompt = match &mut self.approval {
            ApprovalMode::Headless => return std::future::pending().await,
            ApprovalMode::ApproveAll => return Ok(Answer::Decided(id, approve_all(kind))),
            ApprovalMode::Interactive(prompt) => prompt,
        };
        loop {
            let request = match &self.stage {
                // Once the prompt was shown, typed input may be an answer.
                Stage::Choice if self.shown == Some(id) => Request::new(prompt_text(question)),
                Stage::Choice => Request::new(prompt_text(question)).discarding(),
                Stage::Note => Request::new("why (the model reads it): "),
                Stage::Arguments(arguments) => Request::new("arguments: ").changing(arguments),
            };
            let entered = prompt.enter(request).await?;
            self.shown = Some(id);
            let line = match entered {
                Input::Text(line) => line,
                Input::Interrupted => return Ok(Answer::Interrupted),
                Input::End => return Ok(Answer::Left),
            };
            match std::mem::replace(&mut self.stage, Stage::Choice) {
                Stage::Choice if matches!(kind, WaitKind::Question | WaitKind::ClientTool) => {
                    match answered(question, &line) {
                        Ok(resolution) => return Ok(Answer::Decided(id, resolution)),
                        Err(why) => remark(&why),
                    }
                }
                Stage::Choice => match chosen(kind, &line) {
                    Some(Choice::Decided(resolution)) => return Ok(Answer::Decided(id, resolution)),
                    Some(Choice::Edit) => self.stage = Stage::Arguments(escaped(&question.arguments.0)),
                    Some(Choice::Deny) => self.stage = Stage::Note,
                    None => remark(
                        "type one of the letters in brackets, optionally followed by a note for the model; Ctrl-C \
                         cancels the turn",
                    ),
                },
                Stage::Note => return Ok(Answer::Decided(id, Resolution::denied(note(&line)))),
                Stage::Arguments(_) if line.trim().is_empty() => {}
                Stage::Arguments(_) => match serde_json::from_str::<Map<String, Value>>(&line) {
                    Ok(_) => {
                        let arguments = Some(Arguments(line));
                        return Ok(Answer::Decided(id, Resolution::Approved { arguments, note: None, grant: None }));
                    }
                    Err(error) => {
                        remark(&format!("not a JSON object: {error}"));
                        self.stage = Stage::Arguments(line);
                    }
                },
            }
        }
    }
}

/// Returns the prompt for a call. Several calls may be open, so the prompt names its call.
fn prompt_text(question: &InteractionRequest) -> String {
    let choices = match question.kind {
        WaitKind::Approval => "[a]pprove, for the [s]ession, al[w]ays, [e]dit, [d]eny: ",
        WaitKind::Outcome => "[r]un it again, it took effect: [d]one, it [f]ailed, or [n]o one knows: ",
        WaitKind::Question => "answer, or /decline: ",
        WaitKind::ClientTool => "what it returned, or /decline: ",
        WaitKind::Child => "",
    };
    let call = format!("{} {}", question.name, shortened(&question.arguments.0, ARGUMENTS));
    format!("{}\n{choices}", harmless(&revealed(&call)))
}

/// Returns the decision about a call if all calls run. The outcome of a call that a crash interrupted stays unknown,
/// and a question gets no answer.
fn approve_all(kind: WaitKind) -> Resolution {
    match kind {
        WaitKind::Approval => Resolution::APPROVED,
        WaitKind::Outcome | WaitKind::Question | WaitKind::ClientTool | WaitKind::Child => Resolution::denied(None),
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
}
