//! Explanation of the permission decision about a call.

use std::sync::Arc;

use turnkit_core::{Arguments, ToolErrorKind};
use turnkit_engine::permission::Reason;
use turnkit_engine::{Explanation, SystemClock};

use super::agents::build_agent;
use super::tools::available_tools;
use crate::config::{AgentConfig, Resolved};

/// The decision about a call, with the rule that makes it.
pub(crate) struct Explained {
    pub(crate) explanation: Explanation,
    /// The number of the deciding rule among all rules of the configuration, from 1.
    pub(crate) rule: Option<usize>,
}

impl Explained {
    /// Returns the reason, as a sentence.
    pub(crate) fn because(&self) -> String {
        let reason = self.explanation.judgement.reason;
        self.rule.map_or_else(|| reason.to_string(), |rule| format!("rule {rule} says so"))
    }
}

/// Explains the decision about an agent's call in a mode. The error is the reason why no rule decides it.
pub(crate) fn explain(
    resolved: &Resolved,
    agent: &AgentConfig,
    (tool, arguments): (&str, &Arguments),
    mode: Option<&str>,
    untrusted: bool,
) -> Result<Explained, (ToolErrorKind, String)> {
    let Resolved { config, folder, .. } = resolved;
    let tools = available_tools(resolved, Arc::new(SystemClock));
    let explanation = build_agent(agent, config, folder, &tools).explain(tool, arguments, mode, untrusted)?;
    let rule = match explanation.judgement.reason {
        Reason::Rule(place) => Some(place + 1),
        _ => None,
    };
    Ok(Explained { explanation, rule })
}
