//! One turn of a durable session, from the question to the answer.

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};
use turnkit_core::ports::SessionStore as _;
use turnkit_core::{Entry, EventKind, TurnId, Wait, WaitKind};
use turnkit_engine::{FeedItem, FollowFrom, GrowingParts, RunEvent, TurnFeed, TurnRequest};

use super::installation::Installation;
use crate::end::End;
use crate::handover::Handover;
use crate::interaction::decide;
use crate::{Answer, Error};

/// Submits a message and follows its turn to the end.
pub(super) async fn submit(
    installation: Arc<Installation>,
    request: TurnRequest,
    events: Handover,
) -> Result<Answer, Error> {
    let Installation { service, scope, .. } = &*installation;
    let receipt = service.accept(scope, request).await?;
    let feed = service.follow_accepted(scope, &receipt).await?;
    follow(&installation, feed, events).await
}

/// Follows a turn that an earlier caller submitted, from its start.
pub(super) async fn rejoin(installation: Arc<Installation>, turn: TurnId, events: Handover) -> Result<Answer, Error> {
    let Installation { service, scope, .. } = &*installation;
    let feed = service.follow(scope, turn, FollowFrom::Start).await?;
    follow(&installation, feed, events).await
}

/// Follows a turn to its end, or until the database is closed.
async fn follow(installation: &Installation, feed: TurnFeed, events: Handover) -> Result<Answer, Error> {
    let (turn, closed) = (pin!(read(installation, feed, events)), pin!(installation.service.drained()));
    match select(turn, closed).await {
        Either::Left((answer, _)) => answer,
        Either::Right(_) => Err(Error::Closed),
    }
}

/// Hands over the events of a turn, and decides what it waits for.
async fn read(installation: &Installation, mut feed: TurnFeed, events: Handover) -> Result<Answer, Error> {
    let (mut end, mut growing) = (End::default(), GrowingParts::default());
    let mut agent = installation.first_agent().to_owned();
    while let Some(item) = feed.next().await? {
        match item {
            FeedItem::Event(event) => {
                if let EventKind::TurnStarted { agent: of_turn, .. } = &event.kind {
                    agent.clone_from(of_turn);
                }
                let event = growing.run_event(event);
                end.watch(&event);
                events.put(event).await;
            }
            FeedItem::Progress(progress) => events.put(RunEvent::Progress(progress)).await,
            FeedItem::Pending(waits) => {
                for wait in waits {
                    resolve(installation, &agent, wait).await?;
                }
            }
            // The terminal event has the whole text.
            FeedItem::Resync(_) => {}
        }
    }
    let messages = installation.store.turn_messages(&installation.scope, feed.turn()).await?;
    end.into_answer(messages.into_iter().map(Entry::new))
}

/// Decides what a call waits for. Another decision may have come first, which is as good.
async fn resolve(installation: &Installation, agent: &str, wait: Wait) -> Result<(), Error> {
    // The client of a turn runs its own tools, and a sub-agent ends by itself.
    if matches!(wait.kind, WaitKind::Child | WaitKind::ClientTool) || wait.decided.is_some() {
        return Ok(());
    }
    let resolution = decide(installation.handlers.get(agent), wait.kind, wait.question).await;
    installation.service.resolve(&installation.scope, wait.id, resolution).await?;
    Ok(())
}
