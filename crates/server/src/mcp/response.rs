//! The JSON-RPC messages of the server.

use serde_json::{Value, json};

use super::fault::Fault;
use super::message::RequestId;

/// Returns the response with the result of a request.
pub(super) fn result(id: &RequestId, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Returns the response to a request that cannot be handled, or to a message whose id cannot be read.
pub(super) fn error(id: Option<&RequestId>, fault: &Fault) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": fault.to_json() })
}

/// Returns a notification.
pub(super) fn notification(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}
