//! The turns of sub-agents below the turn that is followed: what they wait for is put to the same person.

use futures_util::future::select_all;
use turnkit_core::TurnId;

use crate::data::{Feed, News, Runner};
use crate::failure::Failure;

/// Followers of the turns of sub-agents.
pub(super) struct Children<'a> {
    runner: &'a Runner,
    feeds: Vec<(TurnId, Feed)>,
}

impl<'a> Children<'a> {
    pub(super) fn of(runner: &'a Runner) -> Self {
        Self { runner, feeds: Vec::new() }
    }

    /// Follows one more, to its end.
    pub(super) async fn add(&mut self, turn: TurnId) -> Result<(), Failure> {
        if self.feeds.iter().all(|(known, _)| *known != turn) {
            self.feeds.push((turn, self.runner.follow(turn).await?));
        }
        Ok(())
    }

    /// Waits for the next event of any of them. May be dropped and called again.
    pub(super) async fn next(&mut self) -> Result<(TurnId, News), Failure> {
        loop {
            if self.feeds.is_empty() {
                return std::future::pending().await;
            }
            let events = self.feeds.iter_mut().map(|(turn, feed)| Box::pin(async { (*turn, feed.next().await) }));
            let ((turn, news), _, _) = select_all(events).await;
            match news? {
                Some(news) => return Ok((turn, news)),
                None => self.feeds.retain(|(known, _)| *known != turn),
            }
        }
    }
}
