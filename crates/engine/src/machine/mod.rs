//! The turn as a pure machine: what to do next, and what follows from what was done.
//!
//! It never waits and never does I/O. [`TurnMachine::next`] says what the driver should do, [`TurnMachine::apply`] takes
//! what came of it and gives the [`Effects`] to write. It holds counters and the state of the running calls, not the
//! transcript, so its JSON form is a few hundred bytes however long the session is. One exception: an answer that was cut
//! because the process stopped, or what was saved of one, stays in the machine until another one takes its place.
//!
//! ```
//! use turnkit_core::{Answer, FinishReason, Part, Timestamp, TurnStatus, Usage};
//! use turnkit_engine::machine::{Input, Limits, Step, TurnMachine};
//!
//! let mut machine = TurnMachine::new(Limits::default(), Timestamp::from_millis(60_000));
//! assert_eq!(machine.next(Timestamp::default()), Step::CallModel { step: 1, attempt: 1, tools: true });
//!
//! let parts = vec![Part::text("Hello!")];
//! let answer = Answer { parts, finish: FinishReason::Stop, usage: Usage::default(), cut: vec![] };
//! let effects = machine.apply(&Input::Answered { answer, plans: vec![] });
//! assert_eq!(effects.end.map(|(status, _)| status), Some(TurnStatus::Completed));
//! ```

mod apply;
mod binding;
mod compact;
mod effects;
mod guard;
mod handover;
mod input;
mod limits;
mod rounds;
mod stand_in;
mod state;
mod steering;
mod title;
mod waits;

use serde::{Deserialize, Serialize};
use turnkit_core::{CallUid, RawJson, Timestamp, TurnKind, TurnStatus, Usage};

pub(crate) use binding::{Binding, hash_of_schema};
pub use compact::Compaction;
use compact::Compactions;
pub(crate) use compact::{COMPACTION_FAILED, NOTHING_TO_COMPACT, STOPPED};
pub use effects::Effects;
use guard::Guard;
use handover::UnfinishedAnswer;
use input::NO_APPROVER;
pub use input::{CutCall, Finished, Input, Plan, Resumption, Verdict};
pub use limits::{Limits, OnLimit, OnStreamFailure};
pub(crate) use state::Approval;
pub use state::{Asks, CallKind};
use state::{Call, CallStatus, State};
pub use title::Titled;
pub(crate) use title::{TITLE_FAILED, TITLED};

use crate::budget::Limited;

/// The version of the machine's JSON form.
const VERSION: u16 = 1;
/// The word of the notice that an answer is asked for again.
pub(crate) const REDONE: &str = "redone";

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnMachine {
    version: u16,
    state: State,
    step: u16,
    attempt: u16,
    calls_made: u32,
    /// Whether this is the last step, to be answered without tools.
    closing: bool,
    limits: Limits,
    deadline: Timestamp,
    usage: Usage,
    /// How often an answer of the running step was withdrawn and asked for again.
    #[serde(default, skip_serializing_if = "is_default")]
    redos: u16,
    /// Whether a request of the running step was refused as too large.
    #[serde(default, skip_serializing_if = "is_default")]
    overflowed: bool,
    /// The compactions before its steps.
    #[serde(default, skip_serializing_if = "is_default")]
    compactions: Compactions,
    /// Deaths since the last boundary whose lost calls are accounted for.
    #[serde(default, skip_serializing_if = "is_default")]
    counted_deaths: u32,
    /// Whether a call of it was ever to be decided.
    #[serde(default, skip_serializing_if = "is_default")]
    has_waited: bool,
    /// Whether its model was sent instructions with text from outside.
    #[serde(default, skip_serializing_if = "is_default")]
    is_tainted: bool,
    /// What the sub-agents that it started consumed.
    #[serde(default, skip_serializing_if = "is_default")]
    below: Usage,
    /// Notices that its calls lead nowhere.
    #[serde(default, skip_serializing_if = "is_default")]
    guard: Guard,
    /// What an attempt at the running step had said when its process stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unfinished: Option<UnfinishedAnswer>,
    /// What the user was warned of: whoever goes on with the turn does not say it again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warned: Vec<Limited>,
    /// The purpose of the turn.
    #[serde(default, skip_serializing_if = "TurnKind::is_message")]
    kind: TurnKind,
}

/// What the driver should do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ask the model.
    CallModel {
        /// Which step, from 1.
        step: u16,
        /// Which attempt at it, from 1.
        attempt: u16,
        /// Whether it may call tools.
        tools: bool,
    },
    /// Summarise earlier messages.
    Compact {
        /// Always the first step.
        step: u16,
        /// Which attempt at it, from 1.
        attempt: u16,
    },
    /// Write a title of the session.
    WriteTitle {
        /// Always the first step.
        step: u16,
        /// Which attempt at it, from 1.
        attempt: u16,
    },
    /// Run these calls of the last answer, in this order. None: all were refused.
    RunTools(Vec<CallUid>),
    /// Wait until these calls are decided.
    Await(Vec<CallUid>),
    /// Time is up: stop the turn.
    Expire,
    /// Nothing: the turn is over.
    Done(TurnStatus),
}

/// A stored machine that this version cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this turn was written by an incompatible version: {0}")]
pub struct IncompatibleMachine(String);

impl TurnMachine {
    /// A turn that has not begun and must be over by `deadline`.
    pub fn new(limits: Limits, deadline: Timestamp) -> Self {
        // The step after the last round must have a number too.
        let limits = Limits { max_rounds: limits.max_rounds.min(u16::MAX - 1), ..limits };
        Self {
            version: VERSION,
            state: State::Ready,
            step: 1,
            attempt: 1,
            calls_made: 0,
            closing: false,
            limits,
            deadline,
            usage: Usage::default(),
            redos: 0,
            overflowed: false,
            compactions: Compactions::default(),
            counted_deaths: 0,
            has_waited: false,
            is_tainted: false,
            below: Usage::default(),
            guard: Guard::default(),
            unfinished: None,
            warned: Vec::new(),
            kind: TurnKind::Message,
        }
    }

    /// The same turn with another purpose.
    #[must_use]
    pub fn with_kind(self, kind: TurnKind) -> Self {
        Self { kind, ..self }
    }

    /// Reads a stored machine.
    ///
    /// # Errors
    /// It was written by a version this one does not understand.
    pub fn restore(stored: &RawJson) -> Result<Self, IncompatibleMachine> {
        #[derive(Deserialize)]
        struct Head {
            version: u16,
        }
        let head: Head = stored.read().map_err(|error| IncompatibleMachine(error.to_string()))?;
        if head.version != VERSION {
            return Err(IncompatibleMachine(format!("journal version {}, expected {VERSION}", head.version)));
        }
        stored.read().map_err(|error| IncompatibleMachine(error.to_string()))
    }

    /// Its stored form.
    ///
    /// # Errors
    /// Never for a machine made by [`new`](Self::new); the signature leaves room for what serde may refuse.
    pub fn store(&self) -> Result<RawJson, serde_json::Error> {
        RawJson::of(self)
    }

    /// What to do now. Asking twice gives the same answer.
    pub fn next(&self, now: Timestamp) -> Step {
        match &self.state {
            State::Ended { status } => Step::Done(*status),
            State::Tools { .. } if self.waits() => Step::Await(self.undecided()), // waiting takes none of the turn's time
            _ if now >= self.deadline => Step::Expire,
            State::Ready if self.kind == TurnKind::Compact => Step::Compact { step: self.step, attempt: self.attempt },
            State::Ready if self.kind == TurnKind::Title => Step::WriteTitle { step: self.step, attempt: self.attempt },
            State::Ready => Step::CallModel { step: self.step, attempt: self.attempt, tools: !self.closing },
            State::Tools { calls } => Step::RunTools(pick(calls, |status| matches!(status, CallStatus::Started))),
        }
    }

    /// The same turn with another deadline: the time it waited is not counted.
    #[must_use]
    pub fn with_deadline(self, deadline: Timestamp) -> Self {
        Self { deadline, ..self }
    }

    /// What its steps consumed by now.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// What it and the sub-agents that it started consumed by now.
    pub fn usage_with_children(&self) -> Usage {
        let mut usage = self.usage.clone();
        usage.add(&self.below);
        usage
    }

    /// When the turn must be over.
    pub fn deadline(&self) -> Timestamp {
        self.deadline
    }

    /// The attempt at the running step, from 1.
    pub fn attempt(&self) -> u16 {
        self.attempt
    }

    /// Whether a request of the running step was refused as too large, and made again from fewer messages.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Records that the model is sent instructions with text from outside. Calls of the turn are judged by it also after a
    /// restart, when the instructions are not assembled yet.
    pub(crate) fn taint(&mut self) {
        self.is_tainted = true;
    }

    /// Reports whether the model was sent instructions with text from outside.
    pub(crate) fn is_tainted(&self) -> bool {
        self.is_tainted
    }

    /// How many deaths of its processes since the last boundary are accounted for already.
    pub fn counted_deaths(&self) -> u32 {
        self.counted_deaths
    }

    /// The step that runs, from 1.
    pub fn step(&self) -> u16 {
        self.step
    }

    /// Whether the turn is over.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended { .. })
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn pick(calls: &[Call], wanted: impl Fn(&CallStatus) -> bool) -> Vec<CallUid> {
    calls.iter().filter(|call| wanted(&call.status)).map(|call| call.uid).collect()
}
