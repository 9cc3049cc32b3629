//! What callers that may use only some agents may do: start turns of these agents, and stop only their turns.

use turnkit_core::ports::UnfinishedTurns;
use turnkit_core::{AcceptError, SessionId, SessionKey, TurnId};

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

/// Checks that the caller may stop `turn`: it must be one of an agent that the caller may use. Messages of the caller
/// stop and steer only such turns because of their [reach](turnkit_core::AccessScopes::reach).
pub(crate) async fn check_stop(app: &App, principal: &Principal, turn: TurnId) -> Result<(), ApiError> {
    if principal.access.agents().is_empty() {
        return Ok(());
    }
    check(principal, &app.store.turn(&principal.scope, turn).await?.agent)
}

/// Checks that the caller may stop the unfinished turns of `session`, as its deletion does.
pub(crate) async fn check_stop_all(app: &App, principal: &Principal, session: SessionId) -> Result<(), ApiError> {
    if principal.access.agents().is_empty() {
        return Ok(());
    }
    let UnfinishedTurns { active, queue } = app.store.unfinished_turns(&principal.scope, session).await?;
    for turn in active.into_iter().chain(queue) {
        match check_stop(app, principal, turn).await {
            // It was dropped from the queue meanwhile.
            Err(error) if error.code() == ErrorCode::NotFound => {}
            checked => checked?,
        }
    }
    Ok(())
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
    check(principal, &agent)?;
    Ok(agent)
}

/// Checks that the caller may use an agent.
fn check(principal: &Principal, agent: &str) -> Result<(), ApiError> {
    if principal.access.permits_agent(agent) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::Forbidden, format!("agent: the key or token lacks the scope `agent:{agent}`")))
}
