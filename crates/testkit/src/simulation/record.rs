//! What clients were told and what really happened: the truth that outlives every process.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use turnkit_core::{CallUid, CancelOutcome, Cursor, Resolution, Scope, SessionId, TurnEvent, TurnId, TurnView, WaitId};

use super::stop_delay::AcknowledgedStop;
use super::watched::Watched;

/// Shared by everyone in a simulation.
#[derive(Clone, Default)]
pub(super) struct Record(Arc<Mutex<Facts>>);

#[derive(Default)]
pub(super) struct Facts {
    /// By intent.
    pub(super) told: BTreeMap<usize, Told>,
    /// Of watchers, by session.
    pub(super) watched: BTreeMap<SessionId, Watched>,
    /// Every effect of a tool.
    pub(super) effects: Vec<(CallUid, &'static str)>,
    /// The model calls, in order: whose session, which turn of it.
    pub(super) begun: Vec<(SessionId, u32, TurnId)>,
    /// How many messages a turn had when its model was asked last, in small windows.
    pub(super) sent: BTreeMap<TurnId, usize>,
    /// The decisions that people were told count.
    pub(super) decided: BTreeMap<WaitId, Resolution>,
    /// Turns whose stop was acknowledged.
    pub(super) stopped: BTreeMap<TurnId, AcknowledgedStop>,
    /// The first thing that was wrong on the way.
    pub(super) wrong: Option<String>,
}

/// What a client was told about one of its turns.
#[derive(Default, Clone)]
pub(super) struct Told {
    /// Requests to accept it whose answer the client did not wait for. They may still be carried out.
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

    pub(super) fn told(&self, intent: usize) -> Told {
        self.facts().told.get(&intent).cloned().unwrap_or_default()
    }

    pub(super) fn tell(&self, intent: usize, tell: impl FnOnce(&mut Told)) {
        tell(self.facts().told.entry(intent).or_default());
    }

    /// Whose session it is, what its watcher has seen last, and how many events it has seen.
    pub(super) fn place_of_watcher(&self, session: SessionId) -> Option<(Scope, Option<Cursor>, usize)> {
        let facts = self.facts();
        facts.watched.get(&session).map(|watched| (watched.scope.clone(), watched.cursor, watched.seen.len()))
    }

    /// Something is told to the watcher of a session.
    pub(super) fn watch(&self, session: SessionId, watch: impl FnOnce(&mut Watched)) {
        if let Some(watched) = self.facts().watched.get_mut(&session) {
            watch(watched);
        }
    }

    /// Drops unanswered requests, because the only process died. A request whose repetition was refused is kept: it may have
    /// been carried out before the refusal.
    pub(super) fn lose_requests(&self) {
        let mut facts = self.facts();
        facts.told.values_mut().filter(|told| !told.refused).for_each(|told| told.unanswered = 0);
    }

    pub(super) fn wrong(&self, what: impl Into<String>) {
        self.facts().wrong.get_or_insert(what.into());
    }

    /// A person is told that a decision counts.
    pub(super) fn acknowledge(&self, wait: WaitId, resolution: Resolution) {
        let earlier = self.facts().decided.insert(wait, resolution.clone());
        if earlier.is_some_and(|earlier| earlier != resolution) {
            self.wrong(format!("two decisions about {wait} were told that they count"));
        }
    }

    /// A client is shown an event.
    pub(super) fn show(&self, intent: usize, event: TurnEvent, cursor: Cursor) {
        let mut gap = None;
        self.tell(intent, |told| {
            let last = told.cursor.map_or(0, |cursor| cursor.seq);
            if event.seq != last + 1 {
                gap = Some(format!("after event {last} came event {}", event.seq));
            }
            if told.ended || told.view.status.is_some() {
                gap = Some(format!("event {} came after the end", event.seq));
            }
            told.cursor = Some(cursor);
            told.view.apply(&event);
            told.seen.push((cursor, event));
        });
        if let Some(gap) = gap {
            self.wrong(gap);
        }
    }
}

/// What the turns of each session are doing, and in which process.
type InHand = BTreeMap<SessionId, Vec<(TurnId, Work, u16)>>;

/// What living processes are doing.
#[derive(Clone, Default)]
pub(super) struct Running(Arc<Mutex<InHand>>);

/// What a turn does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Listens,
    Calls,
}

/// Held while a turn does something.
pub(super) struct AtWork {
    running: Running,
    session: SessionId,
    what: (TurnId, Work, u16),
}

impl Running {
    /// A turn begins to do something; says what it must not meet.
    pub(super) fn begin(
        &self,
        process: u16,
        session: SessionId,
        turn: TurnId,
        work: Work,
    ) -> (AtWork, Option<&'static str>) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let others = sessions.entry(session).or_default();
        let wrong = if others.iter().any(|(other, ..)| *other != turn) {
            Some("two turns of a session ran at once")
        } else if others.iter().any(|(_, other, _)| *other == Work::Listens || work == Work::Listens) {
            Some("a turn ran twice at once")
        } else {
            None
        };
        let what = (turn, work, process);
        others.push(what);
        (AtWork { running: self.clone(), session, what }, wrong)
    }

    /// A process died, or is taken for dead.
    pub(super) fn leave(&self, process: u16) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.values_mut().for_each(|others| others.retain(|(.., its)| *its != process));
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let mut sessions = self.running.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(others) = sessions.get_mut(&self.session)
            && let Some(place) = others.iter().position(|other| *other == self.what)
        {
            others.remove(place);
        }
    }
}
