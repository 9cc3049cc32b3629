//! The turns of this process that other processes follow.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use turnkit_core::{LiveTurn, LogPosition, OperationTail, Timestamp, TurnId, TurnLog, WorkerId};

use super::{Message, Want};

/// How long a want stays valid without renewal.
const VALID_FOR: Duration = Duration::from_secs(15);

/// Followed turns by the process that follows them. Pending operations stay in the logs of the turns, so a slow
/// follower takes no memory here.
#[derive(Debug, Default)]
pub(super) struct Wants {
    wants: BTreeMap<(WorkerId, TurnId), Followed>,
}

#[derive(Debug)]
struct Followed {
    live: Arc<LiveTurn>,
    operations: OperationTail,
    until: Timestamp,
}

impl Wants {
    /// Follows the turn on behalf of another process, from the position in its want. Returns the reply if the turn was
    /// not `found` in this process.
    pub(super) fn add(
        &mut self,
        from: &WorkerId,
        want: Want,
        found: Option<Arc<LiveTurn>>,
        now: Timestamp,
    ) -> Option<Message> {
        let key = (from.clone(), want.turn);
        let Some(live) = found else {
            self.wants.remove(&key);
            return Some(Message::Unknown(want.turn));
        };
        let is_of_this_owner = live.read(TurnLog::fence) == want.fence;
        let after = if is_of_this_owner { want.after } else { LogPosition::default() };
        let until = now.plus(VALID_FOR);
        match self.wants.get_mut(&key).filter(|followed| Arc::ptr_eq(&followed.live, &live)) {
            Some(followed) => {
                followed.until = until;
                if after != followed.operations.position() {
                    followed.operations = live.operations(after);
                }
            }
            None => {
                let operations = live.operations(after);
                self.wants.insert(key, Followed { live, operations, until });
            }
        }
        None
    }

    /// Ends the want of another process for the turn.
    pub(super) fn remove(&mut self, from: &WorkerId, turn: TurnId) {
        self.wants.remove(&(from.clone(), turn));
    }

    /// Removes wants that were not renewed.
    pub(super) fn expire(&mut self, now: Timestamp) {
        self.wants.retain(|_, followed| followed.until > now);
    }

    /// Returns the processes that follow turns of this one. A process may occur several times.
    pub(super) fn followers(&self) -> impl Iterator<Item = &WorkerId> {
        self.wants.keys().map(|(process, _)| process)
    }

    /// Passes the new operations of each turn to `send`. The task is woken when there are more. A turn that has ended
    /// stays until its follower leaves, because the final operations may be lost in transit.
    pub(super) fn poll(&mut self, context: &mut Context<'_>, mut send: impl FnMut(&WorkerId, Message)) {
        for ((process, _), followed) in &mut self.wants {
            if let Poll::Ready(Some(batch)) = followed.operations.poll_batch(context) {
                send(process, Message::Operations(batch));
            }
        }
    }
}
