//! Interactions of a turn, as questions to a person at the terminal.

use std::collections::VecDeque;

use serde_json::{Map, Value};
use turnkit_core::{Arguments, GrantScope, InteractionRequest, KnownOutcome, Resolution, TurnId, WaitId, WaitKind};

use super::input::{Input, Prompt, Request};
use super::render::Renderer;
use crate::args::NOTE_BYTES;
use crate::failure::Failure;
use crate::terminal::{arguments_of, call_text, escaped, harmless, question_lines, remark, revealed, shortened};

/// The input that declines to answer.
const DECLINE: &str = "/decline";

/// The largest number of characters of an agent's name in a prompt.
const AGENT: usize = 40;

/// The largest number of characters of a call in a prompt.
const CALL: usize = 120;

/// The width of a usual terminal.
const COLUMNS: usize = 80;

/// The number of rows of a question above which its prompt names the call again.
const LONG: usize = 20;

/// The reply to a line that is not a decision.
const LETTERS: &str =
    "type one of the letters in brackets, optionally followed by a note for the model; Ctrl-C cancels the turn";

/// The party that decides calls that need approval.
pub(super) enum ApprovalMode<'a> {
    /// No person is present: calls that need approval are denied without a question.
    Headless,
    /// All calls run.
    ApproveAll,
    /// A person.
    Interactive(&'a mut Prompt),
}

/// The open questions of a turn and of the sub-agents' turns below it. They are asked one after the other: the first
/// one is shown, with its call, immediately before its prompt.
pub(super) struct Questions<'a> {
    approval: ApprovalMode<'a>,
    open: VecDeque<Question>,
    stage: Stage,
    /// The question that the person was shown last.
    shown: Option<WaitId>,
    /// Whether the reason why calls are denied was shown.
    explained: bool,
}

/// A question, with the sub-agent that asks it. `None` stands for the agent of the followed turn.
pub(super) struct Question {
    pub(super) agent: Option<String>,
    pub(super) request: InteractionRequest,
}

/// The kind of input that a person is asked for.
enum Stage {
    /// The decision itself.
    Choice,
    /// The note about a denied call that the model reads, which the person edits.
    Note(String),
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

/// What follows from a line.
enum Reply {
    /// The question is decided.
    Decided(Resolution),
    /// More input is needed.
    Ask(Stage),
}

/// The meaning of a line that decides a call.
enum Choice {
    Decided(Resolution),
    Edit,
    Deny,
}

impl<'a> Questions<'a> {
    pub(super) fn of(approval: ApprovalMode<'a>) -> Self {
        Self { approval, open: VecDeque::new(), stage: Stage::Choice, shown: None, explained: false }
    }

    /// Reports whether a person decides.
    pub(super) fn are_interactive(&self) -> bool {
        matches!(self.approval, ApprovalMode::Interactive(_))
    }

    /// Explains that a call was denied because no person can be asked, unless that was already explained.
    pub(super) fn explain_denial(&mut self) {
        if matches!(self.approval, ApprovalMode::Headless) && !std::mem::replace(&mut self.explained, true) {
            remark(
                "a chat that answers once (-p, --json or piped input) asks nobody: --yes runs calls that only lack an \
                 approval, and `turnkit chat` without -p asks you",
            );
        }
    }

    /// Reports whether the person is being asked a question. Until it is decided or withdrawn, nothing else may be
    /// printed: the person takes the text before the prompt for the call that is decided there.
    pub(super) fn are_asked(&self) -> bool {
        self.open.front().is_some_and(|question| self.shown == Some(question.request.id))
    }

    /// Adds the question of a waiting call.
    pub(super) fn add(&mut self, question: Question) {
        if self.open.iter().all(|known| known.request.id != question.request.id) {
            self.open.push_back(question);
        }
    }

    /// Removes a question that was decided here or elsewhere. Returns it if a person was to be asked and has not seen
    /// it yet.
    pub(super) fn remove(&mut self, id: WaitId) -> Option<Question> {
        let index = self.open.iter().position(|question| question.request.id == id)?;
        let question = self.open.remove(index)?;
        if self.shown != Some(id) {
            return Some(question).filter(|_| self.are_interactive());
        }
        (self.stage, self.shown) = (Stage::Choice, None);
        if let ApprovalMode::Interactive(prompt) = &mut self.approval
            && prompt.withdraw()
        {
            remark("the question is withdrawn; press Enter to continue");
        }
        None
    }

    /// Withdraws the questions of one turn, because its events are repeated.
    pub(super) fn forget(&mut self, turn: TurnId) {
        let of_turn = self.open.iter().map(|question| question.request.id).filter(|id| id.call.turn == turn);
        for id in of_turn.collect::<Vec<_>>() {
            self.remove(id);
        }
    }

    /// Withdraws all questions, because the turn ends or is no longer followed.
    pub(super) fn clear(&mut self) {
        while let Some(id) = self.open.front().map(|question| question.request.id) {
            self.remove(id);
        }
    }

    /// Asks the first question and waits for the answer. This method is cancel safe: no input is lost.
    pub(super) async fn answer(&mut self, renderer: &mut Renderer) -> Result<Answer, Failure> {
        if let ApprovalMode::Interactive(prompt) = &mut self.approval
            && prompt.settle().await?
        {
            return Ok(Answer::Interrupted);
        }
        let Some(question) = self.open.front() else { return std::future::pending().await };
        let (id, kind) = (question.request.id, question.request.kind);
        let prompt = match &mut self.approval {
            ApprovalMode::Headless => return std::future::pending().await,
            ApprovalMode::ApproveAll => return Ok(Answer::Decided(id, approve_all(kind))),
            ApprovalMode::Interactive(prompt) => prompt,
        };
        // The prompt is requested before the next wait, so nothing can be printed in between.
        let mut is_new = self.shown != Some(id);
        if is_new {
            renderer.ask(question.agent.as_deref(), &question.request).map_err(|error| Failure::of_output(&error))?;
            self.shown = Some(id);
        }
        loop {
            // Once the prompt was shown, typed input may be an answer.
            let discards = std::mem::take(&mut is_new);
            let request = match &self.stage {
                Stage::Choice if discards => Request::new(prompt_text(question)).discarding(),
                Stage::Choice => Request::new(prompt_text(question)),
                Stage::Note(note) => Request::new("why (the model reads it): ").changing(note),
                Stage::Arguments(arguments) => Request::new("arguments: ").changing(arguments),
            };
            let entered = prompt.enter(request).await?;
            let stage = std::mem::replace(&mut self.stage, Stage::Choice);
            let line = match entered {
                Input::Text(line) => line,
                // The person goes back to the question.
                Input::Interrupted | Input::End if !matches!(stage, Stage::Choice) => continue,
                Input::Interrupted => return Ok(Answer::Interrupted),
                Input::End => return Ok(Answer::Left),
            };
            match reply_of(&question.request, &stage, &line) {
                Ok(Reply::Decided(resolution)) => return Ok(Answer::Decided(id, resolution)),
                Ok(Reply::Ask(next)) => self.stage = next,
                Err((why, again)) => {
                    remark(&why);
                    self.stage = again;
                }
            }
        }
    }
}

/// Parses a line that was entered at this stage. An error has the reason and the stage at which the person tries again.
fn reply_of(question: &InteractionRequest, stage: &Stage, line: &str) -> Result<Reply, (String, Stage)> {
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

/// Returns the prompt for a question, which is shown above it. The prompt names the sub-agent, and the call if its name
/// may have left the screen.
fn prompt_text(question: &Question) -> String {
    let Question { agent, request } = question;
    let choices = match request.kind {
        WaitKind::Approval => "[a]pprove, for the [s]ession, al[w]ays, [e]dit, [d]eny: ",
        WaitKind::Outcome => "[r]un it again, it took effect: [d]one, it [f]ailed, or [n]o one knows: ",
        WaitKind::Question => "answer, or /decline: ",
        WaitKind::ClientTool => "what it returned, or /decline: ",
        WaitKind::Child => "",
    };
    let agent = agent.as_ref().map(|agent| format!("sub-agent {}: ", shortened(agent, AGENT)));
    let text = format!("{}{choices}", agent.unwrap_or_default());
    let text = if rows(request) > LONG { format!("{}\n{text}", call_text(request, CALL)) } else { text };
    harmless(&revealed(&text))
}

/// Returns the approximate number of rows that a question takes on the screen.
fn rows(request: &InteractionRequest) -> usize {
    let arguments = arguments_of(&request.arguments.0, request.preview.is_some());
    let question = request.question.iter().flat_map(|question| question_lines(&question.text, &question.choices));
    let preview = request.preview.iter().flat_map(|preview| preview.lines()).map(str::to_owned);
    let lines = std::iter::once(arguments).chain(question).chain(preview);
    lines.map(|line| 1 + line.chars().count() / COLUMNS).sum()
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
    use turnkit_core::{CallUid, Timestamp, ports::IdSource as _};
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
