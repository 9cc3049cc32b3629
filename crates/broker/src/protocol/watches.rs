//! The sessions watched by this process and by other processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{SessionId, Signal, Timestamp, WorkerId};

use super::Message;
use crate::signals::Signals;

/// Interval between renewals of a watch.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(5);
/// How long a watch stays valid without renewal.
const VALID_FOR: Duration = Duration::from_secs(15);

/// The signals of this process, and the other processes to notify of a change.
#[derive(Default)]
pub(super) struct Watches {
    local: Signals,
    remote: BTreeMap<SessionId, BTreeMap<WorkerId, Timestamp>>,
    announced_at: Timestamp,
}

impl Watches {
    /// Returns the session's signal. If this process did not watch the session before, also returns the announcement to
    /// send to every process.
    pub(super) fn watch(&self, session: SessionId) -> (Arc<Signal>, Option<Message>) {
        let is_new = self.local.find(session).is_none();
        (self.local.of(session), is_new.then(|| Message::Watch(vec![session])))
    }

    /// Returns the session's signal, if this process watches the session.
    pub(super) fn signal(&self, session: SessionId) -> Option<Arc<Signal>> {
        self.local.find(session)
    }

    /// Records that another process watches these sessions.
    pub(super) fn add_remote(&mut self, from: &WorkerId, sessions: Vec<SessionId>, now: Timestamp) {
        for session in sessions {
            self.remote.entry(session).or_default().insert(from.clone(), now.plus(VALID_FOR));
        }
    }

    /// Returns the other processes that watch the session.
    pub(super) fn watchers(&self, session: SessionId) -> impl Iterator<Item = &WorkerId> {
        self.remote.get(&session).into_iter().flat_map(BTreeMap::keys)
    }

    /// Removes watches that were not renewed. Returns the renewal of this process's own watches if it is due.
    pub(super) fn tick(&mut self, now: Timestamp) -> Option<Message> {
        self.remote.retain(|_, watchers| {
            watchers.retain(|_, until| *until > now);
            !watchers.is_empty()
        });
        if now.since(self.announced_at) < RENEWAL_INTERVAL {
            return None;
        }
        self.announced_at = now;
        let watched = self.local.watched();
        (!watched.is_empty()).then_some(Message::Watch(watched))
    }
}
