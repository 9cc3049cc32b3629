//! The turns of sub-agents below the followed turn. The same person answers their questions.

use std::collections::HashMap;

use futures_util::future::select_all;
use turnkit_core::{ChildId, TurnId};

use crate::data::{Feed, FeedItem, Runner};
use crate::failure::Failure;

/// The followers of sub-agents' turns.
pub(super) struct Children<'a> {
    runner: &'a Runner,
    feeds: Vec<(TurnId, Feed)>,
    /// The agent of each turn.
    agents: HashMap<TurnId, String>,
}

impl<'a> Children<'a> {
    pub(super) fn new(runner: &'a Runner) -> Self {
        Self { runner, feeds: Vec::new(), agents: HashMap::new() }
    }

    /// Follows one more turn to its end.
    pub(super) async fn add(&mut self, child: &ChildId) -> Result<(), Failure> {
        let turn = child.turn;
        if self.feeds.iter().all(|(known, _)| *known != turn) {
            self.feeds.push((turn, self.runner.follow(turn).await?));
            self.agents.insert(turn, child.agent.clone());
        }
        Ok(())
    }

    /// Returns the name of the agent of a turn.
    pub(super) fn agent(&self, turn: TurnId) -> &str {
        self.agents.get(&turn).map_or("", String::as_str)
    }

    /// Waits for the next event of any of the turns. This method is cancel safe.
    pub(super) async fn next(&mut self) -> Result<(TurnId, FeedItem), Failure> {
        loop {
            if self.feeds.is_empty() {
                return std::future::pending().await;
            }
            let events = self.feeds.iter_mut().map(|(turn, feed)| Box::pin(async { (*turn, feed.next().await) }));
            let ((turn, item), _, _) = select_all(events).await;
            match item? {
                Some(item) => return Ok((turn, item)),
                None => self.feeds.retain(|(known, _)| *known != turn),
            }
        }
    }
}
