//! The turn as a pure state machine. It decides the next step, and the effects of the step's outcome.
//!
//! The machine never waits and never does I/O. [`TurnMachine::next`] returns the next step for the driver.
//! [`TurnMachine::apply`] takes the outcome and returns the [`Effects`] to write. The machine holds counters and the
//! state of the running calls, not the transcript, so its JSON form is a few hundred bytes however long the session is.
//! There is one exception: an answer that was cut off because the process stopped, or its saved text, stays in the
//! machine until another answer replaces it.
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
pub use input::{FinishedCall, Input, InterruptedCall, Plan, Resumption, Verdict};
use input::{HEADLESS, NO_APPROVER};
pub use limits::{Limits, OnLimit, OnStreamFailure};
pub(crate) use state::Approval;
use state::{Call, CallStatus, State};
pub use state::{CallKind, ToolRequest};
pub use title::TitleOutcome;
pub(crate) use title::{TITLE_FAILED, TITLED};

use crate::budget::LimitedQuantity;

/// The version of the machine's JSON form.
const VERSION: u16 = 1;
/// The code of the notice that an answer is requested again.
pub(crate) const REDONE: &str = "redone";

/// The state machine of one turn.
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
    /// How often an answer of the running step was withdrawn and requested again.
    #[serde(default, skip_serializing_if = "is_default")]
    redos: u16,
    /// Whether a request of the running step was rejected as too large.
    #[serde(default, skip_serializing_if = "is_default")]
    overflowed: bool,
    /// The compactions before the turn's steps.
    #[serde(default, skip_serializing_if = "is_default")]
    compactions: Compactions,
    /// The number of deaths since the last boundary whose lost calls are accounted for.
    #[serde(default, skip_serializing_if = "is_default")]
    counted_deaths: u32,
    /// Whether any call of the turn has ever waited for a decision.
    #[serde(default, skip_serializing_if = "is_default")]
    has_waited: bool,
    /// Whether the model was sent instructions with untrusted text.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "is_tainted")]
    has_untrusted_instructions: bool,
    /// The usage of the sub-agents that the turn started.
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "below")]
    children_usage: Usage,
    /// Detects that the turn's calls make no progress.
    #[serde(default, skip_serializing_if = "is_default")]
    guard: Guard,
    /// The output of an attempt at the running step when its process stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unfinished: Option<UnfinishedAnswer>,
    /// The limits that the user was warned of, so that the next owner of the turn does not repeat the warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warned: Vec<LimitedQuantity>,
    /// The purpose of the turn.
    #[serde(default, skip_serializing_if = "TurnKind::is_message")]
    kind: TurnKind,
}

/// The next step for the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Call the model.
    CallModel {
        /// The number of the step, from 1.
        step: u16,
        /// The number of the attempt at the step, from 1.
        attempt: u16,
        /// Whether the model may call tools.
        tools: bool,
    },
    /// Summarise earlier messages.
    Compact {
        /// Always the first step.
        step: u16,
        /// The number of the attempt at the step, from 1.
        attempt: u16,
    },
    /// Write a title of the session.
    WriteTitle {
        /// Always the first step.
        step: u16,
        /// The number of the attempt at the step, from 1.
        attempt: u16,
    },
    /// Run these calls of the last answer, in this order. The list is empty if all calls were refused.
    RunTools(Vec<CallUid>),
    /// Wait until these calls are decided.
    Await(Vec<CallUid>),
    /// The deadline has passed: stop the turn.
    Expire,
    /// Nothing: the turn has ended.
    Done(TurnStatus),
}

/// A stored machine that this version cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this turn was written by an incompatible version: {0}")]
pub struct IncompatibleMachine(String);

impl TurnMachine {
    /// Creates a turn that has not begun and must end by `deadline`.
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
            has_untrusted_instructions: false,
            children_usage: Usage::default(),
            guard: Guard::default(),
            unfinished: None,
            warned: Vec::new(),
            kind: TurnKind::Message,
        }
    }

    /// Returns the turn with another purpose.
    #[must_use]
    pub fn with_kind(self, kind: TurnKind) -> Self {
        Self { kind, ..self }
    }

    /// Reads a stored machine.
    ///
    /// # Errors
    /// The machine was written by an incompatible version.
    pub fn restore(stored: &RawJson) -> Result<Self, IncompatibleMachine> {
        #[derive(Deserialize)]
        struct Head {
            version: u16,
        }
        let head: Head = stored.read().map_err(|error| IncompatibleMachine(error.to_string()))?;
        if head.version != VERSION {
            return Err(IncompatibleMachine(format!("machine version {}, expected {VERSION}", head.version)));
        }
        stored.read().map_err(|error| IncompatibleMachine(error.to_string()))
    }

    /// Returns the stored form of the machine.
    ///
    /// # Errors
    /// Never fails for a machine made by [`new`](Self::new); the signature leaves room for errors of serde.
    pub fn store(&self) -> Result<RawJson, serde_json::Error> {
        RawJson::of(self)
    }

    /// Returns the next step. Calling it twice returns the same step.
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

    /// Returns the turn with another deadline, so that the time it waited is not counted.
    #[must_use]
    pub fn with_deadline(self, deadline: Timestamp) -> Self {
        Self { deadline, ..self }
    }

    /// Returns the usage of the turn's steps so far.
    pub fn usage(&self) -> &Usage {
        &self.usage
    }

    /// Returns the usage so far of the turn and of the sub-agents that it started.
    pub fn usage_with_children(&self) -> Usage {
        let mut usage = self.usage.clone();
        usage.add(&self.children_usage);
        usage
    }

    /// Returns the time by which the turn must end.
    pub fn deadline(&self) -> Timestamp {
        self.deadline
    }

    /// Returns the number of the attempt at the running step, from 1.
    pub fn attempt(&self) -> u16 {
        self.attempt
    }

    /// Reports whether a request of the running step was rejected as too large, and sent again with fewer messages.
    pub(crate) fn has_overflowed(&self) -> bool {
        self.overflowed
    }

    /// Records that the model is sent instructions with untrusted text. Calls of the turn are judged by this even
    /// after a restart, when the instructions are not assembled yet.
    pub(crate) fn record_untrusted_instructions(&mut self) {
        self.has_untrusted_instructions = true;
    }

    /// Reports whether the model was sent instructions with untrusted text.
    pub(crate) fn has_untrusted_instructions(&self) -> bool {
        self.has_untrusted_instructions
    }

    /// Returns how many deaths of the turn's processes since the last boundary are already accounted for.
    pub fn counted_deaths(&self) -> u32 {
        self.counted_deaths
    }

    /// Returns the number of the running step, from 1.
    pub fn step(&self) -> u16 {
        self.step
    }

    /// Returns `true` if the turn has ended.
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
