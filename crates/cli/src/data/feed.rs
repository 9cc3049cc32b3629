//! Following of a turn, in this process or on a server.

use turnkit_core::{Scope, TurnId};
use turnkit_engine::{FeedItem as ServiceItem, FollowFrom, TurnFeed, TurnService};

use crate::failure::Failure;
use crate::remote::{FeedItem, RemoteFeed};

/// A follower of one turn, from its start to its end.
pub(crate) enum Feed {
    /// Follows a turn in this process.
    Local { service: TurnService, scope: Scope, turn: TurnId, feed: Box<TurnFeed> },
    /// Follows a turn on a server.
    Remote(Box<RemoteFeed>),
}

impl Feed {
    /// Follows a turn in this process.
    pub(super) async fn local(service: &TurnService, scope: &Scope, turn: TurnId) -> Result<Self, Failure> {
        let feed = Box::new(service.follow(scope, turn, FollowFrom::Start).await?);
        Ok(Self::Local { service: service.clone(), scope: scope.clone(), turn, feed })
    }

    /// Waits for the next item. Returns `None` after the terminal event.
    pub(crate) async fn next(&mut self) -> Result<Option<FeedItem>, Failure> {
        match self {
            Self::Local { service, scope, turn, feed } => Ok(match feed.next().await? {
                Some(ServiceItem::Event(event)) => Some(FeedItem::Event(event)),
                Some(ServiceItem::Progress(progress)) => Some(FeedItem::Progress(progress)),
                Some(ServiceItem::Pending(waits)) => {
                    Some(FeedItem::Pending(waits.iter().map(|wait| wait.id).collect()))
                }
                Some(ServiceItem::Resync(_)) => {
                    **feed = service.follow(scope, *turn, FollowFrom::Start).await?;
                    Some(FeedItem::Restarted)
                }
                None => None,
            }),
            Self::Remote(feed) => Ok(feed.next().await?),
        }
    }
}
