//! One run of a turn: reads the stored state, builds a driver, and runs it.

use std::sync::Arc;
use std::time::Instant;

use tracing::Instrument as _;
use turnkit_core::ports::{PinOwner, TurnStore};
use turnkit_core::{
    Anchor, CallRecord, ClaimedTurn, DecidedWait, History, LiveTurn, PartialSave, RawJson, Session, StoreError,
    StoredTurn, Timestamp, ToolPin, ToolUse, TurnId, TurnLog,
};

use super::claimed_run::{Broken, Run};
use super::sub_agents::Parent;
use super::{TurnService, suspension};
use crate::agent::{Agent, AgentSettings, Instructions};
use crate::catalog::{Catalog, OfferedTools};
use crate::context::{Assembly, learn_stored};
use crate::driver::{Driver, Exit, LiveEnvironment, Window};
use crate::machine::{Input, Resumption, TurnMachine};
use crate::tools::{KeptResults, Toolbox};

/// The stored state of a turn that has run before.
#[derive(Default)]
struct Stored {
    machine: Option<RawJson>,
    receipts: Vec<CallRecord>,
    partials: Vec<PartialSave>,
    anchor: Option<Anchor>,
    decided: Vec<DecidedWait>,
    is_steered: bool,
}

impl TurnService {
    /// Runs the turn from its stored state, or ends it there if it is broken.
    pub(super) async fn run(&self, run: &Run) -> Result<Exit, StoreError> {
        let (claimed, began) = (&*run.claimed, Instant::now());
        let reservation = self.inner.cache.reserve(claimed.session.id);
        let (stored, live) = self.open(run).await?;
        let mut broken = run.broken.clone();
        let agent = self.agent(&claimed.agent);
        if agent.is_none() {
            let message = format!("the agent {} is no longer configured", claimed.agent);
            broken.get_or_insert(Broken::new("agent_gone", message));
        }
        let mut session = match self.session(run, &live).await {
            Err(StoreError::Corrupt(why)) => {
                broken.get_or_insert(Broken::new("history_unreadable", why));
                claimed.session.clone()
            }
            session => session?,
        };
        // A checkpointed turn carries the size that its branch had at the checkpoint.
        if stored.machine.is_some() {
            session.history.restore_anchor(stored.anchor.clone());
            learn_stored(&session.history, &self.inner.ratios);
        }
        // A turn that cannot continue is ended without the host's code, which may be what broke it.
        let stand_in; // lives as long as the run borrows it
        let agent = match agent.filter(|_| broken.is_none()) {
            Some(agent) => agent,
            None => {
                stand_in = Box::new(stand_in_agent());
                &*stand_in
            }
        };
        let (mut machine, unreadable) = self.machine(claimed, &agent.settings, &stored, &live);
        if !stored.partials.is_empty() {
            let said = PartialSave::reassemble(&stored.partials, machine.step());
            machine = machine.with_unfinished(said);
        }
        let mut inputs = Vec::new();
        if let Some(broken) = broken.or(unreadable) {
            inputs.push(broken.into_input());
        } else if claimed.attempts > 1 || stored.machine.is_some() {
            machine = self.without_pause(machine, claimed, &live);
            inputs = resumed(claimed, &machine, &agent.settings, &live);
            if claimed.stop.is_none() && !stored.decided.is_empty() {
                self.inner.parts.failpoints.hit("wait.taken_up");
                inputs.push(Input::Resolved(stored.decided));
            }
        }
        // Boxed to keep the surrounding future small: each future moves when it becomes part of another.
        let offered = match agent.settings.sources.is_empty() || tool_use(&live, &session) == ToolUse::None {
            true => OfferedTools::default(),
            false => Box::pin(agent.settings.sources.ask(Some(claimed.claim.scope()))).await,
        };
        let (into, of) = (claimed.claim.turn(), claimed.session.id);
        let on_steered = |turns: &[TurnId], at: Timestamp| self.steered(of, into, turns, at);
        let on_asked = || self.asked(run);
        let sub_agents = Parent { service: self, run };
        let mut driver = self.driver(&sub_agents, agent, machine, live, &mut session, offered);
        driver.environment.on_steered = Some(&on_steered);
        driver.environment.on_asked = Some(&on_asked);
        if let Some(uncompared) = driver.toolbox.catalog().uncompared() {
            Box::pin(self.compare_definitions(driver.toolbox.catalog(), uncompared)).await?;
        }
        (driver.has_partials, driver.is_steered) = (!stored.partials.is_empty(), stored.is_steered);
        self.inner.meter.prepared(began.elapsed());
        let exit = Box::pin(driver.run_with(inputs)).instrument(run.span()).await;
        if matches!(exit, Exit::Ended { .. }) && run.ephemeral_history.is_none() {
            reservation.keep(claimed.number, session.history);
        }
        Ok(exit)
    }

    /// Compares the definitions of sources' tools with the accepted ones, once for all turns that share the catalog.
    async fn compare_definitions(
        &self,
        catalog: &Catalog,
        uncompared: Vec<(PinOwner, Vec<ToolPin>)>,
    ) -> Result<(), StoreError> {
        let (parts, mut changed) = (&self.inner.parts, Vec::new());
        for (owner, tools) in uncompared {
            changed.extend(parts.store.pin(&owner, tools, parts.clock.now()).await?);
        }
        if !changed.is_empty() {
            tracing::warn!(
                count = changed.len(),
                "tools have changed since they were accepted: their calls need approval"
            );
        }
        catalog.set_changed(&changed);
        Ok(())
    }

    /// Opens the turn's log, which followers can find from now on.
    async fn open(&self, run: &Run) -> Result<(Stored, Arc<LiveTurn>), StoreError> {
        let (parts, claim) = (&self.inner.parts, &run.claimed.claim);
        let (stored, live) = match run.live.get() {
            Some(live) => (Stored::default(), Arc::clone(live)),
            None => {
                let StoredTurn { machine, calls, log, partials, anchor, decided, is_steered } =
                    parts.store.load(claim).await?;
                let log = TurnLog::restore(log, claim.fence());
                self.show_ends_of_steered(claim.turn(), &log);
                let live = LiveTurn::new(log);
                // A run opens its log once, so the cell is empty.
                let _ = run.live.set(Arc::clone(&live));
                // The request that queued the turn may have registered its log in the meantime.
                self.turns().replace(&run.registered, Arc::clone(&live));
                parts.broker.changed(run.claimed.session.id);
                (Stored { machine, receipts: calls, partials, anchor, decided, is_steered }, live)
            }
        };
        live.write(|log| log.set_fence(claim.fence()));
        Ok((stored, live))
    }

    /// Restores the stored machine, or creates a new one. If the stored machine cannot be read, returns a stand-in that
    /// can only be stopped.
    fn machine(
        &self,
        claimed: &ClaimedTurn,
        settings: &AgentSettings,
        stored: &Stored,
        live: &LiveTurn,
    ) -> (TurnMachine, Option<Broken>) {
        let (limits, deadline) = (settings.limits, claimed.started_at.plus(settings.turn_deadline));
        match stored.machine.as_ref().map(TurnMachine::restore) {
            None => (TurnMachine::new(limits, deadline).with_kind(live.read(TurnLog::kind)), None),
            Some(Ok(machine)) => (machine, None),
            Some(Err(error)) => {
                let stand_in = live.read(|log| TurnMachine::stand_in(limits, deadline, log, &stored.receipts));
                (stand_in, Some(Broken::new("incompatible_journal", error.to_string())))
            }
        }
    }

    /// Extends the turn's deadline by the time from the last stored boundary to this claim, which does not count
    /// against it.
    fn without_pause(&self, machine: TurnMachine, claimed: &ClaimedTurn, live: &LiveTurn) -> TurnMachine {
        let boundary = live.read(TurnLog::last_at).unwrap_or_default().max(claimed.started_at);
        let deadline = machine.deadline().plus(self.inner.parts.clock.now().since(boundary));
        machine.with_deadline(deadline)
    }

    fn driver<'a>(
        &'a self,
        sub_agents: &'a Parent<'a>,
        agent: &'a Agent,
        machine: TurnMachine,
        live: Arc<LiveTurn>,
        session: &'a mut Session,
        offered: OfferedTools,
    ) -> Driver<'a, LiveEnvironment<'a>> {
        let run = sub_agents.run;
        let parts = &self.inner.parts;
        let turns: &dyn TurnStore = parts.store.as_ref();
        let tools = tool_use(&live, session);
        let client_tools = live.read(TurnLog::client_tools);
        let mode = live.read(|log| log.mode().map(Into::into)).or_else(|| session.mode.clone());
        let lineage = live.read(|log| log.lineage().map(|(_, lineage)| lineage.clone())).unwrap_or_default();
        let (interact, above) = (run.claimed.caps.interact, &lineage.ancestors);
        let permissions = agent.settings.permissions_within(mode.as_deref(), interact, above, |name| self.agent(name));
        let (store, stop) = (Some((turns, &run.claimed.claim)), Some(run.registered.stop()));
        let environment = LiveEnvironment {
            live: Arc::clone(&live),
            stop,
            halt: Some(&self.inner.halt),
            budgets: agent.settings.budgets.as_deref(),
            store,
            files: Some((parts.store.as_ref(), run.claimed.claim.scope())),
            on_steered: None,
            on_asked: None,
            pins: Some((parts.store.as_ref(), run.claimed.claim.scope())),
            clock: parts.clock.as_ref(),
            sub_agents: Some(sub_agents),
        };
        let toolbox = Toolbox::new(agent.flow.as_ref(), &agent.tools, tools, &agent.settings, offered);
        let toolbox = toolbox.with_client_tools(&client_tools, tools).at_depth(lineage.ancestors.len());
        let toolbox = toolbox.keeping(KeptResults {
            store: parts.store.as_ref(),
            scope: run.claimed.claim.scope(),
            ids: parts.ids.as_ref(),
            clock: parts.clock.as_ref(),
        });
        Driver {
            machine,
            live,
            store,
            stop,
            settings: &agent.settings,
            toolbox,
            instructions: agent.flow.instructions(session).map(Into::into),
            assembly: agent.settings.pipeline(mode.as_deref()).map(|pipeline| Assembly {
                pipeline,
                mode,
                agent: Some(&agent.name),
                scope: Some(run.claimed.claim.scope()),
                // A session of one turn has no next turn that could use the cached instructions.
                cache: run.ephemeral_history.is_none().then_some(&self.inner.instructions),
            }),
            permissions,
            provider: parts.provider.as_ref(),
            clock: parts.clock.as_ref(),
            failpoints: parts.failpoints.clone(),
            held: None,
            decided: Vec::new(),
            is_steered: false,
            has_partials: false,
            timings: Some(self.inner.meter.driver()),
            window: Some(Window::new(&self.inner.ratios)),
            is_chore: run.claimed.chore,
            depth: lineage.ancestors.len(),
            has_untrusted_prompt: lineage.untrusted,
            environment,
            session,
        }
    }

    /// Returns the session with its history: as the client just sent it, from the cache if it is warm, else read from
    /// the store.
    async fn session(&self, run: &Run, live: &LiveTurn) -> Result<Session, StoreError> {
        let claimed = &run.claimed;
        let own = live.read(|log| u32::try_from(log.messages().len()).unwrap_or(u32::MAX));
        let before = claimed.messages.saturating_sub(own);
        let mut session = claimed.session.clone();
        let sent = run.ephemeral_history.clone().filter(|sent| sent.branch_len() == before);
        let cached = || self.inner.cache.take(session.id, claimed.after?, before);
        session.history = match sent.or_else(cached) {
            Some(history) => history,
            None if before == 0 => History::default(),
            None => {
                let history = self.inner.parts.store.history(&claimed.claim).await?;
                learn_stored(&history, &self.inner.ratios);
                history
            }
        };
        live.read(|log| log.messages().iter().for_each(|entry| session.history.push(Arc::clone(entry))));
        Ok(session)
    }
}

fn tool_use(live: &LiveTurn, session: &Session) -> ToolUse {
    live.read(TurnLog::tools).unwrap_or(session.tools)
}

/// Returns the input for a turn that an earlier owner left unfinished.
fn resumed(claimed: &ClaimedTurn, machine: &TurnMachine, settings: &AgentSettings, live: &LiveTurn) -> Vec<Input> {
    let earlier = u16::try_from(claimed.attempts.saturating_sub(1)).unwrap_or(u16::MAX);
    let mode = live.read(|log| log.mode().map(Into::into)).or_else(|| claimed.session.mode.clone());
    vec![Input::Resumed(Resumption {
        attempt: machine.attempt().saturating_add(earlier),
        lost_calls: claimed.deaths.count.saturating_sub(machine.counted_deaths()),
        attempt_limit_reached: suspension::is_given_up(claimed.deaths, settings.limits)
            .then_some(settings.limits.max_attempts),
        last_seq: live.read(TurnLog::last_seq),
        can_ask: claimed.caps.interact && claimed.stop.is_none() && !settings.is_headless(mode.as_deref()),
    })]
}

/// Returns the stand-in agent that ends a turn which cannot continue.
fn stand_in_agent() -> Agent {
    Agent {
        name: String::new(),
        flow: Arc::new(Instructions(None)),
        tools: Vec::new(),
        settings: AgentSettings::default(),
    }
}
