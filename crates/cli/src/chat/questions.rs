//! Interactions of a turn, as questions to a person at the terminal.

use std::collections::VecDeque;

use turnkit_core::{InteractionRequest, Resolution, TurnId, WaitId, WaitKind};

use super::input::{Input, Prompt, Request};
use super::render::Renderer;
use super::reply::{Reply, Stage, reply_of};
use crate::failure::Failure;
use crate::terminal::{arguments_of, call_text, harmless, remark, request_lines, revealed, shortened};

/// The largest number of characters of an agent's name in a prompt.
const AGENT: usize = 40;

/// The largest number of characters of a call in a prompt.
const CALL: usize = 120;

/// The width of a usual terminal.
const COLUMNS: usize = 80;

/// The number of rows of a question above which its prompt names the call again.
const LONG: usize = 20;

/// How calls that need approval are decided.
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

/// The result of a question.
pub(super) enum Answer {
    /// The question is decided.
    Decided(WaitId, Resolution),
    /// The person wants the turn to be cancelled.
    Interrupted,
    /// The person leaves. The question stays open.
    Left,
}

impl<'a> Questions<'a> {
    pub(super) fn new(approval: ApprovalMode<'a>) -> Self {
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
                "with -p, --json or piped input, calls that need approval are denied: run them with --yes, or decide \
                 each in `turnkit chat` without -p",
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

    /// Returns the questions of one turn that are not in this list.
    pub(super) fn missing_from(&self, list: &[WaitId], turn: TurnId) -> Vec<WaitId> {
        let of_turn = self.open.iter().map(|question| question.request.id).filter(|id| id.call.turn == turn);
        of_turn.filter(|id| !list.contains(id)).collect()
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
        for id in self.missing_from(&[], turn) {
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
    let lines = std::iter::once(arguments).chain(request_lines(request));
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
