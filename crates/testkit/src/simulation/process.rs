//! One process: a service on the disk, in its simulated surroundings.

use std::sync::Arc;
use std::time::Duration;

use turnkit_broker::InProcess;
use turnkit_core::ports::{Broker, Clock};
use turnkit_core::{Timestamp, WorkerId};
use turnkit_engine::machine::{Limits, OnLimit};
use turnkit_engine::permission::{Decision, PermissionSettings, Rule, UntrustedText};
use turnkit_engine::{Agent, AgentSettings, ContextSettings, Failpoints, Instructions, ServiceParts, TurnService};

use super::model::RandomModel;
use super::people;
use super::process_context::ProcessContext;
use super::tools;
use crate::dice::Dice;
use crate::model_store::{Flaw, ModelStore};
use crate::{SeededIds, VirtualClock};

/// The setup of a process.
pub(super) struct Setup {
    pub(super) worker: WorkerId,
    pub(super) broker: Arc<dyn Broker>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) flaw: Option<Flaw>,
}

/// Returns the worker id of a process.
pub(super) fn worker(life: u16) -> WorkerId {
    WorkerId(format!("process-{life}").into())
}

/// Starts the service of the only process, which is number `life`. Must be called within its runtime.
pub(super) fn start(
    process: &Arc<ProcessContext>,
    life: u16,
    now: Timestamp,
    flaw: Option<Flaw>,
    dice: Dice,
) -> (TurnService, Arc<dyn Clock>) {
    let clock: Arc<dyn Clock> = Arc::new(VirtualClock::following_tokio(now));
    let worker = worker(life);
    let setup = Setup { worker, broker: Arc::new(InProcess::default()), clock: Arc::clone(&clock), flaw };
    (start_with(process, setup, dice), clock)
}

/// Returns the rules under which payments need approval.
fn asking() -> Vec<Rule> {
    vec![Rule::new("*", Decision::Allow), Rule::new("pay", Decision::Ask)]
}

/// Starts the service of a process. Must be called within its runtime.
pub(super) fn start_with(process: &Arc<ProcessContext>, setup: Setup, dice: Dice) -> TurnService {
    let Setup { worker, broker, clock, flaw } = setup;
    let hook = Arc::clone(process);
    let store = ModelStore::open(&process.disk).with_flaw(flaw).with_clock(Arc::clone(&clock)).pausing(move |pause| {
        let process = Arc::clone(&hook);
        Box::pin(async move { process.fate.store(pause).await })
    });
    let settings = AgentSettings {
        rules: if process.has_people { asking() } else { vec![Rule::new("*", Decision::Allow)] },
        approval_ttl: people::EXPIRES_AFTER,
        // Results of client tools are untrusted text, after which every call of `put` would need approval.
        permissions: PermissionSettings { untrusted: UntrustedText::Ignore, ..PermissionSettings::default() },
        limits: Limits { max_rounds: 3, max_calls: 6, on_limit: OnLimit::Answer, ..Limits::default() },
        turn_deadline: Duration::from_secs(60),
        context: ContextSettings {
            budget: process.window,
            keep_results: if process.window.is_some() { 2 } else { 0 },
            ..ContextSettings::default()
        },
        // Only every other process saves incomplete answers.
        partial_save: process.life.is_multiple_of(2).then_some(Duration::from_millis(20)),
        ..AgentSettings::default()
    };
    let agent = Agent {
        name: "assistant".to_owned(),
        flow: Arc::new(Instructions(None)),
        tools: tools::all(process),
        settings,
    };
    TurnService::new(ServiceParts {
        store: Arc::new(store),
        broker,
        provider: Arc::new(RandomModel::new(Arc::clone(process), dice)),
        directory: None,
        agents: vec![agent],
        clock,
        ids: Arc::new(SeededIds::new(process.life)),
        worker,
        slots: 3,
        first_suspension: Duration::from_secs(1),
        failpoints: Failpoints::default(),
    })
}
