//! Following of one turn at the terminal: shows its events as they arrive, and handles Ctrl-C.

use std::process::ExitCode;

use turnkit_core::{EventKind, InteractionRequest, Resolution, ToolErrorKind, TurnId, TurnStatus, WaitId};

use super::children::Children;
use super::interrupt::Interrupts;
use super::questions::{Answer, ApprovalMode, Questions};
use super::render::Renderer;
use crate::data::{DecisionResult, FeedItem, Runner};
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
    mut renderer: Renderer,
    approval: ApprovalMode<'_>,
) -> Result<Outcome, Failure> {
    let mut feed = runner.follow(turn).await?;
    let (mut cancelled, mut questions) = (false, Questions::of(approval));
    let mut children = Children::of(runner);
    loop {
        let item = tokio::select! {
            biased;
            () = interrupts.next() => None,
            item = feed.next() => Some(item?),
            below = children.next() => {
                let (child, item) = below?;
                handle_child_item(child, item, runner, &mut questions, &mut children, &mut renderer).await?;
                continue;
            }
            // Last, so that the user is not asked a question that the next event decides.
            answer = questions.answer() => match answer? {
                Answer::Decided(id, resolution) => {
                    decide(runner, &mut questions, id, resolution).await?;
                    continue;
                }
                Answer::Interrupted => None,
                Answer::Left => {
                    remark("the question stays open: `turnkit interactions ls` lists it");
                    return Ok(Outcome::Left);
                }
            },
        };
        let Some(item) = item else {
            if cancelled {
                return Ok(Outcome::Left);
            }
            cancelled = true;
            questions.clear();
            renderer.end_line().map_err(|error| Failure::of_output(&error))?;
            remark("cancelling; a second Ctrl-C leaves");
            runner.cancel(turn).await?;
            continue;
        };
        match item {
            Some(FeedItem::Event(event)) => {
                renderer.show(&event).map_err(|error| Failure::of_output(&error))?;
                match &event.kind {
                    EventKind::InteractionRequested { request } => {
                        ask(runner, request, &mut questions, &mut children).await?;
                    }
                    EventKind::InteractionResolved { id, .. } => questions.remove(*id),
                    EventKind::ToolFinished { error: Some(ToolErrorKind::Denied), .. } => questions.explain_denial(),
                    EventKind::TurnEnded { status, .. } => return Ok(Outcome::Ended(*status)),
                    _ => {}
                }
            }
            Some(FeedItem::Progress(progress)) => {
                renderer.progress(&progress).map_err(|error| Failure::of_output(&error))?
            }
            Some(FeedItem::Restarted) => {
                questions.clear();
                renderer.restart().map_err(|error| Failure::of_output(&error))?;
            }
            Some(FeedItem::Disconnected) => renderer.wait().map_err(|error| Failure::of_output(&error))?,
            None => return Err(Failure::Failed("the turn's log ended without its terminal event".to_owned())),
        }
    }
}

/// Adds the question of a waiting call, or follows the sub-agent that it waits for. Returns `false` if the interaction
/// is decided: the events of an earlier turn include its old questions, and report a decision only once the turn
/// continues.
async fn ask(
    runner: &Runner,
    request: &InteractionRequest,
    questions: &mut Questions<'_>,
    children: &mut Children<'_>,
) -> Result<bool, Failure> {
    if runner.is_decided(request.id).await {
        return Ok(false);
    }
    match &request.child {
        Some(child) => children.add(child).await?,
        None => questions.add(request),
    }
    Ok(true)
}

/// Passes on a decision. If the decision is rejected or does not arrive, the person is asked again.
async fn decide(
    runner: &Runner,
    questions: &mut Questions<'_>,
    id: WaitId,
    resolution: Resolution,
) -> Result<(), Failure> {
    match runner.resolve(id, resolution).await {
        Ok(result) => {
            questions.remove(id);
            if let DecisionResult::TooLate(why) = result {
                remark(&why);
            }
            Ok(())
        }
        Err(Failure::Usage(why) | Failure::Failed(why)) if questions.are_interactive() => {
            remark(&why);
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Handles the next item of a sub-agent's turn. Only its interactions are shown.
async fn handle_child_item(
    child: TurnId,
    item: FeedItem,
    runner: &Runner,
    questions: &mut Questions<'_>,
    children: &mut Children<'_>,
    renderer: &mut Renderer,
) -> Result<(), Failure> {
    let event = match item {
        FeedItem::Event(event) => event,
        FeedItem::Restarted => {
            questions.forget(child);
            return Ok(());
        }
        FeedItem::Progress(_) | FeedItem::Disconnected => return Ok(()),
    };
    match &event.kind {
        EventKind::InteractionRequested { request } => {
            let is_open = ask(runner, request, questions, children).await?;
            if !is_open || request.child.is_some() {
                return Ok(());
            }
        }
        EventKind::InteractionResolved { id, .. } => {
            questions.remove(*id);
            if !renderer.has_shown(*id) {
                return Ok(());
            }
        }
        _ => return Ok(()),
    }
    renderer.show_of_child(children.agent(child), &event).map_err(|error| Failure::of_output(&error))
}
