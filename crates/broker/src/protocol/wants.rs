//! The turns of this process that other processes follow.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use turnkit_core::{LiveTurn, LogPosition, OperationTail, Timestamp, TurnId, TurnLog, WorkerId};

use super::{Message, Want};

/// How long a want counts if it is not renewed.
const LASTS: Duration = Duration::from_secs(15);

/// Turns by the process that follows them. What is still to be sent is in their logs, so a slow follower takes no memory
/// here.
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
    /// Follows the turn for another process, from where that stands. Returns the answer if the turn is not `found` here.
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
        let until = now.plus(LASTS);
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

    /// Another process follows the turn no more.
    pub(super) fn remove(&mut self, from: &WorkerId, turn: TurnId) {
        self.wants.remove(&(from.clone(), turn));
    }

    /// Forgets the wants that were not renewed.
    pub(super) fn expire(&mut self, now: Timestamp) {
        self.wants.retain(|_, followed| followed.until > now);
    }

    /// The processes that follow a turn of this one, some of them several times.
    pub(super) fn followers(&self) -> impl Iterator<Item = &WorkerId> {
        self.wants.keys().map(|(process, _)| process)
    }

    /// Gives `send` what happened in each turn since it was sent last. The task is woken when there is more. A turn that is
    /// over stays until its follower leaves: the end may be lost on the way.
    pub(super) fn poll(&mut self, context: &mut Context<'_>, mut send: impl FnMut(&WorkerId, Message)) {
        for ((process, _), followed) in &mut self.wants {
            if let Poll::Ready(Some(batch)) = followed.operations.poll_batch(context) {
                send(process, Message::Log(batch));
            }
        }
    }
}
