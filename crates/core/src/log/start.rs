//! The settings of a turn, from the first entry of its log.

use std::sync::Arc;

use super::TurnLog;
use crate::{Lineage, Recorded, SamplingParams, ToolDefinition, ToolUse, TraceId, TurnId, TurnKind, TurnRoute};

impl TurnLog {
    /// Returns the agent that answers.
    pub fn agent(&self) -> &str {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { agent, .. }) => agent,
            _ => "",
        }
    }

    /// Returns the provider and model that the client requested for this turn, if any.
    pub fn route(&self) -> Option<&TurnRoute> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { route, .. } => route.as_deref(),
            _ => None,
        }
    }

    /// Returns the sampling settings that the client sent for this turn, if any.
    pub fn params(&self) -> Option<&SamplingParams> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { params, .. } => params.as_deref(),
            _ => None,
        }
    }

    /// Returns whether the turn may use tools, if the client set that.
    pub fn tools(&self) -> Option<ToolUse> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { tools, .. } => *tools,
            _ => None,
        }
    }

    /// Returns the mode that the client selected for this turn, if any.
    pub fn mode(&self) -> Option<&str> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { mode, .. } => mode.as_deref(),
            _ => None,
        }
    }

    /// Returns the tools that the client runs itself.
    pub fn client_tools(&self) -> Arc<[ToolDefinition]> {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { client_tools, .. }) => Arc::clone(client_tools),
            _ => Arc::default(),
        }
    }

    /// Returns the parent turn and the inherited data, if this is a sub-agent turn.
    pub fn lineage(&self) -> Option<(TurnId, &Lineage)> {
        match &self.slots.first()?.entry.kind {
            Recorded::TurnStarted { parent: Some(parent), lineage: Some(lineage), .. } => Some((*parent, lineage)),
            _ => None,
        }
    }

    /// Returns the caller's trace, if the client sent one.
    pub fn caller_trace(&self) -> Option<TraceId> {
        self.slots.first()?.entry.trace()
    }

    /// Returns the purpose of the turn.
    pub fn kind(&self) -> TurnKind {
        match self.slots.first().map(|slot| &slot.entry.kind) {
            Some(Recorded::TurnStarted { kind, .. }) => *kind,
            _ => TurnKind::Message,
        }
    }
}
