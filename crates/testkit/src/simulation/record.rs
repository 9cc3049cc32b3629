//! The record of a simulation: responses to clients and effects of tools. It outlives every process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use turnkit_core::{CallUid, CancelOutcome, Cursor, Resolution, Scope, SessionId, TurnEvent, TurnId, TurnView, WaitId};

use super::stop_delay::AcknowledgedStop;
use super::watched::Watched;

/// The record that all parts of a simulation share.
#[derive(Clone, Default)]
pub(super) struct Record(Arc<Mutex<Facts>>);

#[derive(Default)]
pub(super) struct Facts {
    /// The responses and events that clients received, by intent.
    pub(super) clients: BTreeMap<usize, ClientView>,
    /// The events and queues that watchers received, by session.
    pub(super) watched: BTreeMap<SessionId, Watched>,
    /// All effects of tools.
    pub(super) effects: Vec<(CallUid, &'static str)>,
    /// The model calls in order: the session, the number of the turn, and its id.
    pub(super) begun: Vec<(SessionId, u32, TurnId)>,
    /// In small windows: the number of messages of a turn at its last model call.
    pub(super) sent: BTreeMap<TurnId, usize>,
    /// The decisions that were acknowledged to people.
    pub(super) decided: BTreeMap<WaitId, Resolution>,
    /// Turns whose stop was acknowledged.
    pub(super) stopped: BTreeMap<TurnId, AcknowledgedStop>,
    /// The first violation found during the simulation.
    pub(super) violation: Option<String>,
}

/// The responses and events that a client received for one of its intents.
#[derive(Default, Clone)]
pub(super) struct ClientView {
    /// The number of requests whose response the client did not wait for. They may still be executed.
    pub(super) unanswered: u32,
    pub(super) refused: bool,
    pub(super) turn: Option<TurnId>,
    pub(super) cancel: Option<CancelOutcome>,
    pub(super) seen: Vec<(Cursor, TurnEvent)>,
    pub(super) cursor: Option<Cursor>,
    pub(super) view: TurnView,
    pub(super) ended: bool,
}

impl Record {
    pub(super) fn facts(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn client(&self, intent: usize) -> ClientView {
        self.facts().clients.get(&intent).cloned().unwrap_or_default()
    }

    pub(super) fn update_client(&self, intent: usize, update: impl FnOnce(&mut ClientView)) {
        update(self.facts().clients.entry(intent).or_default());
    }

    /// Returns the user of a session, the last cursor of its watcher, and the number of events the watcher has seen.
    pub(super) fn place_of_watcher(&self, session: SessionId) -> Option<(Scope, Option<Cursor>, usize)> {
        let facts = self.facts();
        facts.watched.get(&session).map(|watched| (watched.scope.clone(), watched.cursor, watched.seen.len()))
    }

    /// Updates the state of a session's watcher.
    pub(super) fn watch(&self, session: SessionId, watch: impl FnOnce(&mut Watched)) {
        if let Some(watched) = self.facts().watched.get_mut(&session) {
            watch(watched);
        }
    }

    /// Drops unanswered requests, because the only process died. If a repetition was refused, the request is kept: it
    /// may have been executed before the refusal.
    pub(super) fn lose_requests(&self) {
        let mut facts = self.facts();
        facts.clients.values_mut().filter(|client| !client.refused).for_each(|client| client.unanswered = 0);
    }

    pub(super) fn report_violation(&self, what: impl Into<String>) {
        self.facts().violation.get_or_insert(what.into());
    }

    /// Records that a decision was acknowledged to a person.
    pub(super) fn acknowledge(&self, wait: WaitId, resolution: Resolution) {
        let earlier = self.facts().decided.insert(wait, resolution.clone());
        if earlier.is_some_and(|earlier| earlier != resolution) {
            self.report_violation(format!("two different decisions about {wait} were acknowledged"));
        }
    }

    /// Records that a client was shown an event.
    pub(super) fn show(&self, intent: usize, event: TurnEvent, cursor: Cursor) {
        let mut gap = None;
        self.update_client(intent, |client| {
            let last = client.cursor.map_or(0, |cursor| cursor.seq);
            if event.seq != last + 1 {
                gap = Some(format!("after event {last} came event {}", event.seq));
            }
            if client.ended || client.view.status.is_some() {
                gap = Some(format!("event {} came after the end", event.seq));
            }
            client.cursor = Some(cursor);
            client.view.apply(&event);
            client.seen.push((cursor, event));
        });
        if let Some(gap) = gap {
            self.report_violation(gap);
        }
    }
}

/// The current work of each session's turns, with the number of the process that does it.
type ActiveWork = BTreeMap<SessionId, Vec<(TurnId, Work, u16)>>;

/// The current work of all live processes.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<ActiveWork>>);

/// The kind of work that a turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    ModelCall,
    ToolCall,
}

/// Marks a turn as working until it is dropped.
pub(super) struct WorkGuard {
    running: Running,
    session: SessionId,
    what: (TurnId, Work, u16),
}

impl Running {
    /// Records that a turn starts some work. Returns a violation if other work must not happen at the same time.
    pub(super) fn begin(
        &self,
        process: u16,
        session: SessionId,
        turn: TurnId,
        work: Work,
    ) -> (WorkGuard, Option<&'static str>) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let others = sessions.entry(session).or_default();
        let wrong = if others.iter().any(|(other, ..)| *other != turn) {
            Some("two turns of a session ran at once")
        } else if others.iter().any(|(_, other, _)| *other == Work::ModelCall || work == Work::ModelCall) {
            Some("a turn ran twice at once")
        } else {
            None
        };
        let what = (turn, work, process);
        others.push(what);
        (WorkGuard { running: self.clone(), session, what }, wrong)
    }

    /// Removes the work of a process that died or is presumed dead.
    pub(super) fn leave(&self, process: u16) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.values_mut().for_each(|others| others.retain(|(.., its)| *its != process));
    }
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        let mut sessions = self.running.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(others) = sessions.get_mut(&self.session)
            && let Some(place) = others.iter().position(|other| *other == self.what)
        {
            others.remove(place);
        }
    }
}
