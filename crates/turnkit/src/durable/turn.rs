//! One turn of a durable session, from the question to the answer.

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};
use turnkit_core::ports::SessionStore as _;
use turnkit_core::{Entry, EventKind, TurnId};
use turnkit_engine::{FeedItem, FollowFrom, OpenParts, RunEvent, TurnFeed, TurnRequest};

use super::installation::Installation;
use super::replies::Replies;
use crate::end::End;
use crate::handover::Handover;
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

/// Passes the events of a turn to the reader, and replies to the interactions of the turn.
async fn read(installation: &Installation, mut feed: TurnFeed, events: Handover) -> Result<Answer, Error> {
    let (mut end, mut growing) = (End::default(), OpenParts::default());
    let mut agent = installation.first_agent().to_owned();
    let mut replies = Replies::new(installation);
    loop {
        let item = match select(pin!(feed.next()), pin!(replies.next())).await {
            Either::Left((item, _)) => item?,
            Either::Right((replied, _)) => {
                replied?;
                continue;
            }
        };
        match item {
            None => break,
            Some(FeedItem::Event(event)) => {
                if let EventKind::TurnStarted { agent: of_turn, .. } = &event.kind {
                    agent.clone_from(of_turn);
                }
                let event = growing.run_event(event);
                end.watch(&event);
                events.put(event).await;
            }
            Some(FeedItem::Progress(progress)) => events.put(RunEvent::Progress(progress)).await,
            Some(FeedItem::Pending(waits)) => replies.update(&agent, waits),
            // The terminal event carries the whole text, so the snapshot is not needed.
            Some(FeedItem::Resync(_)) => {}
        }
    }
    let messages = installation.store.turn_messages(&installation.scope, feed.turn()).await?;
    end.into_answer(messages.into_iter().map(Entry::new))
}
