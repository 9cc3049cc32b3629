//! Following of a turn, in this process or on a server.

use turnkit_core::{Scope, ToolProgress, TurnEvent, TurnId};
use turnkit_engine::{FeedItem, FollowFrom, TurnFeed, TurnService};

use crate::failure::Failure;
use crate::remote::{Read, RemoteFeed};

/// A follower of one turn, from its start to its end.
pub(crate) enum Feed {
    /// Follows a turn in this process.
    Here { service: TurnService, scope: Scope, turn: TurnId, feed: Box<TurnFeed> },
    /// Follows a turn on a server.
    Served(Box<RemoteFeed>),
}

/// The next item of a follower's stream.
pub(crate) enum News {
    /// An event of the turn.
    Event(TurnEvent),
    /// The progress that a running call has reported.
    Progress(ToolProgress),
    /// The follower's position is lost. All events of the turn are repeated.
    Again,
    /// The connection to the server broke and is not restored yet.
    Broken,
}

impl Feed {
    /// Follows a turn in this process.
    pub(super) async fn here(service: &TurnService, scope: &Scope, turn: TurnId) -> Result<Self, Failure> {
        let feed = Box::new(service.follow(scope, turn, FollowFrom::Start).await?);
        Ok(Self::Here { service: service.clone(), scope: scope.clone(), turn, feed })
    }

    /// Waits for the next item. Returns `None` after the terminal event.
    pub(crate) async fn next(&mut self) -> Result<Option<News>, Failure> {
        match self {
            Self::Here { service, scope, turn, feed } => loop {
                match feed.next().await? {
                    Some(FeedItem::Event(event)) => return Ok(Some(News::Event(event))),
                    Some(FeedItem::Progress(progress)) => return Ok(Some(News::Progress(progress))),
                    Some(FeedItem::Resync(_)) => {
                        **feed = service.follow(scope, *turn, FollowFrom::Start).await?;
                        return Ok(Some(News::Again));
                    }
                    // The turns of sub-agents are followed too, and their events have the same information.
                    Some(FeedItem::Pending(_)) => {}
                    None => return Ok(None),
                }
            },
            Self::Served(feed) => Ok(feed.next().await?.map(|read| match read {
                Read::Event(event) => News::Event(event),
                Read::Progress(progress) => News::Progress(progress),
                Read::Again => News::Again,
                Read::Broken => News::Broken,
            })),
        }
    }
}
