//! The stored form of the log: references instead of text.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{Fence, Part, Recorded, Str, Timestamp, ToolDefinition, TraceId, Usage};

/// A section of the log that became durable in one checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// The fence under which the chunk was written.
    pub fence: Fence,
    /// The number of its first event.
    pub from_seq: u32,
    /// The number of its last event; one less than `from_seq` if the chunk has no events.
    pub to_seq: u32,
    /// The entries, in order.
    pub entries: Vec<LogEntry>,
}

impl Chunk {
    /// Returns the model calls that ended in this chunk: provider, model and usage. A call that was lost with its
    /// process has [`LOST`] as its provider and model.
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

/// The provider and model of a call that was lost with its process. The log does not record which provider was called.
pub const LOST: Str = Str::const_new("unknown");

/// One entry of the log. An attempt stands for many events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// When the entry was written.
    pub at: Timestamp,
    /// The kind of the entry, with its data.
    #[serde(rename = "is")]
    pub kind: Recorded,
}

impl LogEntry {
    /// Returns the caller's trace, if this is the first entry of a turn whose client sent one.
    pub fn trace(&self) -> Option<TraceId> {
        match &self.kind {
            Recorded::TurnStarted { trace, .. } => *trace,
            _ => None,
        }
    }

    /// Returns the number of bytes of text that the entry itself holds, as opposed to the messages.
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

    /// Returns the number of events that this entry stands for.
    pub fn events(&self) -> u32 {
        match &self.kind {
            Recorded::Attempt { timeline, .. } => 1 + timeline.events(),
            _ => 1,
        }
    }
}
