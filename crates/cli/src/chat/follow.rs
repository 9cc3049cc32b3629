//! Following of one turn at the terminal: shows its events as they arrive, asks its questions, and handles Ctrl-C.

use std::process::ExitCode;

use turnkit_core::{EventKind, InteractionRequest, Resolution, ToolErrorKind, TurnEvent, TurnId, TurnStatus, WaitId};

use super::children::Children;
use super::interrupt::Interrupts;
use super::output::Output;
use super::questions::{Answer, ApprovalMode, Question, Questions};
use super::render::Renderer;
use crate::data::{DecisionResult, Feed, FeedItem, Runner};
use crate::failure::Failure;
use crate::terminal::remark;

/// The result of following a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The turn has ended.
    Ended(TurnStatus),
    /// The user left before the turn ended.
    Left,
}

impl Outcome {
    /// Returns the exit code of a command that runs only this turn.
    pub(super) fn code(self) -> ExitCode {
        match self {
            Self::Ended(TurnStatus::Completed) => ExitCode::SUCCESS,
            Self::Ended(_) | Self::Left => ExitCode::FAILURE,
        }
    }
}

pub(super) async fn follow(
    runner: &Runner,
    turn: TurnId,
    interrupts: &mut Interrupts,
    renderer: Renderer,
    approval: ApprovalMode<'_>,
) -> Result<Outcome, Failure> {
    let feed = runner.follow(turn).await?;
    let (questions, children, output) = (Questions::new(approval), Children::new(runner), Output::new(renderer));
    let mut following = Following { runner, turn, questions, children, output, is_cancelled: false };
    let outcome = following.run_to_end(feed, interrupts).await;
    // A line that is entered at an open question is no message.
    following.questions.clear();
    let shown = following.output.end_line();
    outcome.and_then(|outcome| shown.map(|()| outcome))
}

/// A turn that is being followed.
struct Following<'a> {
    runner: &'a Runner,
    turn: TurnId,
    questions: Questions<'a>,
    children: Children<'a>,
    output: Output,
    /// Whether the person has cancelled the turn.
    is_cancelled: bool,
}

impl Following<'_> {
    async fn run_to_end(&mut self, mut feed: Feed, interrupts: &mut Interrupts) -> Result<Outcome, Failure> {
        loop {
            self.show()?;
            let item = tokio::select! {
                biased;
                () = interrupts.next() => None,
                item = feed.next() => Some(item?),
                below = self.children.next() => {
                    let (child, item) = below?;
                    self.handle_child_item(child, item).await?;
                    continue;
                }
                // Last, so that the user is not asked a question that the next event decides.
                answer = self.questions.answer(self.output.renderer()) => match answer? {
                    Answer::Decided(id, resolution) => {
                        self.decide(id, resolution).await?;
                        continue;
                    }
                    Answer::Interrupted => None,
                    Answer::Left => {
                        self.output.release()?;
                        remark("the question stays open: `turnkit interactions ls` lists it");
                        return Ok(Outcome::Left);
                    }
                },
            };
            match item {
                None if self.is_cancelled => return Ok(Outcome::Left),
                None => self.cancel().await?,
                Some(Some(item)) => {
                    if let Some(status) = self.handle_item(item).await? {
                        return Ok(Outcome::Ended(status));
                    }
                }
                Some(None) => {
                    return Err(Failure::Failed("the turn's log ended without its terminal event".to_owned()));
                }
            }
        }
    }

    /// Shows what has arrived, unless the person is being asked a question.
    fn show(&mut self) -> Result<(), Failure> {
        if self.questions.are_asked() { Ok(()) } else { self.output.release() }
    }

    async fn cancel(&mut self) -> Result<(), Failure> {
        self.is_cancelled = true;
        self.questions.clear();
        self.output.end_line()?;
        remark("cancelling; a second Ctrl-C leaves");
        self.runner.cancel(self.turn).await?;
        Ok(())
    }

    /// Handles the next item of the turn. Returns how the turn ended after its terminal event.
    async fn handle_item(&mut self, item: FeedItem) -> Result<Option<TurnStatus>, Failure> {
        match item {
            FeedItem::Event(event) => return self.handle_event(event).await,
            // It would be out of date when the question is decided.
            FeedItem::Progress(_) if self.questions.are_asked() => {}
            FeedItem::Progress(progress) => self.output.progress(&progress)?,
            FeedItem::Pending(pending) => self.withdraw_decided(self.turn, &pending).await,
            FeedItem::Restarted => {
                self.questions.forget(self.turn);
                self.output.add_restart();
            }
            FeedItem::Disconnected => self.output.add_disconnected(),
        }
        Ok(None)
    }

    async fn handle_event(&mut self, event: TurnEvent) -> Result<Option<TurnStatus>, Failure> {
        let (mut ended, mut is_denied) = (None, false);
        match &event.kind {
            EventKind::InteractionRequested { request } => {
                let is_open = self.ask(None, request).await?;
                if is_open && self.questions.are_interactive() {
                    return Ok(None);
                }
            }
            EventKind::InteractionResolved { id, .. } => self.withdraw(*id),
            EventKind::ToolFinished { error, .. } => is_denied = *error == Some(ToolErrorKind::Denied),
            EventKind::TurnEnded { status, .. } => {
                self.questions.clear();
                ended = Some(*status);
            }
            _ => {}
        }
        self.output.add(event);
        self.show()?;
        if is_denied {
            self.questions.explain_denial();
        }
        Ok(ended)
    }

    /// Handles the next item of a sub-agent's turn. Only its interactions are shown.
    async fn handle_child_item(&mut self, child: TurnId, item: FeedItem) -> Result<(), Failure> {
        let event = match item {
            FeedItem::Event(event) => event,
            FeedItem::Restarted => {
                self.questions.forget(child);
                return Ok(());
            }
            FeedItem::Pending(pending) => {
                self.withdraw_decided(child, &pending).await;
                return Ok(());
            }
            FeedItem::Progress(_) | FeedItem::Disconnected => return Ok(()),
        };
        match &event.kind {
            EventKind::InteractionRequested { request } => {
                let agent = self.children.agent(child).to_owned();
                let is_open = self.ask(Some(&agent), request).await?;
                if is_open && !self.questions.are_interactive() {
                    self.output.add_question(Question { agent: Some(agent), request: (**request).clone() });
                }
            }
            EventKind::InteractionResolved { id, .. } => {
                self.withdraw(*id);
                self.output.add_of_child(event);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds the question of a waiting call, or follows the sub-agent that it waits for. Returns whether there is a
    /// question to decide. There is none if the interaction is decided: the events of an earlier turn include its old
    /// questions, and report a decision only once the turn continues.
    async fn ask(&mut self, agent: Option<&str>, request: &InteractionRequest) -> Result<bool, Failure> {
        if self.runner.decision(request.id).await.is_some() {
            return Ok(false);
        }
        if let Some(child) = &request.child {
            self.children.add(child).await?;
            return Ok(false);
        }
        self.questions.add(Question { agent: agent.map(str::to_owned), request: request.clone() });
        Ok(true)
    }

    /// Withdraws a question that was decided. If the person has not seen it, it is shown before the decision.
    fn withdraw(&mut self, id: WaitId) {
        if let Some(question) = self.questions.remove(id) {
            self.output.add_question(question);
        }
    }

    /// Withdraws the questions of a turn that are not pending any more, and shows their decisions, because the turn
    /// reports them only once it continues. The list must be from the turn's own feed: the list of an ancestor turn
    /// may be older than the last events of this one.
    async fn withdraw_decided(&mut self, turn: TurnId, pending: &[WaitId]) {
        for id in self.questions.missing_from(pending, turn) {
            self.withdraw(id);
            if let Some(decision) = self.runner.decision(id).await {
                self.output.add_decision(id, decision);
            }
        }
    }

    /// Passes on a decision. If the decision is rejected or does not arrive, the person is asked again.
    async fn decide(&mut self, id: WaitId, resolution: Resolution) -> Result<(), Failure> {
        match self.runner.resolve(id, resolution).await {
            Ok(result) => {
                self.questions.remove(id);
                if let DecisionResult::TooLate(why) = result {
                    remark(&why);
                }
                Ok(())
            }
            Err(Failure::Usage(why) | Failure::Failed(why)) if self.questions.are_interactive() => {
                remark(&why);
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    }
}
