//! The JSON-RPC messages of clients.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::Schema;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};

use super::fault::{Fault, FaultKind};
use super::metadata::Metadata;
use crate::json;

/// The longest id of a request, in bytes of JSON.
const ID_BYTES: usize = 128;

/// A JSON-RPC message: a request, which has an `id`, or a notification.
#[derive(Deserialize, ToSchema)]
#[schema(as = McpMessage)]
pub(crate) struct MessageBody {
    /// Always `2.0`.
    jsonrpc: String,
    #[schema(schema_with = id_schema, required = false)]
    id: Option<Value>,
    /// The method, such as `tools/call`.
    method: Option<String>,
    /// The parameters of the method.
    #[schema(value_type = Option<Object>)]
    params: Option<Value>,
}

/// Returns the schema of an id, which may have two types.
fn id_schema() -> Schema {
    let description = "The id of the request: a string or an integer. The response has the same id.";
    let types = SchemaType::from_iter([Type::String, Type::Integer]);
    ObjectBuilder::new().schema_type(types).description(Some(description)).into()
}

/// A message of a client. The parameters of its method are read from the same body again, by their own type.
#[derive(Debug)]
pub(super) enum Message {
    Request(Request),
    Notification(Notification),
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) id: RequestId,
    pub(super) method: String,
    pub(super) metadata: Metadata,
    /// The `name` of the parameters, if it is a text.
    pub(super) name: Option<String>,
    /// The `protocolVersion` of the parameters, if it is a text.
    pub(super) protocol_version: Option<String>,
}

/// A notification, to which there is no response.
#[derive(Debug)]
pub(super) struct Notification {
    pub(super) method: String,
    /// The request that the notification is about.
    pub(super) request: Option<RequestId>,
}

/// The id of a request, as the client sent it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct RequestId(Value);

impl RequestId {
    fn read(id: Value) -> Option<Self> {
        let is_id = (id.is_string() || id.is_i64() || id.is_u64()) && id.to_string().len() <= ID_BYTES;
        is_id.then_some(Self(id))
    }

    /// Returns the id as JSON, in which the text `"1"` differs from the number `1`.
    pub(super) fn to_text(&self) -> String {
        self.0.to_string()
    }
}

/// The parameters that several methods have.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CommonParams {
    #[serde(rename = "_meta")]
    metadata: Option<Metadata>,
    name: Option<Value>,
    protocol_version: Option<Value>,
    request_id: Option<Value>,
}

#[derive(Deserialize)]
struct WithParams {
    params: Option<CommonParams>,
}

/// Reads a message. The fault names the request's id if the request has one.
pub(super) fn read(body: &[u8]) -> Result<Message, (Option<RequestId>, Fault)> {
    let message: MessageBody = json::read(body).map_err(|error| (None, Fault::of_body(&error)))?;
    let MessageBody { jsonrpc, id, method, params } = message;
    let id = match id.map(|id| RequestId::read(id).ok_or("id: must be a string or an integer of at most 128 bytes")) {
        None => None,
        Some(Ok(id)) => Some(id),
        Some(Err(why)) => return Err((None, Fault::new(FaultKind::InvalidRequest, why))),
    };
    if jsonrpc != "2.0" {
        return Err((id, Fault::new(FaultKind::InvalidRequest, "jsonrpc: must be 2.0")));
    }
    let Some(method) = method else {
        let why = "method: missing; this server sends no requests, so it takes no responses";
        return Err((id, Fault::new(FaultKind::InvalidRequest, why)));
    };
    if params.is_some_and(|params| !params.is_object()) {
        return Err((id, Fault::new(FaultKind::InvalidParams, "params: must be an object")));
    }
    let params = match json::read::<WithParams>(body) {
        Ok(WithParams { params }) => params.unwrap_or_default(),
        Err(error) => return Err((id, Fault::of_params(&error))),
    };
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned));
    Ok(match id {
        Some(id) => Message::Request(Request {
            id,
            method,
            metadata: params.metadata.unwrap_or_default(),
            name: text(params.name),
            protocol_version: text(params.protocol_version),
        }),
        None => Message::Notification(Notification { method, request: params.request_id.and_then(RequestId::read) }),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_is_a_request_or_a_notification_of_json_rpc_2() {
        for (body, code) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, None),
            (r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"_meta":{}},"more":1}"#, None),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, None),
            (r#"{"jsonrpc":"2.0","id":1,"#, Some(-32700)),
            ("\u{0}", Some(-32700)),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, Some(-32600)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, Some(-32600)),
            (r#"{"id":1,"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Some(-32600)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, Some(-32602)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":7}}"#, Some(-32602)),
        ] {
            let found = read(body.as_bytes()).err().map(|(_, fault)| fault.to_json()["code"].clone());
            assert_eq!(found, code.map(|code| json!(code)), "{body}");
        }
    }

    #[test]
    fn a_text_and_a_number_are_different_ids() {
        let id = |body: &str| match read(body.as_bytes()) {
            Ok(Message::Request(request)) => request.id.to_text(),
            other => panic!("{other:?}"),
        };
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), "1");
        assert_eq!(id(r#"{"jsonrpc":"2.0","id":"1","method":"ping"}"#), "\"1\"");
    }
}
