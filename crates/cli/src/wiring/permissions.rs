//! Explanation of the permission decision about a call.

use std::sync::Arc;

use turnkit_core::{Arguments, Subject, ToolErrorKind};
use turnkit_engine::permission::Reason;
use turnkit_engine::{Explanation, SystemClock};
use turnkit_net::{Reach, Target};
use turnkit_tools::FetchUrl;

use super::agents::{AvailableTools, build_agent};
use super::missing_tool::why_missing;
use super::tools::available_tools;
use crate::config::{AgentConfig, Resolved};

/// The decision about a call, with the rule that makes it.
pub(crate) struct Explained {
    pub(crate) explanation: Explanation,
    /// The number of the deciding rule among all rules of the configuration, from 1.
    pub(crate) rule: Option<usize>,
    /// Why the call fails even if it may run, if that is certain.
    pub(crate) fails: Option<String>,
}

impl Explained {
    /// Returns the reason, as a sentence.
    pub(crate) fn because(&self) -> String {
        self.explanation.judgement.to_string()
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
    let available = AvailableTools { tools: &tools, servers: &[] };
    let explained = build_agent(agent, config, folder, &available).explain(tool, arguments, mode, untrusted);
    let explanation = explained.map_err(|(kind, why)| match kind {
        ToolErrorKind::UnknownTool => (kind, why_missing(tool, agent, config).unwrap_or(why)),
        _ => (kind, why),
    })?;
    let rule = match explanation.judgement.reason {
        Reason::Rule(index) => Some(index + 1),
        _ => None,
    };
    let fails = failure(tool, &explanation.subject);
    Ok(Explained { explanation, rule, fails })
}

/// Returns why a call fails even if it may run, if the host alone makes that certain.
fn failure(tool: &str, subject: &Subject) -> Option<String> {
    let Subject::Url(url) = subject else { return None };
    let target = Target::new(url).ok().filter(|_| tool == FetchUrl::NAME)?;
    let host = target.host();
    let is_excluded = Reach::Public.excludes(host);
    is_excluded.then(|| format!("{host} is not public, and `{tool}` connects to public addresses only"))
}
