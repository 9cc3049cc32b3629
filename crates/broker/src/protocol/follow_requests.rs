//! The turns of this process that other processes follow.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use turnkit_core::{LiveTurn, LogPosition, OperationTail, Timestamp, TurnId, TurnLog, WorkerId};

use super::{FollowRequest, Message};

/// How long a follow request stays valid without renewal.
const VALID_FOR: Duration = Duration::from_secs(15);

/// Followed turns by the process that follows them. Pending operations stay in the logs of the turns, so a slow
/// follower takes no memory here.
#[derive(Debug, Default)]
pub(super) struct FollowRequests {
    requests: BTreeMap<(WorkerId, TurnId), Followed>,
}

#[derive(Debug)]
struct Followed {
    live: Arc<LiveTurn>,
    operations: OperationTail,
    until: Timestamp,
}

impl FollowRequests {
    /// Follows the turn on behalf of another process, from the position in its request. Returns the reply if the turn
    /// was not `found` in this process.
    pub(super) fn add(
        &mut self,
        from: &WorkerId,
        request: FollowRequest,
        found: Option<Arc<LiveTurn>>,
        now: Timestamp,
    ) -> Option<Message> {
        let key = (from.clone(), request.turn);
        let Some(live) = found else {
            self.requests.remove(&key);
            return Some(Message::Unknown(request.turn));
        };
        let is_of_this_owner = live.read(TurnLog::fence) == request.fence;
        let after = if is_of_this_owner { request.after } else { LogPosition::default() };
        let until = now.plus(VALID_FOR);
        match self.requests.get_mut(&key).filter(|followed| Arc::ptr_eq(&followed.live, &live)) {
            Some(followed) => {
                followed.until = until;
                if after != followed.operations.position() {
                    followed.operations = live.operations(after);
                }
            }
            None => {
                let operations = live.operations(after);
                self.requests.insert(key, Followed { live, operations, until });
            }
        }
        None
    }

    /// Ends the request of another process for the turn.
    pub(super) fn remove(&mut self, from: &WorkerId, turn: TurnId) {
        self.requests.remove(&(from.clone(), turn));
    }

    /// Removes requests that were not renewed.
    pub(super) fn expire(&mut self, now: Timestamp) {
        self.requests.retain(|_, followed| followed.until > now);
    }

    /// Returns the processes that follow turns of this one. A process may occur several times.
    pub(super) fn followers(&self) -> impl Iterator<Item = &WorkerId> {
        self.requests.keys().map(|(process, _)| process)
    }

    /// Passes the new operations of each turn to `send`. The task is woken when there are more. A turn that has ended
    /// stays until its follower leaves, because the final operations may be lost in transit.
    pub(super) fn poll(&mut self, context: &mut Context<'_>, mut send: impl FnMut(&WorkerId, Message)) {
        for ((process, _), followed) in &mut self.requests {
            if let Poll::Ready(Some(batch)) = followed.operations.poll_batch(context) {
                send(process, Message::Operations(batch));
            }
        }
    }
}
