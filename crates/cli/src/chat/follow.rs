//! Following of one turn at the terminal: shows its events as they arrive, and handles Ctrl-C.

use std::process::ExitCode;

use turnkit_core::{EventKind, Resolution, TurnId, TurnStatus, WaitId};

use super::children::Children;
use super::interrupt::Interrupts;
use super::questions::{Answer, Approver, Questions};
use super::render::Renderer;
use crate::data::{Counted, News, Runner};
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
    approver: Approver<'_>,
) -> Result<Outcome, Failure> {
    let mut feed = runner.follow(turn).await?;
    let (mut cancelled, mut questions) = (false, Questions::of(approver));
    let mut children = Children::of(runner);
    loop {
        let news = tokio::select! {
            biased;
            () = interrupts.next() => None,
            news = feed.next() => Some(news?),
            below = children.next() => {
                let (child, news) = below?;
                heard(child, news, &mut questions, &mut children, &mut renderer).await?;
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
        let Some(news) = news else {
            if cancelled {
                return Ok(Outcome::Left);
            }
            cancelled = true;
            questions.clear();
            renderer.end_line().map_err(|error| Failure::of_output(&error))?;
            remark("cancelling; once more leaves");
            runner.cancel(turn).await?;
            continue;
        };
        match news {
            Some(News::Event(event)) => {
                renderer.show(&event).map_err(|error| Failure::of_output(&error))?;
                match &event.kind {
                    EventKind::InteractionRequested { request } => match &request.child {
                        Some(child) => children.add(child).await?,
                        None => questions.add(request),
                    },
                    EventKind::InteractionResolved { id, .. } => {
                        questions.remove(*id);
                    }
                    EventKind::TurnEnded { status, .. } => return Ok(Outcome::Ended(*status)),
                    _ => {}
                }
            }
            Some(News::Progress(progress)) => {
                renderer.progress(&progress).map_err(|error| Failure::of_output(&error))?
            }
            Some(News::Again) => {
                questions.clear();
                renderer.restart().map_err(|error| Failure::of_output(&error))?;
            }
            Some(News::Broken) => renderer.wait().map_err(|error| Failure::of_output(&error))?,
            None => return Err(Failure::Failed("the turn's log ended without its terminal event".to_owned())),
        }
    }
}

/// Passes on a decision. If the decision is rejected or does not arrive, the person is asked again.
async fn decide(
    runner: &Runner,
    questions: &mut Questions<'_>,
    id: WaitId,
    resolution: Resolution,
) -> Result<(), Failure> {
    match runner.resolve(id, resolution).await {
        Ok(counted) => {
            questions.remove(id);
            if let Counted::No(why) = counted {
                remark(&why);
            }
            Ok(())
        }
        Err(Failure::Usage(why) | Failure::Failed(why)) if questions.are_for_a_person() => {
            remark(&why);
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Handles the next item of a sub-agent's turn. Only its interactions are shown.
async fn heard(
    child: TurnId,
    news: News,
    questions: &mut Questions<'_>,
    children: &mut Children<'_>,
    renderer: &mut Renderer,
) -> Result<(), Failure> {
    let event = match news {
        News::Event(event) => event,
        News::Again => {
            questions.forget(child);
            return Ok(());
        }
        News::Progress(_) | News::Broken => return Ok(()),
    };
    match &event.kind {
        EventKind::InteractionRequested { request } => match &request.child {
            Some(below) => return children.add(below).await,
            None => questions.add(request),
        },
        EventKind::InteractionResolved { id, .. } => {
            if !questions.remove(*id) {
                return Ok(());
            }
        }
        _ => return Ok(()),
    }
    renderer.show_of_child(children.agent(child), &event).map_err(|error| Failure::of_output(&error))
}
