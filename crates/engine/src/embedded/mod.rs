//! The library interface: runs turns on sessions that the host owns.

mod builder;
mod grants;
mod run;
mod run_event;

use std::sync::Arc;

use turnkit_core::ports::{AgentFlow, Clock, IdSource, LlmProvider, Tool};
use turnkit_core::{
    CallUid, DecidedWait, Entry, Fence, LiveTurn, Message, OpenTurn, Recorded, Session, Timestamp, TurnLog, TurnStatus,
};

pub use builder::EngineBuilder;
pub use run::Run;
pub use run_event::{OpenParts, RunEvent};

use crate::agent::AgentSettings;
use crate::catalog::OfferedTools;
use crate::context::{Assembly, InstructionCache};
use crate::driver::{Driver, LiveEnvironment};
use crate::failpoint::Failpoints;
use crate::machine::{IncompatibleMachine, Input, Limits, TurnMachine};
use crate::resolution::{InvalidResolution, check_resolution};
use crate::tools::Toolbox;

/// Runs turns for a host that stores its sessions itself.
///
/// ```
/// use futures_util::StreamExt;
/// use turnkit_core::ports::{AgentFlow, BoxFuture, CallContext, LlmProvider, OpenedAnswer};
/// use turnkit_core::{ChatRequest, Delta, FinishReason, PartKind, ProviderError, Session};
/// use turnkit_engine::Engine;
///
/// struct Greeter;
/// impl AgentFlow for Greeter {
///     fn instructions(&self, _: &Session) -> Option<String> {
///         Some("Greet the user.".to_owned())
///     }
/// }
///
/// struct Model;
/// impl LlmProvider for Model {
///     fn stream<'a>(
///         &'a self,
///         _: ChatRequest,
///         _: &'a CallContext,
///     ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
///         let said = vec![Delta::start(0, PartKind::Text), Delta::text(0, "Hello!"), Delta::Finish(FinishReason::Stop)];
///         let deltas = Box::pin(futures_util::stream::iter([Ok(said)]));
///         let (provider, model) = ("mine".into(), "small".into());
///         let opened = OpenedAnswer { provider, model, prices: None, notices: vec![], failed: vec![], deltas };
///         Box::pin(std::future::ready(Ok(opened)))
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let engine = Engine::builder(Model).build();
/// let mut session = engine.new_session("greeter");
/// let events: Vec<_> = engine.run(&Greeter, &mut session, "Hi").collect().await;
/// assert!(!events.is_empty());
/// assert_eq!(session.history.len(), 2);
/// # });
/// ```
#[derive(Clone)]
pub struct Engine {
    provider: Arc<dyn LlmProvider>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    tools: Vec<Arc<dyn Tool>>,
    settings: AgentSettings,
    /// The cached instructions of its sessions, if the engine has a pipeline.
    instructions: Arc<InstructionCache>,
}

/// The reason why a turn cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The session's last turn has ended.
    #[error("the session has no open turn")]
    NoOpenTurn,
    /// Another version wrote the turn.
    #[error(transparent)]
    Incompatible(#[from] IncompatibleMachine),
    /// The host's resolution does not fit the call. The session is unchanged.
    #[error("the decision about call {call}: {reason}")]
    Resolution {
        /// The call that waits.
        call: CallUid,
        /// The reason.
        reason: InvalidResolution,
    },
}

impl Engine {
    /// Returns a builder of an engine that calls `provider`.
    pub fn builder(provider: impl LlmProvider + 'static) -> EngineBuilder {
        EngineBuilder::new(Arc::new(provider))
    }

    /// Creates an empty session for the agent with this name.
    pub fn new_session(&self, agent: impl Into<String>) -> Session {
        let now = self.clock.now();
        Session::new(self.ids.session(now), agent, now)
    }

    /// Runs one turn. The message is in the session when this function returns. Answers and results follow as the
    /// stream is read.
    ///
    /// Dropping the stream stops the turn where it is; [`resume`](Self::resume) continues it. If an earlier turn of the
    /// session is still open, it is closed first: its unfinished calls get a `cancelled` result.
    pub fn run<'a>(&'a self, flow: &'a dyn AgentFlow, session: &'a mut Session, message: impl Into<String>) -> Run<'a> {
        let now = self.clock.now();
        close_open_turn(session);
        let turn = self.ids.turn(now);
        let entry = Entry::new(Message::user(message));
        let machine = TurnMachine::new(self.settings.limits, now.plus(self.settings.turn_deadline));
        session.turns += 1;
        session.last_active = now;
        session.open_turn = machine.store().ok().map(|stored| OpenTurn {
            turn,
            first_message: session.history.branch_len(),
            last_seq: 1,
            fence: Fence(1),
            machine: stored,
        });
        session.history.push(Arc::clone(&entry));

        let mut log = TurnLog::new(session.id, turn, session.turns, Fence(1));
        log.stage_message(entry);
        log.stage(now, Recorded::turn_started(session.agent.clone()));
        log.commit();
        self.drive(flow, session, machine, log, Vec::new(), 0)
    }

    /// Continues the session's open turn: a turn that waits, with the host's resolutions, or a turn whose stream was
    /// dropped.
    ///
    /// Calls without a resolution keep waiting, and the stream reports their waits again. A started call that may have
    /// taken effect is not repeated; the model reads that its outcome is unknown. If the tool does not accept the
    /// arguments that an approval changed, the call fails, the model reads why, and nothing is granted. Other grants
    /// are stored in [`Session::grants`] at once or, if the engine has sources of tools, when the stream is first read.
    ///
    /// # Errors
    /// There is no open turn, another version wrote it, or a resolution does not fit the wait of its call.
    pub fn resume<'a>(
        &'a self,
        flow: &'a dyn AgentFlow,
        session: &'a mut Session,
        decisions: Vec<DecidedWait>,
    ) -> Result<Run<'a>, ResumeError> {
        let open = session.open_turn.clone().ok_or(ResumeError::NoOpenTurn)?;
        let machine = TurnMachine::restore(&open.machine)?;
        check(&machine, &decisions)?;
        session.history.reopen_turn(open.first_message);
        let inputs = vec![Input::continued(&machine, open.last_seq), Input::Resolved(decisions)];
        let log = TurnLog::new(session.id, open.turn, session.turns, open.fence.next());
        let log = log.resume_after(session.history.turn().cloned().collect(), open.last_seq);
        let after = open.last_seq;
        let machine = machine.with_deadline(self.clock.now().plus(self.settings.turn_deadline));
        Ok(self.drive(flow, session, machine, log, inputs, after))
    }

    fn drive<'a>(
        &'a self,
        flow: &'a dyn AgentFlow,
        session: &'a mut Session,
        machine: TurnMachine,
        log: TurnLog,
        inputs: Vec<Input>,
        after: u32,
    ) -> Run<'a> {
        let live = LiveTurn::new(log);
        let tail = live.tail(after);
        let environment = LiveEnvironment {
            live: Arc::clone(&live),
            stop: None,
            halt: None,
            budgets: self.settings.budgets.as_deref(),
            store: None,
            files: None,
            on_steered: None,
            on_asked: None,
            pins: None,
            clock: self.clock.as_ref(),
            sub_agents: None,
        };
        let tool_use = session.tools;
        let toolbox = move |offered| Toolbox::new(flow, &self.tools, tool_use, &self.settings, offered);
        let mut driver = Driver {
            machine,
            live: Arc::clone(&live),
            store: None,
            stop: None,
            settings: &self.settings,
            toolbox: toolbox(OfferedTools::default()),
            instructions: flow.instructions(session).map(Into::into),
            assembly: self.settings.pipeline(session.mode.as_deref()).map(|pipeline| Assembly {
                pipeline,
                mode: session.mode.clone(),
                agent: None,
                scope: None,
                cache: Some(&self.instructions),
            }),
            permissions: self.settings.permissions(session.mode.as_deref(), true),
            provider: self.provider.as_ref(),
            clock: self.clock.as_ref(),
            failpoints: Failpoints::default(),
            held: None,
            decided: Vec::new(),
            is_steered: false,
            has_partials: false,
            timings: None,
            window: None,
            is_chore: false,
            depth: 0,
            has_untrusted_prompt: false,
            environment,
            session,
        };
        let sources = &self.settings.sources;
        if sources.is_empty() {
            self.keep_grants(&mut driver, &inputs);
            return Run::new(Box::pin(driver.run_with(inputs)), tail);
        }
        let asked = async move {
            let offered = sources.ask(None).await;
            driver.toolbox = toolbox(offered);
            self.keep_grants(&mut driver, &inputs);
            driver.run_with(inputs).await
        };
        Run::new(Box::pin(asked), tail)
    }
}

/// Closes a turn that the host did not continue, so that every call in the transcript has a result.
fn close_open_turn(session: &mut Session) {
    let Some(open) = session.open_turn.take() else { return };
    session.history.reopen_turn(open.first_message);
    let log = TurnLog::new(session.id, open.turn, session.turns, open.fence);
    let log = log.resume_after(session.history.turn().cloned().collect(), open.last_seq);
    let stand_in = || TurnMachine::stand_in(Limits::default(), Timestamp::default(), &log, &[]);
    let mut machine = TurnMachine::restore(&open.machine).unwrap_or_else(|_| stand_in());
    let status = TurnStatus::Interrupted;
    let effects = machine.apply(&Input::Stop { status, error: None, partial: None, finished: Vec::new() });
    for message in effects.messages {
        session.history.push(Entry::new(message));
    }
    if let Some((_, usage)) = effects.end {
        session.usage.add(&usage);
    }
    session.history.end_turn();
}

/// Checks that the resolutions fit the waits of a turn.
fn check(machine: &TurnMachine, decisions: &[DecidedWait]) -> Result<(), ResumeError> {
    let waiting = machine.waiting();
    decisions.iter().try_for_each(|DecidedWait { id, resolution, .. }| {
        let Some((_, kind)) = waiting.iter().find(|(waiting, _)| waiting == id) else { return Ok(()) };
        let checked = check_resolution(*kind, machine.question(id.call), resolution);
        checked.map_err(|reason| ResumeError::Resolution { call: id.call, reason })
    })
}
