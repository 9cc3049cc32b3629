//! The agent of a turn, and whether its message may reach a running one, if its caller may use only some agents.

use turnkit_core::{AcceptError, BusyPolicy, SessionKey, TurnId};

use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};

/// Returns the agent of a turn in `session`. For callers that may use every agent, that is the requested one, if any:
/// the service chooses otherwise. Other callers get the requested agent, else that of the session, else the first that
/// they may use.
pub(crate) async fn for_session(
    app: &App,
    principal: &Principal,
    session: &SessionKey,
    requested: Option<String>,
) -> Result<Option<String>, ApiError> {
    if principal.access.agents().is_empty() {
        return Ok(requested);
    }
    let agent = match requested {
        Some(agent) => Some(agent),
        None => app.service.session_agent(&principal.scope, session).await?,
    };
    choose(app, principal, agent).map(Some)
}

/// Like [`for_session`], for a turn beside `turn`, whose agent answers unless another one is requested.
pub(crate) async fn beside(
    app: &App,
    principal: &Principal,
    turn: TurnId,
    requested: Option<String>,
) -> Result<Option<String>, ApiError> {
    if principal.access.agents().is_empty() {
        return Ok(requested);
    }
    let agent = match requested {
        Some(agent) => agent,
        None => app.store.turn(&principal.scope, turn).await?.agent.into(),
    };
    choose(app, principal, Some(agent)).map(Some)
}

/// Returns how a message for `agent` is handled in a busy session: as requested, except that it does not steer the
/// running turn if its caller may use only some agents. That turn may be of another agent.
pub(crate) fn busy_policy(
    app: &App,
    principal: &Principal,
    agent: Option<&str>,
    requested: Option<BusyPolicy>,
) -> Option<BusyPolicy> {
    if principal.access.agents().is_empty() {
        return requested;
    }
    match requested.or_else(|| app.service.busy_policy(agent?)) {
        Some(BusyPolicy::Steer) => Some(BusyPolicy::Enqueue),
        _ => requested,
    }
}

/// Returns the requested agent, or else the first that the caller may use.
pub(crate) fn choose(app: &App, principal: &Principal, requested: Option<String>) -> Result<String, ApiError> {
    let agents = &app.settings.agents;
    let permitted = || agents.iter().filter(|agent| principal.access.permits_agent(agent));
    let Some(agent) = requested else {
        let first = permitted().next().cloned();
        return first.ok_or_else(|| match agents.is_empty() {
            true => AcceptError::NoAgent { agents: Vec::new() }.into(),
            false => ApiError::new(ErrorCode::Forbidden, "the key or token permits none of the agents of this server"),
        });
    };
    if !agents.contains(&agent) {
        // The names of other agents are not the caller's concern.
        return Err(AcceptError::NoAgent { agents: permitted().cloned().collect() }.into());
    }
    if !principal.access.permits_agent(&agent) {
        let message = format!("agent: the key or token lacks the scope `agent:{agent}`");
        return Err(ApiError::new(ErrorCode::Forbidden, message));
    }
    Ok(agent)
}
