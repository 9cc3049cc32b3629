//! Turns of clients that cannot come back: once nobody follows one, nobody will read what comes of it.

use std::convert::Infallible;
use std::time::Duration;

use turnkit_core::LiveTurn;

use super::TurnService;
use super::worker::Run;

/// How long such a turn goes on with nobody following it.
const PATIENCE: Duration = Duration::from_secs(10);

impl TurnService {
    /// Cancels a turn of a client that cannot come back, once nobody has followed it for a while. It is part of the task
    /// that runs the turn, and never ends by itself.
    pub(super) async fn cancel_unfollowed(&self, run: &Run) -> Infallible {
        if run.claimed.caps.resume {
            return std::future::pending().await;
        }
        let live = run.live.wait().await;
        let claim = &run.claimed.claim;
        loop {
            until_unfollowed(live).await;
            // On the heap, so that no turn is larger for it.
            match Box::pin(self.request_cancel(claim.scope(), claim.turn())).await {
                Ok(_) => return std::future::pending().await,
                Err(error) => tracing::warn!(turn = %claim.turn(), %error, "could not cancel a turn nobody follows"),
            }
        }
    }
}

/// Waits until nobody has followed the turn for a while.
async fn until_unfollowed(live: &LiveTurn) {
    let mut following = live.following();
    loop {
        let change = live.following_other_than(following);
        following = if following.now > 0 {
            change.await
        } else {
            match tokio::time::timeout(PATIENCE, change).await {
                Ok(changed) => changed,
                Err(_) => return,
            }
        };
    }
}
