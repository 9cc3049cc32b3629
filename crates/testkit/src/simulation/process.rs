//! One process: a service on the disk, and what it meets.

use std::sync::Arc;
use std::time::Duration;

use turnkit_broker::InProcess;
use turnkit_core::ports::Clock;
use turnkit_core::{Timestamp, TurnId, WorkerId};
use turnkit_engine::machine::{Limits, OnLimit};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{Agent, AgentSettings, Failpoints, Instructions, ServiceParts, TurnService};

use super::fate::Fate;
use super::model::RandomModel;
use super::record::{AtWork, Record, Running, Work};
use super::tools;
use crate::dice::Dice;
use crate::model_store::{Disk, Flaw, ModelStore};
use crate::{SeededIds, VirtualClock};

/// What everyone in a process can reach.
pub(super) struct Surroundings {
    pub(super) disk: Disk,
    pub(super) record: Record,
    pub(super) fate: Fate,
    running: Running,
}

impl Surroundings {
    pub(super) fn new(disk: Disk, record: Record, fate: Fate) -> Arc<Self> {
        Arc::new(Self { disk, record, fate, running: Running::default() })
    }

    /// A turn begins a model call or a tool call.
    pub(super) fn begin(&self, turn: TurnId, work: Work) -> Option<AtWork> {
        let Some((session, number)) = self.disk.place_of(turn) else {
            self.record.wrong(format!("turn {turn} runs and is not on the disk"));
            return None;
        };
        let (at_work, wrong) = self.running.begin(session, turn, work);
        if self.fate.is_zombie() {
            return Some(at_work);
        }
        if let Some(wrong) = wrong {
            self.record.wrong(wrong);
        }
        let mut facts = self.record.facts();
        if facts.stopped.contains(&turn) {
            facts.wrong.get_or_insert(format!("turn {number} began something after its stop was acknowledged"));
        }
        if work == Work::Listens {
            facts.begun.push((session, number, turn));
        }
        Some(at_work)
    }
}

/// Starts the service of process number `life`. Must run inside its runtime.
pub(super) fn start(
    around: &Arc<Surroundings>,
    life: u16,
    now: Timestamp,
    flaw: Option<Flaw>,
    dice: Dice,
) -> (TurnService, Arc<dyn Clock>) {
    let hook = Arc::clone(around);
    let store = ModelStore::open(&around.disk).with_flaw(flaw).pausing(move |pause| {
        let around = Arc::clone(&hook);
        Box::pin(async move { around.fate.store(pause).await })
    });
    let clock: Arc<dyn Clock> = Arc::new(VirtualClock::running_from(now));
    let settings = AgentSettings {
        rules: vec![Rule { tool: "*".to_owned(), decision: Decision::Allow }],
        limits: Limits { max_rounds: 3, max_calls: 6, on_limit: OnLimit::Answer, ..Limits::default() },
        turn_deadline: Duration::from_secs(60),
        ..AgentSettings::default()
    };
    let agent =
        Agent { name: "assistant".to_owned(), flow: Arc::new(Instructions(None)), tools: tools::all(around), settings };
    let store = Arc::new(store);
    let service = TurnService::new(ServiceParts {
        store: Arc::clone(&store) as _,
        sessions: store,
        broker: Arc::new(InProcess::default()),
        provider: Arc::new(RandomModel::new(Arc::clone(around), dice)),
        directory: None,
        agents: vec![agent],
        clock: Arc::clone(&clock),
        ids: Arc::new(SeededIds::new(life)),
        worker: WorkerId(format!("process-{life}").into()),
        slots: 3,
        first_suspension: Duration::from_secs(1),
        failpoints: Failpoints::default(),
    });
    (service, clock)
}
