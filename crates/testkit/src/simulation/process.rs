//! One process: a service on the disk, and what it meets.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_broker::InProcess;
use turnkit_core::ports::{Broker, Clock};
use turnkit_core::{Timestamp, TurnId, WorkerId};
use turnkit_engine::machine::{Limits, OnLimit};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{Agent, AgentSettings, Failpoints, Instructions, ServiceParts, TurnService};

use super::fate::Fate;
use super::model::RandomModel;
use super::record::{AtWork, Record, Running, Work};
use super::stop_delay::StopDelay;
use super::tools;
use crate::dice::Dice;
use crate::model_store::{Disk, Flaw, ModelStore};
use crate::{SeededIds, VirtualClock};

/// What everyone in a process can reach.
pub(super) struct Surroundings {
    pub(super) disk: Disk,
    pub(super) record: Record,
    pub(super) fate: Fate,
    /// The process's number.
    life: u16,
    running: Running,
    /// How soon a stop must be heard.
    stop_delay: StopDelay,
    /// When turns first asked their models here.
    begun_at: Mutex<BTreeMap<TurnId, Instant>>,
}

/// Held while a turn does something in a process.
pub(super) struct Doing {
    around: Arc<Surroundings>,
    turn: TurnId,
    number: u32,
    begun_at: Instant,
    work: Work,
    _at_work: AtWork,
}

impl Drop for Doing {
    fn drop(&mut self) {
        // Tools are left to come to their end.
        let until = self.around.may_ignore_stop_until(self.turn, self.begun_at);
        if self.work == Work::Listens && until.is_some_and(|until| Instant::now() > until) {
            self.around
                .record
                .wrong(format!("turn {} listened to its model after its stop was acknowledged", self.number));
        }
    }
}

/// How a process is set up.
pub(super) struct Setup {
    pub(super) worker: WorkerId,
    pub(super) broker: Arc<dyn Broker>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) flaw: Option<Flaw>,
}

impl Surroundings {
    /// Those of the only process.
    pub(super) fn new(disk: Disk, record: Record, fate: Fate, life: u16) -> Arc<Self> {
        Self::among(disk, record, fate, life, Running::default(), StopDelay::AT_ONCE)
    }

    /// Those of one process among several.
    pub(super) fn among(
        disk: Disk,
        record: Record,
        fate: Fate,
        life: u16,
        running: Running,
        stop_delay: StopDelay,
    ) -> Arc<Self> {
        Arc::new(Self { disk, record, fate, life, running, stop_delay, begun_at: Mutex::default() })
    }

    /// A turn begins a model call or a tool call.
    pub(super) fn begin(self: &Arc<Self>, turn: TurnId, work: Work) -> Option<Doing> {
        let Some((session, number)) = self.disk.place_of(turn) else {
            self.record.wrong(format!("turn {turn} runs and is not on the disk"));
            return None;
        };
        if self.fate.is_zombie() {
            return None;
        }
        let (at_work, wrong) = self.running.begin(self.life, session, turn, work);
        if let Some(wrong) = wrong {
            self.record.wrong(wrong);
        }
        let now = Instant::now();
        let begun_at = *self.begun_at.lock().unwrap_or_else(PoisonError::into_inner).entry(turn).or_insert(now);
        if self.may_ignore_stop_until(turn, begun_at).is_some_and(|until| now >= until) {
            self.record.wrong(format!("turn {number} began something after its stop was acknowledged"));
        }
        if work == Work::Listens {
            self.record.facts().begun.push((session, number, turn));
        }
        Some(Doing { around: Arc::clone(self), turn, number, begun_at, work, _at_work: at_work })
    }

    /// If the stop of a turn was acknowledged, until when this process may not know of it.
    fn may_ignore_stop_until(&self, turn: TurnId, begun_at: Instant) -> Option<Instant> {
        let stop = self.record.facts().stopped.get(&turn).copied()?;
        let is_judged = !self.fate.is_zombie() && !self.fate.is_stopped();
        is_judged.then(|| self.stop_delay.ends_at(stop, begun_at, self.fate.undisturbed_since()))
    }

    /// The process died, or is taken for dead.
    pub(super) fn leave(&self) {
        self.fate.take_for_dead();
        self.running.leave(self.life);
    }
}

/// What the store knows a process by.
pub(super) fn worker(life: u16) -> WorkerId {
    WorkerId(format!("process-{life}").into())
}

/// Starts the service of the only process, which is number `life`. Must run inside its runtime.
pub(super) fn start(
    around: &Arc<Surroundings>,
    life: u16,
    now: Timestamp,
    flaw: Option<Flaw>,
    dice: Dice,
) -> (TurnService, Arc<dyn Clock>) {
    let clock: Arc<dyn Clock> = Arc::new(VirtualClock::running_from(now));
    let worker = worker(life);
    let setup = Setup { worker, broker: Arc::new(InProcess::default()), clock: Arc::clone(&clock), flaw };
    (start_with(around, setup, dice), clock)
}

/// Starts the service of a process. Must run inside its runtime.
pub(super) fn start_with(around: &Arc<Surroundings>, setup: Setup, dice: Dice) -> TurnService {
    let Setup { worker, broker, clock, flaw } = setup;
    let hook = Arc::clone(around);
    let store = ModelStore::open(&around.disk).with_flaw(flaw).with_clock(Arc::clone(&clock)).pausing(move |pause| {
        let around = Arc::clone(&hook);
        Box::pin(async move { around.fate.store(pause).await })
    });
    let settings = AgentSettings {
        rules: vec![Rule { tool: "*".to_owned(), decision: Decision::Allow }],
        limits: Limits { max_rounds: 3, max_calls: 6, on_limit: OnLimit::Answer, ..Limits::default() },
        turn_deadline: Duration::from_secs(60),
        ..AgentSettings::default()
    };
    let agent =
        Agent { name: "assistant".to_owned(), flow: Arc::new(Instructions(None)), tools: tools::all(around), settings };
    TurnService::new(ServiceParts {
        store: Arc::new(store),
        broker,
        provider: Arc::new(RandomModel::new(Arc::clone(around), dice)),
        directory: None,
        agents: vec![agent],
        clock,
        ids: Arc::new(SeededIds::new(around.life)),
        worker,
        slots: 3,
        first_suspension: Duration::from_secs(1),
        failpoints: Failpoints::default(),
    })
}
