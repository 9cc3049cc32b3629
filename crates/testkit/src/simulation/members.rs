//! The processes that clients can reach.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use turnkit_core::WorkerId;
use turnkit_engine::TurnService;

use super::process_context::ProcessContext;
use crate::dice::Dice;

/// A process that clients send requests to.
pub(super) struct Member {
    pub(super) worker: WorkerId,
    pub(super) process: Arc<ProcessContext>,
    pub(super) service: TurnService,
}

/// The members of a cluster, or the only process. Clones share the members.
#[derive(Clone)]
pub(super) struct Members(Arc<Shared>);

struct Shared {
    reachable: Mutex<Vec<Arc<Member>>>,
    dice: Mutex<Dice>,
    joined: Notify,
}

impl Members {
    /// Creates an empty set. `dice` chooses among the members that join later.
    pub(super) fn new(dice: Dice) -> Self {
        Self(Arc::new(Shared { reachable: Mutex::default(), dice: Mutex::new(dice), joined: Notify::new() }))
    }

    pub(super) fn add(&self, member: &Arc<Member>) {
        self.reachable().push(Arc::clone(member));
        self.0.joined.notify_waiters();
    }

    pub(super) fn remove(&self, member: &Arc<Member>) {
        self.reachable().retain(|other| !Arc::ptr_eq(other, member));
    }

    /// Returns the members that were not presumed dead.
    pub(super) fn living(&self) -> Vec<Arc<Member>> {
        self.reachable().iter().filter(|member| !member.process.fate.is_presumed_dead()).cloned().collect()
    }

    /// Returns a random member that is running.
    pub(super) fn any(&self) -> Option<Arc<Member>> {
        let mut members = self.reachable().clone();
        // A member may have stopped just now.
        members.retain(|member| !member.process.fate.is_stopped());
        let count = u64::try_from(members.len()).ok().filter(|count| *count > 0)?;
        let at = self.0.dice.lock().unwrap_or_else(PoisonError::into_inner).below(count);
        members.get(usize::try_from(at).unwrap_or_default()).cloned()
    }

    /// Waits until a member is running, and returns it.
    pub(super) async fn wait_for_any(&self) -> Arc<Member> {
        loop {
            let joined = self.0.joined.notified();
            if let Some(member) = self.any() {
                return member;
            }
            joined.await;
        }
    }

    fn reachable(&self) -> MutexGuard<'_, Vec<Arc<Member>>> {
        self.0.reachable.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
