//! Turns of clients that cannot come back. Once such a turn has no followers, its result would not be read.

use std::convert::Infallible;
use std::time::Duration;

use turnkit_core::{ClaimedTurn, LiveTurn, StopReason};

use super::TurnService;
use super::claimed_run::Run;

/// How long such a turn continues without followers. A follower of a session counts for the turn it is reading, which
/// may be an earlier one.
const PATIENCE: Duration = Duration::from_secs(10);

impl TurnService {
    /// Requests a stop of a turn that an earlier process left, if its client cannot come back: its connection was lost.
    pub(super) async fn stop_if_unreachable(&self, claimed: &mut ClaimedTurn) {
        if claimed.caps.resume || claimed.stop.is_some() {
            return;
        }
        let (parts, claim, reason) = (&self.inner.parts, &claimed.claim, StopReason::Cancelled);
        match parts.store.request_stop(claim.scope(), claim.turn(), reason, parts.clock.now()).await {
            Ok(_) => claimed.stop = Some(reason),
            // Without followers, the turn is cancelled a little later anyway.
            Err(error) => tracing::warn!(turn = %claim.turn(), %error, "could not cancel an abandoned turn"),
        }
    }

    /// Cancels a turn of a client that cannot come back, once it has had no followers for a while. This future is part
    /// of the task that runs the turn, and never completes.
    pub(super) async fn cancel_unfollowed(&self, run: &Run) -> Infallible {
        let live = run.live.wait().await;
        let claim = &run.claimed.claim;
        loop {
            until_unfollowed(live).await;
            match self.request_cancel(claim.scope(), claim.turn()).await {
                Ok(_) => return std::future::pending().await,
                Err(error) => tracing::warn!(turn = %claim.turn(), %error, "could not cancel a turn without followers"),
            }
        }
    }
}

/// Waits until the turn has had no followers for a while.
async fn until_unfollowed(live: &LiveTurn) {
    let mut following = live.follower_counts();
    loop {
        let change = live.follower_counts_changed(following);
        following = if following.current > 0 {
            change.await
        } else {
            match tokio::time::timeout(PATIENCE, change).await {
                Ok(changed) => changed,
                Err(_) => return,
            }
        };
    }
}
