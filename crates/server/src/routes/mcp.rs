//! The Model Context Protocol over HTTP.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use bytes::Bytes;
use serde_json::{Value, json};
use turnkit_core::AccessScope;
use utoipa_axum::routes;

use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::Head;
use crate::error::ApiError;
use crate::mcp::{self, MessageBody};

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Chat, routes!(answer))
}

/// Call agents as tools of the Model Context Protocol
///
/// Takes a JSON-RPC message. A call of a tool is answered with an event stream, whose last event is the response; other
/// requests with JSON; and a notification with status 202 without a body. The errors of messages are JSON-RPC errors,
/// some of them with the status 400, 404 or 503.
#[utoipa::path(
    post,
    path = "/mcp",
    operation_id = "mcp",
    tag = "chat",
    params(
        ("idempotency-key" = Option<String>, Header, description = "Sent twice with one key, a call starts one turn."),
        ("traceparent" = Option<String>, Header, description = "The W3C trace context that the turn of a call joins."),
    ),
    request_body(content = MessageBody, example = json!(request())),
    responses(
        (
            status = 200,
            description = "The response, or the stream that ends with it.",
            content(
                (Value = "application/json", example = json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [] } })),
                (String = "text/event-stream", example = json!(
                    "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\
                     \"text\":\"It is 42.\"}]}}\n\n"
                )),
            ),
        ),
        (status = 406, description = "`invalid_request`: the client accepts JSON and event streams."),
    ),
)]
async fn answer(
    State(app): State<App>,
    principal: Principal,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    mcp::answer(&app, &principal, Head { headers: &headers, uri: &uri }, &body).await
}

/// Returns an example of a message for the OpenAPI document.
fn request() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": { "name": "assistant", "arguments": { "message": "What is 6 x 7?" } },
    })
}
