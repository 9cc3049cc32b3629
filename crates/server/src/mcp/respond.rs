//! The methods of the protocol.

use serde_json::{Value, json};

use super::fault::{Fault, FaultKind};
use super::message::{Notification, Request};
use super::reply::Reply;
use super::revision::{self, Revision};
use super::sender::Sender;
use super::tool::AgentTool;
use super::{outcome, response, start};
use crate::permitted_agent;
use crate::running_calls::CallKey;
use crate::settings::Settings;

/// For how many milliseconds a client may keep the list of tools. A restart may change it.
const LIST_TTL_MS: u32 = 60_000;

const INSTRUCTIONS: &str = "Each tool is an agent: it works on a message with its own tools, and answers in text. To \
                            continue a conversation, pass the `session` of an earlier result.";

/// Handles a request, whose body has the parameters of its method.
pub(super) async fn handle(
    sender: &Sender<'_>,
    request: Request,
    revision: Revision,
    body: &[u8],
) -> Result<Reply, Fault> {
    let settings = &sender.app.settings;
    let unknown = || Fault::new(FaultKind::UnknownMethod, "this server has no such method");
    let result = match request.method.as_str() {
        // Clients without a handshake have neither.
        "initialize" | "ping" if revision == Revision::Stateless => return Err(unknown()),
        "tools/call" => return Box::pin(start::call(sender, request, revision, body)).await,
        "tools/list" => tools(sender, revision),
        "initialize" => initialize(settings, request.protocol_version.as_deref())?,
        "server/discover" => discover(settings, revision)?,
        "ping" => json!({}),
        _ => return Err(unknown()),
    };
    Ok(Reply::Message(response::result(&request.id, &result)))
}

/// Handles a notification. Unknown ones are ignored.
pub(super) async fn notified(sender: &Sender<'_>, notification: Notification) {
    let Notification { method, request } = notification;
    let (Some(request), Some(connection)) = (request, sender.connection) else { return };
    if method != "notifications/cancelled" {
        return;
    }
    let Sender { app, principal, .. } = sender;
    let scope = &principal.scope;
    let key = CallKey { scope: scope.clone(), connection, request: request.to_text() };
    let Some(turn) = app.running_calls.turn(&key) else { return };
    if let Err(error) = permitted_agent::check_stop(app, principal, turn).await {
        tracing::warn!(%turn, error = error.message(), "a cancelled call goes on");
        return;
    }
    app.running_calls.cancel(&key);
    if let Err(error) = app.service.cancel(scope, turn).await {
        tracing::warn!(%turn, %error, "could not cancel the turn of a cancelled call");
    }
}

fn initialize(settings: &Settings, requested: Option<&str>) -> Result<Value, Fault> {
    let missing = || Fault::new(FaultKind::InvalidParams, "params.protocolVersion: missing");
    Ok(json!({
        "protocolVersion": revision::negotiate(requested.ok_or_else(missing)?),
        "capabilities": { "tools": {} },
        "serverInfo": server_info(settings),
        "instructions": INSTRUCTIONS,
    }))
}

fn discover(settings: &Settings, revision: Revision) -> Result<Value, Fault> {
    if revision != Revision::Stateless {
        let message = "params._meta: lacks io.modelcontextprotocol/protocolVersion";
        return Err(Fault::new(FaultKind::InvalidMetadata, message));
    }
    let supported: Vec<&str> = revision::supported().collect();
    let result = json!({
        "supportedVersions": supported,
        "capabilities": { "tools": {} },
        "instructions": INSTRUCTIONS,
        "ttlMs": LIST_TTL_MS,
        "cacheScope": "private",
        "_meta": { "io.modelcontextprotocol/serverInfo": server_info(settings) },
    });
    Ok(outcome::complete(result, revision))
}

fn server_info(settings: &Settings) -> Value {
    json!({ "name": "turnkit", "version": settings.version })
}

fn tools(sender: &Sender<'_>, revision: Revision) -> Value {
    let permitted = AgentTool::permitted(&sender.app.settings, &sender.principal.access);
    let tools: Vec<Value> = permitted.map(|tool| tool.definition()).collect();
    let mut result = json!({ "tools": tools });
    if revision == Revision::Stateless {
        result["ttlMs"] = LIST_TTL_MS.into();
        result["cacheScope"] = "private".into();
    }
    outcome::complete(result, revision)
}
