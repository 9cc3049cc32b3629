//! The beginning of a call: it starts a turn, or continues one with the answers to its questions.

use std::fmt::Display;

use serde_json::json;
use sha2::{Digest, Sha256};
use turnkit_core::ports::WaitPage;
use turnkit_core::{
    AccessScope, ClientCaps, Idempotency, Message, Resolution, SessionKey, StoreError, TurnId, TurnView, WaitId,
};
use turnkit_engine::{FollowFrom, ResolveError, TurnFeed, TurnRequest, check_resolution};

use super::arguments::{self, Arguments, CallParams, InputResponse};
use super::call::{Abandonment, Call};
use super::continuation::Continuation;
use super::elicitation;
use super::fault::{Fault, FaultKind};
use super::message::Request;
use super::outcome;
use super::progress::ProgressReports;
use super::reply::Reply;
use super::response;
use super::revision::Revision;
use super::sender::{Disconnect, Sender};
use super::tool::AgentTool;
use crate::error::{ApiError, ErrorCode};
use crate::running_calls::CallKey;
use crate::start;
use crate::stream::session_label;
use crate::trace_parent::caller_trace;

/// The most interactions of a turn among which those of a request are looked for.
const MAX_WAITS: u32 = 200;

/// A turn that a call follows.
struct Followed {
    feed: TurnFeed,
    session: String,
    seen: u32,
}

/// The reason why a call does not follow a turn.
enum Refusal {
    /// The calling model can act on the reason.
    Tool(String),
    Protocol(Fault),
}

/// Handles `tools/call`.
pub(super) async fn call(
    sender: &Sender<'_>,
    request: Request,
    revision: Revision,
    body: &[u8],
) -> Result<Reply, Fault> {
    let params = arguments::params(body).map_err(|error| Fault::of_params(&error))?;
    let Some(tool) = AgentTool::named(&sender.app.settings, &sender.principal.access, &params.name) else {
        return Err(Fault::new(
            FaultKind::InvalidParams,
            "params.name: no such tool; tools/list has those of this server",
        ));
    };
    let followed = match &params.request_state {
        None => begin(sender, &request, &tool, body).await,
        Some(state) => match state.parse() {
            Ok(continuation) => resume(sender, &tool, continuation, params).await,
            Err(_) => Err(Refusal::Protocol(unknown_state())),
        },
    };
    match followed {
        Ok(followed) => Ok(Reply::Call(Box::new(in_progress(sender, request, revision, followed)))),
        Err(Refusal::Tool(why)) => {
            let refused = outcome::refused(&why, revision);
            Ok(Reply::Message(response::result(&request.id, &refused)))
        }
        Err(Refusal::Protocol(fault)) => Err(fault),
    }
}

/// Starts a turn.
async fn begin(sender: &Sender<'_>, request: &Request, tool: &AgentTool<'_>, body: &[u8]) -> Result<Followed, Refusal> {
    let Sender { app, principal, .. } = sender;
    let arguments = arguments::arguments(body).map_err(|error| Refusal::Tool(error.message().to_owned()))?;
    app.accepts_turns()?;
    let idempotency = idempotency(sender, request, tool, &arguments).map_err(|error| invalid(error.message()))?;
    let session = arguments.session.map_or(SessionKey::New, SessionKey::Name);
    let submitted = TurnRequest {
        agent: Some(tool.agent.to_owned()),
        caps: ClientCaps { interact: request.metadata.can_elicit(), resume: true },
        reach: principal.access.reach(),
        idempotency,
        trace: caller_trace(sender.headers),
        ..TurnRequest::new(session, Message::user(arguments.message))
    };
    let receipt = app.service.accept(&principal.scope, submitted).await.map_err(ApiError::from)?;
    let feed = app.service.follow_accepted(&principal.scope, &receipt).await.map_err(ApiError::from)?;
    Ok(Followed { feed, session: session_label(receipt.session, receipt.name), seen: 0 })
}

/// Returns the name of a request under which a repetition finds its turn. A repetition may have another id and other
/// metadata, so only the tool and its arguments are compared.
fn idempotency(
    sender: &Sender<'_>,
    request: &Request,
    tool: &AgentTool<'_>,
    arguments: &Arguments,
) -> Result<Option<Idempotency>, ApiError> {
    let session = arguments.session.as_ref().map(|name| name.as_str());
    let compared = json!([tool.name, arguments.message, session]).to_string();
    let chosen = request.metadata.idempotency_key().map(str::to_owned);
    if let Some(chosen) = start::idempotency(sender.headers, chosen, compared.as_bytes())? {
        return Ok(Some(chosen));
    }
    // A client uses an id once on its connection, so the second request with it is the first one, sent again.
    let own = sender.connection.map(|connection| format!("mcp {connection} {}", request.id.to_text()));
    Ok(own.map(|key| Idempotency { key: key.into(), body_sha256: Sha256::digest(compared.as_bytes()).into() }))
}

/// Decides the interactions of a turn, and follows it.
async fn resume(
    sender: &Sender<'_>,
    tool: &AgentTool<'_>,
    Continuation { turn, seen }: Continuation,
    params: CallParams,
) -> Result<Followed, Refusal> {
    let Sender { app, principal, .. } = sender;
    let record = app.store.turn(&principal.scope, turn).await.map_err(|error| match error {
        StoreError::NotFound => Refusal::Protocol(unknown_state()),
        error => ApiError::from(error).into(),
    })?;
    if *record.agent != *tool.agent {
        return Err(Refusal::Protocol(unknown_state()));
    }
    match params.input_responses.is_empty() {
        // Without answers, the call only reads what the turn has done.
        true => principal.check_access(AccessScope::Read)?,
        false => decide(sender, turn, params.input_responses).await?,
    }
    let feed = app.service.follow(&principal.scope, turn, FollowFrom::Start).await.map_err(ApiError::from)?;
    let session = app.store.summary(&principal.scope, record.session).await.map_err(ApiError::from)?;
    Ok(Followed { feed, session: session_label(record.session, session.name), seen })
}

/// Decides interactions of a turn and of the sub-agents below it; none of them if one of the responses is invalid. One
/// that is already decided, or no longer waits, is left as it is: the result of the call shows what became of it.
async fn decide(
    sender: &Sender<'_>,
    turn: TurnId,
    responses: impl IntoIterator<Item = (String, InputResponse)>,
) -> Result<(), Refusal> {
    let Sender { app, principal, .. } = sender;
    principal.check_access(AccessScope::Decide)?;
    let page = WaitPage { session: None, turn: Some(turn), below: true, pending: false, limit: MAX_WAITS, after: None };
    let waits = app.service.waits(&principal.scope, page).await.map_err(ApiError::from)?.waits;
    let invalid_response = |why: &dyn Display| invalid(&format!("params.inputResponses: {why}"));
    let mut resolutions: Vec<(WaitId, Resolution)> = Vec::new();
    for (id, response) in responses {
        let wait = id.parse::<WaitId>().ok().and_then(|id| waits.iter().find(|wait| wait.id == id));
        let Some(wait) = wait else {
            return Err(invalid_response(&"an entry names no interaction of the turn"));
        };
        let resolution = elicitation::resolution(wait, response).map_err(|why| invalid_response(&why))?;
        let checked = check_resolution(wait.kind, wait.question.question.as_deref(), &resolution);
        checked.map_err(|why| invalid_response(&why))?;
        resolutions.push((wait.id, resolution));
    }
    for (wait, resolution) in resolutions {
        match app.service.resolve(&principal.scope, wait, resolution).await {
            Ok(_) => {}
            Err(ResolveError::Store(error)) => return Err(ApiError::from(error).into()),
            Err(error) => return Err(invalid_response(&error)),
        }
    }
    Ok(())
}

/// Creates the call that follows a turn.
fn in_progress(sender: &Sender<'_>, request: Request, revision: Revision, followed: Followed) -> Call {
    let Sender { app, principal, .. } = sender;
    let Followed { feed, session, seen } = followed;
    let turn = feed.turn();
    let key = sender.connection.map(|connection| CallKey {
        scope: principal.scope.clone(),
        connection,
        request: request.id.to_text(),
    });
    // A client that named its request can come back to it, so its disconnecting is none of its decisions.
    let has_name = request.metadata.idempotency_key().is_some() || start::names_request(sender.headers);
    let abandonment = (sender.disconnect == Disconnect::Cancels && !has_name)
        .then(|| Abandonment::new(app.service.clone(), principal.scope.clone(), turn, principal.access_ended.clone()));
    Call {
        revision,
        can_elicit: request.metadata.can_elicit(),
        session,
        feed,
        reports: request.metadata.progress_token().cloned().map(ProgressReports::new),
        seen,
        view: TurnView::default(),
        running: key.map(|key| app.running_calls.register(key, turn)),
        abandonment,
        request: request.id,
    }
}

fn unknown_state() -> Fault {
    Fault::new(FaultKind::InvalidParams, "params.requestState: names no turn of this tool and this user")
}

fn invalid(why: &str) -> Refusal {
    Refusal::Protocol(Fault::new(FaultKind::InvalidParams, why))
}

/// Sorts the errors of other modules: a model can wait for a busy session, but not repair the server.
impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        match error.code() {
            ErrorCode::Unavailable | ErrorCode::StorageFull => {
                Self::Protocol(Fault::new(FaultKind::Unavailable, error.message()))
            }
            ErrorCode::KeyReused => {
                let message = "the id or the idempotency key of the request belongs to another call";
                Self::Protocol(Fault::new(FaultKind::InvalidRequest, message))
            }
            _ => Self::Tool(error.message().to_owned()),
        }
    }
}
