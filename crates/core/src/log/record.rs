//! The log as it is stored: references instead of text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Fence, Part, Recorded, Str, Timestamp, ToolDefinition, TraceId, Usage};

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
            Recorded::Compacted { provider: Some(provider), model: Some(model), usage, .. } => {
                Some((provider.clone(), model.clone(), Cow::Borrowed(&**usage)))
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

impl LogEntry {
    /// The caller's trace, if this is the first entry of a turn whose client named one.
    pub fn trace(&self) -> Option<TraceId> {
        match &self.kind {
            Recorded::TurnStarted { trace, .. } => *trace,
            _ => None,
        }
    }

    /// How many bytes of text it holds, which no message does.
    pub(super) fn text_bytes(&self) -> usize {
        match &self.kind {
            Recorded::TurnStarted { route, params, mode, client_tools, lineage, .. } => {
                let of_params = params.as_ref().map_or(0, |params| params.text_bytes());
                route.as_ref().map_or(0, |route| route.text_bytes())
                    + of_params
                    + mode.as_ref().map_or(0, |mode| mode.len())
                    + client_tools.iter().map(ToolDefinition::text_bytes).sum::<usize>()
                    + lineage.as_ref().map_or(0, |lineage| lineage.text_bytes())
            }
            Recorded::Attempt { withdrawn, .. } => withdrawn.iter().map(Part::text_bytes).sum(),
            Recorded::Notice { text, .. } => text.len(),
            Recorded::InteractionRequested { reason, preview, question, child, .. } => {
                let asked = question.as_ref().map_or(0, |question| question.text_bytes());
                reason.len()
                    + preview.as_ref().map_or(0, String::len)
                    + asked
                    + child.as_ref().map_or(0, |child| child.agent.len())
            }
            Recorded::InteractionResolved { resolution, .. } => resolution.text_bytes(),
            Recorded::Error { message, .. } => message.len(),
            Recorded::Compacted { failure, .. } => failure.as_ref().map_or(0, String::len),
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
