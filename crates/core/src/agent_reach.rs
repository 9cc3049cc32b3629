//! The agents whose turns a message may affect.

use std::sync::Arc;

/// The agents whose turns a message may steer or stop. By default, these are all agents.
///
/// ```
/// use turnkit_core::AgentReach;
///
/// assert!(AgentReach::default().covers("support"));
/// let limited = AgentReach::of(["billing".into()]);
/// assert!(limited.covers("billing") && !limited.covers("support"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AgentReach(Option<Arc<[Box<str>]>>);

impl AgentReach {
    /// Limits a message to turns of these agents.
    pub fn of(agents: impl IntoIterator<Item = Box<str>>) -> Self {
        Self(Some(agents.into_iter().collect()))
    }

    /// Reports whether the message may steer and stop turns of this agent.
    pub fn covers(&self, agent: &str) -> bool {
        self.0.as_ref().is_none_or(|agents| agents.iter().any(|covered| **covered == *agent))
    }

    /// Reports whether there may be agents that it does not cover.
    pub fn is_limited(&self) -> bool {
        self.0.is_some()
    }
}
