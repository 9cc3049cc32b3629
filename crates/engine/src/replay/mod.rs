//! Replays a stored turn from the recorded inputs of its environment.
//!
//! A provider of recorded answers stands in for the models, and tools return the results of the stored turn. Stops and
//! deaths of owners happen at their recorded points. The rest is the work of the engine: it runs again through the same
//! machine and the same driver, and the outcome can be compared with the stored turn. Nothing is written.

mod answers;
mod attempts;
mod recorded_environment;
mod recorded_interactions;
mod recorded_owner;
mod recorded_results;
mod recorded_stop;
mod recorded_title;
mod recorded_tools;
mod rewrites;

use std::sync::Arc;

use turnkit_core::ports::{Clock, LlmProvider};
use turnkit_core::{
    CallUid, DecidedWait, Entry, EventKind, Fence, LiveTurn, LoggedTurn, Mark, OpenTurn, Part, Recorded, Session,
    ToolUse, TurnEvent, TurnLog, WaitId, WaitKind, replay,
};

use crate::agent::Agent;
use crate::catalog::OfferedTools;
use crate::driver::{Driver, Environment, Exit};
use crate::failpoint::Failpoints;
use crate::machine::{IncompatibleMachine, Input, Resumption, TurnMachine};
use crate::tools::Toolbox;
use answers::Answers;
use recorded_environment::RecordedEnvironment;
use recorded_interactions::ended_with_turn;
use recorded_owner::Owner;
use recorded_tools::recorded_tools;

/// A stored turn to be replayed.
pub struct Replay {
    /// The turn. It has ended.
    pub turn: LoggedTurn,
    /// The session, with the messages before the turn. Its current setting decides whether turns may use tools.
    pub session: Session,
    /// The agent that answered, with its current instructions, tools and limits. None of its tools is run.
    pub agent: Agent,
    /// The other agents. The turn of a sub-agent is judged within the permissions of its ancestor turns.
    pub others: Vec<Agent>,
    /// The provider of the recorded answers.
    pub provider: Arc<dyn LlmProvider>,
    /// The clock for the time of the new events.
    pub clock: Arc<dyn Clock>,
}

/// The outcome of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayOutcome {
    /// The events of the stored turn.
    pub recorded_events: Vec<TurnEvent>,
    /// The events of the replay. Each has the current time.
    pub replayed_events: Vec<TurnEvent>,
    /// The messages of the replay, the user's first.
    pub messages: Vec<Arc<Entry>>,
}

/// The reason why a turn cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The turn has not ended.
    #[error("the turn has not ended")]
    TurnNotEnded,
    /// The log does not begin with the start of the turn.
    #[error("its log does not begin with its start")]
    NoStart,
    /// This version cannot read the machine that it stored itself.
    #[error(transparent)]
    Incompatible(#[from] IncompatibleMachine),
}

impl Replay {
    /// Replays the turn.
    ///
    /// # Errors
    /// The turn cannot be replayed.
    pub async fn run(self) -> Result<ReplayOutcome, ReplayError> {
        let stored = replay(&self.turn, 0);
        if !matches!(stored.last().map(|event| &event.kind), Some(EventKind::TurnEnded { .. })) {
            return Err(ReplayError::TurnNotEnded);
        }
        let live = LiveTurn::new(first_log(&self.turn).ok_or(ReplayError::NoStart)?);
        if !is_begun(&stored) {
            return Ok(ReplayOutcome {
                replayed_events: stored.clone(),
                recorded_events: stored,
                messages: self.turn.messages,
            });
        }
        self.drive(&live, &stored).await?;
        let (replayed_events, messages) = live.read(|log| (log.events(), log.messages().to_vec()));
        Ok(ReplayOutcome { recorded_events: stored, replayed_events, messages })
    }

    /// Runs the turn under one owner after another, each until its recorded death.
    async fn drive(&self, live: &Arc<LiveTurn>, stored: &[TurnEvent]) -> Result<(), ReplayError> {
        let settings = &self.agent.settings;
        let deadline = self.clock.now().plus(settings.turn_deadline);
        let mut machine = TurnMachine::new(settings.limits, deadline).with_kind(live.read(TurnLog::kind));
        let mut session = self.session.clone();
        for entry in live.read(|log| log.messages().to_vec()) {
            session.history.push(entry);
        }
        let lives = lives(&self.turn);
        for (owner, (fence, last_seq)) in lives.iter().enumerate() {
            if owner > 0 && owner + 1 == lives.len() {
                machine = machine.with_unfinished(self.stored_text_of_lost_attempts());
            }
            live.write(|log| log.set_fence(*fence));
            let after_death = live.read(TurnLog::last_seq);
            let limit = self.agent.settings.limits.max_attempts;
            let inputs = if owner > 0 { self.resumed(live, stored, after_death, limit) } else { Vec::new() };
            session.open_turn = machine.store().ok().map(|machine| OpenTurn {
                turn: self.turn.turn,
                first_message: 0,
                last_seq: after_death,
                fence: *fence,
                machine,
            });
            let dies_after = (owner + 1 < lives.len()).then_some(*last_seq);
            let owner = Owner { begins_after: if owner > 0 { after_death } else { 0 }, dies_after };
            let environment =
                RecordedEnvironment::new(&self.turn, stored, Arc::clone(live), owner, Arc::clone(&self.clock));
            if !self.run_owner(machine, &environment, &mut session, inputs).await? {
                return Ok(());
            }
            let Some(open) = &session.open_turn else { return Ok(()) };
            machine = TurnMachine::restore(&open.machine)?;
        }
        Ok(())
    }

    /// Returns the text of lost attempts with which the turn ends, if any. Only the part that was stored is known.
    fn stored_text_of_lost_attempts(&self) -> Vec<Part> {
        let last = self.turn.messages.last().map(|entry| entry.message());
        let kept = last.filter(|message| message.mark == Some(Mark::Interrupted));
        let parts = kept.into_iter().flat_map(|message| &message.parts);
        parts.filter(|part| matches!(part, Part::Text(_) | Part::Reasoning(_))).cloned().collect()
    }

    /// Runs the turn under one owner. Returns `true` if that owner died. A waiting turn resumes if it was stopped
    /// meanwhile, or if its waits were decided.
    async fn run_owner(
        &self,
        mut machine: TurnMachine,
        environment: &RecordedEnvironment,
        session: &mut Session,
        mut inputs: Vec<Input>,
    ) -> Result<bool, ReplayError> {
        let answers = Answers { provider: self.provider.as_ref(), environment };
        loop {
            let waits = tokio::select! {
                biased;
                exit = self.driver(machine, &answers, session).run_with(inputs) => match exit {
                    Exit::Waiting(waits) => waits,
                    Exit::HandedOver => return Ok(true),
                    _ => return Ok(false),
                },
                () = environment.death().notified() => return Ok(true),
            };
            let decided = environment.decisions(&waits);
            let waits: Vec<CallUid> = waits.iter().map(|wait| wait.id.call).collect();
            let is_stopped = decided.is_empty() && environment.stopped_waiting(&waits).is_some();
            let open = session.open_turn.as_ref().filter(|_| is_stopped || !decided.is_empty());
            let Some(open) = open else { return Ok(false) };
            machine = TurnMachine::restore(&open.machine)?;
            let last_seq = environment.live().read(TurnLog::last_seq);
            inputs = vec![Input::continued(&machine, last_seq), Input::Resolved(decided)];
        }
    }

    fn driver<'a>(
        &'a self,
        machine: TurnMachine,
        answers: &'a Answers<'a>,
        session: &'a mut Session,
    ) -> Driver<'a, &'a RecordedEnvironment> {
        let live = answers.environment.live();
        let tools = live.read(TurnLog::tools).unwrap_or(session.tools);
        let mode = live.read(|log| log.mode().map(Into::into)).or_else(|| session.mode.clone());
        let lineage = live.read(|log| log.lineage().map(|(_, lineage)| lineage.clone())).unwrap_or_default();
        Driver {
            machine,
            live: Arc::clone(live),
            store: None,
            stop: None,
            settings: &self.agent.settings,
            toolbox: self.toolbox(live, tools).at_depth(lineage.ancestors.len()),
            instructions: self.agent.flow.instructions(session).map(Into::into),
            // The stored notices replace the context providers, which are not asked again.
            assembly: None,
            permissions: self.agent.settings.permissions_within(
                mode.as_deref(),
                self.turn.caps.interact,
                &lineage.ancestors,
                |name| self.agent_named(name),
            ),
            provider: answers,
            clock: self.clock.as_ref(),
            failpoints: Failpoints::default(),
            held: None,
            decided: Vec::new(),
            has_partials: false,
            is_steered: false,
            timings: None,
            window: None,
            is_chore: false,
            depth: lineage.ancestors.len(),
            has_untrusted_prompt: lineage.untrusted,
            environment: answers.environment,
            session,
        }
    }

    fn agent_named(&self, name: &str) -> Option<&Agent> {
        std::iter::once(&self.agent).chain(&self.others).find(|agent| agent.name == name)
    }

    /// Returns the inputs of the owner that continues after event `last_seq`, if the previous owner died there. They
    /// also contain whether a person was asked about the outcome of a call, and the decisions made before.
    fn resumed(&self, live: &LiveTurn, stored: &[TurnEvent], last_seq: u32, limit: u16) -> Vec<Input> {
        let Some(at) = stored.iter().position(|event| event.seq == last_seq + 1) else { return Vec::new() };
        let EventKind::Retracted { attempt, lost_calls, .. } = stored[at].kind else { return Vec::new() };
        let next: Vec<&EventKind> = stored[at + 1..].iter().map(|event| &event.kind).collect();
        let is_given_up = matches!(next.first(), Some(EventKind::Error { code, .. }) if code == "attempts_exhausted");
        let attempt_limit_reached = is_given_up.then_some(limit);
        let asked = next.iter().map_while(|kind| match kind {
            EventKind::InteractionRequested { request } => Some(request.kind),
            _ => None,
        });
        let (can_ask, asked) = (asked.clone().any(|kind| kind == WaitKind::Outcome), asked.count());
        let tools = live.read(TurnLog::tools).unwrap_or(self.session.tools);
        let decided = next[asked..].iter().map_while(|kind| match kind {
            EventKind::InteractionResolved { id, decision } if !ended_with_turn(decision) => {
                let resolution = (**decision).clone().into();
                Some(DecidedWait { id: *id, resolution, binding: self.binding(*id, live, tools) })
            }
            _ => None,
        });
        let resumption = Resumption { attempt, lost_calls, attempt_limit_reached, last_seq, can_ask };
        vec![Input::Resumed(resumption), Input::Resolved(decided.collect())]
    }

    /// Returns the current binding of a call's approval: the tools are the current ones.
    fn binding(&self, id: WaitId, live: &LiveTurn, use_of_tools: ToolUse) -> [u8; 32] {
        let call = self.turn.messages.iter().flat_map(|entry| entry.message().calls()).find(|call| call.uid == id.call);
        let toolbox = self.toolbox(live, use_of_tools);
        call.and_then(|call| toolbox.binding(call)).map(|binding| binding.0).unwrap_or_default()
    }

    /// Returns the agent's tools and those of the client. Sources are not asked: stand-ins replace the tools that the
    /// turn got from them.
    fn toolbox(&self, live: &LiveTurn, tool_use: ToolUse) -> Toolbox<'_> {
        let Agent { flow, tools, settings, .. } = &self.agent;
        let client_tools = live.read(TurnLog::client_tools);
        let offered = match settings.sources.is_empty() {
            true => OfferedTools::default(),
            false => {
                let own = flow.tools();
                let listed = own.iter().chain(tools.iter().map(|tool| tool.definition())).chain(client_tools.iter());
                let names: Vec<&str> = listed.map(|tool| &*tool.name).collect();
                recorded_tools(&self.turn, |name| names.contains(&name))
            }
        };
        let toolbox = Toolbox::new(flow.as_ref(), tools, tool_use, settings, offered);
        toolbox.with_client_tools(&client_tools, tool_use)
    }
}

/// Returns the log as it was when the turn was accepted.
fn first_log(turn: &LoggedTurn) -> Option<TurnLog> {
    let chunk = turn.chunks.first()?;
    let first = chunk.entries.first().filter(|entry| matches!(entry.kind, Recorded::TurnStarted { .. }))?;
    let mut log = TurnLog::new(turn.session, turn.turn, turn.number, chunk.fence);
    log.stage_message(Arc::clone(turn.messages.first()?));
    log.stage(first.at, first.kind.clone());
    log.commit();
    Some(log)
}

/// Reports whether the turn ever ran. A turn that was cancelled while it waited for its session has only its start and
/// its end.
fn is_begun(stored: &[TurnEvent]) -> bool {
    !matches!(stored.last().map(|event| &event.kind), Some(EventKind::TurnEnded { steps: 0, .. }))
}

/// Returns the owners of the turn in order, each with the last event that it made durable.
fn lives(turn: &LoggedTurn) -> Vec<(Fence, u32)> {
    let mut lives: Vec<(Fence, u32)> = Vec::new();
    for (at, chunk) in turn.chunks.iter().enumerate() {
        let took_over = chunk.entries.first().is_some_and(|entry| takes_over(&entry.kind));
        // The worker that accepted a turn that had to wait did not run it.
        if at == 0 || (took_over && lives.last().is_some_and(|(fence, _)| *fence != chunk.fence)) {
            lives.push((chunk.fence, chunk.to_seq));
        } else if let Some(last) = lives.last_mut() {
            *last = (chunk.fence, chunk.to_seq);
        }
    }
    lives
}

/// Reports whether this is the first entry in the log of a next owner.
fn takes_over(recorded: &Recorded) -> bool {
    matches!(recorded, Recorded::Retracted { .. })
}
