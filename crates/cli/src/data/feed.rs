//! Following a turn, wherever it runs.

use turnkit_core::{Scope, ToolProgress, TurnEvent, TurnId};
use turnkit_engine::{FeedItem, FollowFrom, TurnFeed, TurnService};

use crate::failure::Failure;
use crate::remote::{Read, RemoteFeed};

/// One follower of a turn, from its start to its end.
pub(crate) enum Feed {
    /// Of a turn in this process.
    Here { service: TurnService, scope: Scope, turn: TurnId, feed: Box<TurnFeed> },
    /// Of a turn of a server.
    Served(Box<RemoteFeed>),
}

/// What a follower is told.
pub(crate) enum News {
    /// Something happened.
    Event(TurnEvent),
    /// A call that runs has reported how far it has come.
    Progress(ToolProgress),
    /// Where the follower was is not known any more: all of the turn comes again.
    Again,
    /// The connection to the server broke, and has not come back yet.
    Broken,
}

impl Feed {
    /// A follower of a turn in this process.
    pub(super) async fn here(service: &TurnService, scope: &Scope, turn: TurnId) -> Result<Self, Failure> {
        let feed = Box::new(service.follow(scope, turn, FollowFrom::Start).await?);
        Ok(Self::Here { service: service.clone(), scope: scope.clone(), turn, feed })
    }

    /// What comes next. `None` after the terminal event.
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
                    // The turns of sub-agents are followed too, and their events say the same.
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
