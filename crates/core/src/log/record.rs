//! The log as it is stored: references instead of text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    CallUid, ErrorScope, Fence, FinishReason, Flow, Part, Str, Timestamp, TurnId, TurnRoute, TurnStatus, Usage,
};

/// A run of the log that became durable in one checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// Who wrote it.
    pub fence: Fence,
    /// Its first event.
    pub from_seq: u32,
    /// Its last event; one less than `from_seq` if there is none.
    pub to_seq: u32,
    /// What happened.
    pub entries: Vec<LogEntry>,
}

impl Chunk {
    /// The model calls that ended in it: provider, model, and what the call consumed. A call that was lost with its process
    /// has [`LOST`] for both.
    pub fn calls(&self) -> impl Iterator<Item = (Str, Str, Cow<'_, Usage>)> {
        let mut asked = None;
        let ended = self.entries.iter().filter_map(move |entry| match &entry.kind {
            Recorded::Attempt { provider, model, .. } => {
                asked = Some((provider, model));
                None
            }
            Recorded::StepEnded { usage, .. } => {
                asked.take().map(|(provider, model)| (provider.clone(), model.clone(), Cow::Borrowed(usage)))
            }
            _ => None,
        });
        let lost = self.entries.iter().flat_map(|entry| match &entry.kind {
            Recorded::Retracted { lost_calls, .. } => 0..*lost_calls,
            _ => 0..0,
        });
        ended.chain(lost.map(|_| (LOST, LOST, Cow::Owned(Usage::unmetered()))))
    }
}

/// The provider and the model of a call that was lost with its process: the log does not say who was asked.
pub const LOST: Str = Str::const_new("unknown");

/// One thing that happened; an attempt stands for many events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(rename = "is")]
    pub kind: Recorded,
}

/// What happened, without the text, which the turn's messages hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recorded {
    /// The turn was accepted; its input is the turn's first message.
    TurnStarted {
        /// The agent that answers.
        agent: String,
        /// The turn that asked for this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<TurnId>,
        /// Who is to answer, if the client said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        route: Option<Box<TurnRoute>>,
    },
    /// A model call answered: its start, and all that its parts showed.
    Attempt {
        /// The step.
        step: u16,
        /// Who answered.
        provider: Str,
        /// With which model.
        model: Str,
        /// Order and lengths of the pieces.
        flow: Flow,
        /// Which message of the turn holds the text, from 0; none if nothing was said, or what was said does not count.
        message: Option<u32>,
        /// What was said and does not count: no message holds it, and whoever saw it must see the same again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<Part>,
    },
    /// A model call is over.
    StepEnded {
        /// The step.
        step: u16,
        /// Why the model stopped.
        finish: FinishReason,
        /// What the call consumed.
        usage: Usage,
    },
    /// A call is about to run.
    ToolStarted {
        /// The call.
        uid: CallUid,
    },
    /// A call gave data for the client.
    Data {
        /// The call, whose result holds the payload.
        uid: CallUid,
    },
    /// A call is over.
    ToolFinished {
        /// The call.
        uid: CallUid,
        /// How long it ran, in milliseconds.
        ms: u64,
    },
    /// Something the user should know.
    Notice {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        text: String,
    },
    /// What a dead attempt showed does not count.
    Retracted {
        /// The first event that does not count.
        from_seq: u32,
        /// Which attempt follows.
        attempt: u16,
        /// How many model calls were lost with it: what they consumed is unknown.
        #[serde(default, skip_serializing_if = "is_zero")]
        lost_calls: u32,
    },
    /// Something went wrong.
    Error {
        /// A word for programs.
        code: String,
        /// A sentence for people.
        message: String,
        /// Whether trying again may help.
        retryable: bool,
        /// What it is about.
        scope: ErrorScope,
    },
    /// The turn is over; its text is that of its assistant messages.
    TurnEnded {
        /// How.
        status: TurnStatus,
        /// What the turn consumed.
        usage: Usage,
        /// How many model calls it took.
        steps: u16,
    },
}

impl LogEntry {
    /// How many bytes of text it holds, which no message does.
    pub(super) fn text_bytes(&self) -> usize {
        match &self.kind {
            Recorded::TurnStarted { route: Some(route), .. } => route.text_bytes(),
            Recorded::Attempt { withdrawn, .. } => withdrawn.iter().map(Part::text_bytes).sum(),
            Recorded::Notice { text, .. } => text.len(),
            Recorded::Error { message, .. } => message.len(),
            _ => 0,
        }
    }

    /// How many events this entry is.
    pub fn events(&self) -> u32 {
        match &self.kind {
            Recorded::Attempt { flow, .. } => 1 + flow.events(),
            _ => 1,
        }
    }
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}
