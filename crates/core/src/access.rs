//! The permissions of API keys and tokens.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::AgentReach;

/// The prefix of a scope that restricts its holder to an agent.
const AGENT: &str = "agent:";

/// A kind of request that a key or a token may permit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessScope {
    /// Starting, steering and cancelling turns; creating, changing and deleting sessions; uploading files.
    Chat,
    /// Reading sessions, turns, events, files and usage.
    Read,
    /// Deciding interactions, and revoking grants.
    Decide,
    /// Administering the server for a tenant: its keys, the data of its users, and the providers.
    Admin,
    /// Reading the metrics of the server, which cover all tenants.
    Metrics,
}

impl AccessScope {
    /// All scopes.
    pub const ALL: [Self; 5] = [Self::Chat, Self::Read, Self::Decide, Self::Admin, Self::Metrics];

    /// Returns the name of the scope.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Read => "read",
            Self::Decide => "decide",
            Self::Admin => "admin",
            Self::Metrics => "metrics",
        }
    }
}

impl fmt::Display for AccessScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The permissions of a key or a token: kinds of requests, and the agents with which it may start turns. Cloning shares
/// them.
///
/// ```
/// use turnkit_core::{AccessScope, AccessScopes};
///
/// let scopes: AccessScopes = "chat read agent:support".parse()?;
/// assert!(scopes.permits(AccessScope::Chat) && !scopes.permits(AccessScope::Admin));
/// assert!(scopes.permits_agent("support") && !scopes.permits_agent("billing"));
/// # Ok::<(), turnkit_core::InvalidAccessScope>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessScopes {
    /// The kinds of requests, in order, each once.
    kinds: Arc<[AccessScope]>,
    /// The permitted agents, in order, each once; empty if all are.
    agents: Arc<[Box<str>]>,
}

impl AccessScopes {
    /// Creates permissions for these kinds of requests, with all agents.
    pub fn from_kinds(kinds: impl IntoIterator<Item = AccessScope>) -> Self {
        Self::new(kinds.into_iter().collect(), Vec::new())
    }

    /// Reads names of scopes, and `agent:NAME` for an agent. Without a kind of requests, [the usual
    /// kinds](Self::default) are permitted.
    ///
    /// # Errors
    /// A name is unknown, or the name of an agent is empty, or contains white space or a control character.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self, InvalidAccessScope> {
        let (mut kinds, mut agents) = (Vec::new(), Vec::new());
        for name in names {
            match (known(name), name.strip_prefix(AGENT)) {
                (Some(kind), _) => kinds.push(kind),
                (None, Some(agent)) if is_agent_name(agent) => agents.push(agent.into()),
                (None, _) => return Err(InvalidAccessScope),
            }
        }
        Ok(Self::or_usual(kinds, agents))
    }

    /// Reads names of scopes from a token, whose issuer also names scopes of other servers. They are ignored, but a
    /// restriction to an agent always counts.
    pub fn parse_known<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let (mut kinds, mut agents) = (Vec::new(), Vec::new());
        for name in names {
            kinds.extend(known(name));
            agents.extend(name.strip_prefix(AGENT).map(Box::from));
        }
        Self::or_usual(kinds, agents)
    }

    /// Reports whether requests of this kind are permitted.
    pub fn permits(&self, scope: AccessScope) -> bool {
        self.kinds.contains(&scope)
    }

    /// Reports whether turns may be started with this agent.
    pub fn permits_agent(&self, agent: &str) -> bool {
        self.agents.is_empty() || self.agents.iter().any(|permitted| **permitted == *agent)
    }

    /// Returns the permitted agents; empty if all are.
    pub fn agents(&self) -> &[Box<str>] {
        &self.agents
    }

    /// Returns the agents whose turns may be steered and stopped: those with which turns may be started.
    pub fn reach(&self) -> AgentReach {
        match self.agents.is_empty() {
            true => AgentReach::default(),
            false => AgentReach::of(self.agents.iter().cloned()),
        }
    }

    /// Returns the names of the scopes, as [`parse`](Self::parse) reads them.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let kinds = self.kinds.iter().map(ToString::to_string);
        kinds.chain(self.agents.iter().map(|agent| format!("{AGENT}{agent}")))
    }

    fn or_usual(kinds: Vec<AccessScope>, agents: Vec<Box<str>>) -> Self {
        match kinds.is_empty() {
            true => Self { kinds: Self::default().kinds, ..Self::new(kinds, agents) },
            false => Self::new(kinds, agents),
        }
    }

    fn new(mut kinds: Vec<AccessScope>, mut agents: Vec<Box<str>>) -> Self {
        kinds.sort_unstable();
        kinds.dedup();
        agents.sort_unstable();
        agents.dedup();
        Self { kinds: kinds.into(), agents: agents.into() }
    }
}

/// The permissions of a key that names none: `chat`, `read` and `decide`, with all agents.
impl Default for AccessScopes {
    fn default() -> Self {
        Self::from_kinds([AccessScope::Chat, AccessScope::Read, AccessScope::Decide])
    }
}

/// Writes the names of the scopes, separated by spaces.
impl fmt::Display for AccessScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{name}")?;
        }
        Ok(())
    }
}

impl FromStr for AccessScopes {
    type Err = InvalidAccessScope;

    fn from_str(names: &str) -> Result<Self, InvalidAccessScope> {
        Self::parse(names.split_ascii_whitespace())
    }
}

/// The error for a name that is not that of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no such scope; scopes are chat, read, decide, admin, metrics, and agent:NAME with a name without white space")]
pub struct InvalidAccessScope;

fn known(name: &str) -> Option<AccessScope> {
    AccessScope::ALL.into_iter().find(|scope| scope.as_str() == name)
}

/// Reports whether a text that separates scopes by white space can name the agent.
fn is_agent_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_in_any_order_and_written_in_one() {
        for (text, written) in [
            ("", "chat read decide"),
            ("read", "read"),
            ("metrics read read admin", "read admin metrics"),
            ("agent:support", "chat read decide agent:support"),
            ("agent:b chat agent:a agent:b", "chat agent:a agent:b"),
        ] {
            let scopes: AccessScopes = text.parse().unwrap();
            assert_eq!(scopes.to_string(), written, "{text}");
            assert_eq!(written.parse(), Ok(scopes), "{text}");
        }
    }

    #[test]
    fn a_name_that_is_not_a_scope_is_rejected() {
        for name in ["", "Chat", "chat ", "write", "agent", "agent:", "agent:a b", "agent:a\u{7}", "Agent:a"] {
            assert_eq!(AccessScopes::parse([name]), Err(InvalidAccessScope), "{name:?}");
        }
    }

    #[test]
    fn a_token_may_name_scopes_of_other_servers() {
        for (names, read) in [
            (&["openid", "profile"][..], "chat read decide"),
            (&["openid", "read"], "read"),
            (&["email", "agent:support"], "chat read decide agent:support"),
        ] {
            assert_eq!(AccessScopes::parse_known(names.iter().copied()).to_string(), read, "{names:?}");
        }
        let nothing = AccessScopes::parse_known(["agent:"]);
        assert!(!nothing.permits_agent("support"), "a restriction to no agent permits none");
    }

    #[test]
    fn agents_are_restricted_only_if_one_is_named() {
        let (all, one) = (AccessScopes::default(), AccessScopes::parse(["agent:support"]).unwrap());
        assert!(all.permits_agent("support") && all.permits_agent("billing"));
        assert!(one.permits_agent("support") && !one.permits_agent("billing"));
    }
}
