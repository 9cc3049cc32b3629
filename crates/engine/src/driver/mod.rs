//! Executes the steps of the machine: calls the model, runs tools, and writes a checkpoint at each boundary. It decides
//! nothing itself.

mod budget;
mod children;
mod chore;
mod compact;
mod compaction_job;
mod contents;
mod environment;
mod fit;
mod grants;
mod instructions;
mod interruption;
mod live_environment;
mod model;
mod optional;
mod partial_saver;
mod plans;
mod round;
mod settle;
mod steering;
mod timings;
mod title;
mod waits;

use std::pin::Pin;
use std::sync::Arc;

use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, Clock, LlmProvider, TurnStore};
use turnkit_core::{
    CallUid, Claim, ClaimedTurn, DecidedWait, LiveTurn, NewWait, Session, StopSignal, StoreError, ToolCall, TurnId,
    TurnKind, TurnLog, TurnStatus,
};

pub(crate) use self::budget::{BUDGET_NEARLY_USED_UP, BUDGET_USED_UP};
pub(crate) use self::compaction_job::CompactionJob;
pub(crate) use self::environment::{ChildInput, Environment, SubAgents, UsageSoFar};
pub(crate) use self::fit::{CONTEXT_OVERFLOW, Window};
pub(crate) use self::grants::{Granted, Ungranted};
pub(crate) use self::interruption::Interruption;
pub(crate) use self::live_environment::LiveEnvironment;
use self::settle::UncommittedEffects;
pub(crate) use self::timings::Timings;
use crate::agent::AgentSettings;
use crate::context::Assembly;
use crate::failpoint::Failpoints;
use crate::machine::{Input, Step, TurnMachine};
use crate::permission::Permissions;
use crate::tools::Toolbox;

/// The driver of one turn. It adds messages and metadata to the session at each checkpoint, with or without a store.
pub(crate) struct Driver<'a, E> {
    pub(crate) machine: TurnMachine,
    pub(crate) live: Arc<LiveTurn>,
    pub(crate) session: &'a mut Session,
    /// Receives checkpoints; without a store, only the session does.
    pub(crate) store: Option<(&'a dyn TurnStore, &'a Claim)>,
    /// Raised when the store rejects a checkpoint because the turn must stop first; absent without a store.
    pub(crate) stop: Option<&'a StopSignal>,
    pub(crate) settings: &'a AgentSettings,
    pub(crate) toolbox: Toolbox<'a>,
    /// The agent's own instructions; once `assembly` has run, all instructions.
    pub(crate) instructions: Option<Arc<str>>,
    /// Assembles the other instructions before the first model call; absent if the agent has no pipeline.
    pub(crate) assembly: Option<Assembly<'a>>,
    pub(crate) permissions: Permissions,
    pub(crate) provider: &'a dyn LlmProvider,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) failpoints: Failpoints,
    pub(crate) held: Option<UncommittedEffects>,
    /// The resolutions that the turn waits for, if all of them arrived before it began to wait.
    pub(crate) decided: Vec<DecidedWait>,
    /// Whether the session's queue may begin with messages for the turn.
    pub(crate) is_steered: bool,
    /// Whether the store may hold partial answers. The next checkpoint removes them.
    pub(crate) has_partials: bool,
    /// Records how long commits and model calls take; absent without a service.
    pub(crate) timings: Option<&'a Timings>,
    /// Measures requests to keep them within the window; absent if the host keeps the session, which would lose the
    /// messages.
    pub(crate) window: Option<Window<'a>>,
    /// The number of ancestor turns, if this is the turn of a sub-agent.
    pub(crate) depth: usize,
    /// Whether the turn's prompt may repeat untrusted text.
    pub(crate) has_untrusted_prompt: bool,
    /// Whether the turn is a chore.
    pub(crate) is_chore: bool,
    pub(crate) environment: E,
}

/// The outcome of a run.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The turn has ended.
    Ended {
        /// How it ended.
        status: TurnStatus,
        /// The session's next turn, if it was claimed.
        next: Option<Box<ClaimedTurn>>,
        /// The chore that is due in the session; `None` if its next turn is queued.
        chore: Option<TurnKind>,
        /// The sub-agents' turns that are to stop with it.
        stops: Vec<TurnId>,
    },
    /// The turn has nothing to do until these waits are decided.
    Waiting(Vec<NewWait>),
    /// The process is stopping. The turn is stored, and released to its next owner.
    HandedOver,
    /// Another worker owns the turn now.
    Fenced,
    /// The result of a step could not be saved.
    Unsaved(StoreError),
}

impl<E: Environment> Driver<'_, E> {
    /// Applies the inputs from outside, if the previous owner died or a call was decided. Then runs the turn until it
    /// ends or must wait.
    #[expect(clippy::manual_async_fn, reason = "an async function would hold the driver twice, as long as it runs")]
    pub(crate) fn run_with(mut self, inputs: Vec<Input>) -> impl Future<Output = Exit> {
        async move {
            self.toolbox.activate_for_round(&self.session.history);
            for mut input in inputs {
                if let Input::Resolved(decisions) = &mut input {
                    Box::pin(self.shorten_results(decisions)).await;
                }
                if let Some(exit) = Box::pin(self.settle(input)).await {
                    return exit;
                }
            }
            self.run().await
        }
    }

    /// Runs the turn until it ends or must wait. It mostly waits for its model, so the futures of rounds and boundaries
    /// are boxed: they take memory only while they run.
    async fn run(&mut self) -> Exit {
        let now = self.clock.now();
        let mut expiry: Pin<Box<Sleep>> = Box::pin(tokio::time::sleep(self.machine.deadline().since(now)));
        loop {
            let input = match self.machine.next(self.clock.now()) {
                Step::CallModel { .. } | Step::Compact { .. } | Step::WriteTitle { .. }
                    if self.environment.is_halted() =>
                {
                    Interruption::HandedOver.of_round(Vec::new())
                }
                Step::CallModel { step, attempt, tools } => {
                    let call = CallContext { turn: self.live.read(TurnLog::turn), step, attempt };
                    match self.over_budget(&call).await {
                        // A turn that may not call its model leaves the messages to their own turns.
                        Ok(None) if self.may_take_messages() => match Box::pin(self.steering()).await {
                            Ok(Some(input)) => input,
                            Ok(None) => continue,
                            Err(exit) => return exit,
                        },
                        Ok(None) => self.call_model(call, tools, expiry.as_mut()).await,
                        Ok(Some(stop)) => stop,
                        Err(error) => return Exit::Unsaved(error),
                    }
                }
                Step::Compact { step, attempt } => {
                    let call = CallContext { turn: self.live.read(TurnLog::turn), step, attempt };
                    match self.over_budget(&call).await {
                        Ok(None) => Box::pin(self.compact(call, expiry.as_mut())).await,
                        Ok(Some(stop)) => stop,
                        Err(error) => return Exit::Unsaved(error),
                    }
                }
                Step::WriteTitle { step, attempt } => {
                    let call = CallContext { turn: self.live.read(TurnLog::turn), step, attempt };
                    match self.over_budget(&call).await {
                        Ok(None) => Box::pin(self.write_title(call, expiry.as_mut())).await,
                        Ok(Some(stop)) => stop,
                        Err(error) => return Exit::Unsaved(error),
                    }
                }
                Step::RunTools(calls) => match Box::pin(self.run_tools(&calls, expiry.as_mut())).await {
                    Ok(input) => input,
                    Err(exit) => return exit,
                },
                Step::Await(calls) => match self.environment.stopped_waiting(&calls) {
                    Some(reason) => Interruption::Stopped(reason).of_round(Vec::new()),
                    None => match Box::pin(self.decided_meanwhile()).await {
                        Ok(input) => input,
                        Err(exit) => return exit,
                    },
                },
                Step::Expire => Interruption::Expired.of_round(Vec::new()),
                // A turn has ended already only if nothing was left to run when it was resumed.
                Step::Done(status) => return Exit::Ended { status, next: None, chore: None, stops: Vec::new() },
            };
            if let Some(exit) = Box::pin(self.settle(input)).await {
                return exit;
            }
        }
    }

    /// Returns the calls with these ids of the running round. They are in the last assistant message with calls,
    /// written or held back.
    fn calls(&self, uids: &[CallUid]) -> Vec<&ToolCall> {
        let held = self.held.iter().flat_map(|held| &held.entries);
        let messages = self.session.history.turn().chain(held).rev();
        let Some(asked) = messages.map(|entry| entry.message()).find(|message| message.calls().next().is_some()) else {
            return Vec::new();
        };
        asked.calls().filter(|call| uids.contains(&call.uid)).collect()
    }
}
