//! The sessions that are watched, here and in other processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{SessionId, Signal, Timestamp, WorkerId};

use super::Message;
use crate::signals::Signals;

/// How often a watch is renewed.
const RENEWED_AFTER: Duration = Duration::from_secs(5);
/// How long a watch counts if it is not renewed.
const LASTS: Duration = Duration::from_secs(15);

/// The signals of this process, and the processes that want to be sent a change.
#[derive(Default)]
pub(super) struct Watches {
    here: Signals,
    elsewhere: BTreeMap<SessionId, BTreeMap<WorkerId, Timestamp>>,
    announced_at: Timestamp,
}

impl Watches {
    /// The session's signal. Returns what is to be sent to everyone if it was not watched here.
    pub(super) fn watch(&self, session: SessionId) -> (Arc<Signal>, Option<Message>) {
        let is_new = self.here.find(session).is_none();
        (self.here.of(session), is_new.then(|| Message::Watch(vec![session])))
    }

    /// The session's signal, if it is watched here.
    pub(super) fn signal(&self, session: SessionId) -> Option<Arc<Signal>> {
        self.here.find(session)
    }

    /// Another process watches these sessions.
    pub(super) fn hear(&mut self, from: &WorkerId, sessions: Vec<SessionId>, now: Timestamp) {
        for session in sessions {
            self.elsewhere.entry(session).or_default().insert(from.clone(), now.plus(LASTS));
        }
    }

    /// The other processes that watch the session.
    pub(super) fn watchers(&self, session: SessionId) -> impl Iterator<Item = &WorkerId> {
        self.elsewhere.get(&session).into_iter().flat_map(BTreeMap::keys)
    }

    /// Forgets watches that were not renewed. Returns those of this process if they are to be renewed.
    pub(super) fn tick(&mut self, now: Timestamp) -> Option<Message> {
        self.elsewhere.retain(|_, watchers| {
            watchers.retain(|_, until| *until > now);
            !watchers.is_empty()
        });
        if now.since(self.announced_at) < RENEWED_AFTER {
            return None;
        }
        self.announced_at = now;
        let watched = self.here.watched();
        (!watched.is_empty()).then_some(Message::Watch(watched))
    }
}
