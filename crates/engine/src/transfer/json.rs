//! Exports a session as one JSON object, in the form used by systems whose protocol is `named`.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use serde::Serialize;
use serde_json::{Map, Value};
use turnkit_core::ports::{BoxStream, Store};
use turnkit_core::{History, Message, Part, Role, Scope, SessionId, SessionSummary, StoreError, Timestamp, ToolCall};

/// A session. Its messages are those that a model is sent for the head's branch.
#[derive(Debug, Serialize)]
struct SessionObject {
    id: SessionId,
    flow: Box<str>,
    messages: Vec<MessageObject>,
    metadata: Map<String, Value>,
    created_at: Timestamp,
    last_active: Timestamp,
}

/// A message. Each call is followed by its result. The text of a round follows its calls, although the model wrote it
/// before them.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum MessageObject {
    User { content: String },
    Assistant { content: String },
    ToolCall { id: String, name: String, args: Value },
    ToolResult { tool_call_id: String, name: String, content: String },
}

/// Returns the session as one line.
///
/// # Errors
/// `NotFound`; otherwise storage failed.
pub(crate) async fn json(
    store: Arc<dyn Store>,
    scope: Scope,
    session: SessionId,
) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
    let SessionSummary { id, agent, metadata, created_at, last_active, .. } = store.summary(&scope, session).await?;
    let messages = messages(&store.session_history(&scope, session).await?);
    let object = SessionObject { id, flow: agent, messages, metadata, created_at, last_active };
    let mut text = serde_json::to_vec(&object).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    text.push(b'\n');
    Ok(stream::iter([Ok(text.into())]).boxed())
}

fn messages(history: &History) -> Vec<MessageObject> {
    let mut messages = Vec::new();
    let mut round: Option<&Message> = None;
    for message in history.iter().map(|entry| entry.message()).filter(|message| !message.is_notices_only()) {
        match message.role {
            Role::User => messages.push(said_by_user(message)),
            Role::Assistant if message.calls().next().is_some() => round = Some(message),
            Role::Assistant => messages.extend(said_by_model(message)),
            Role::Tool => {
                let Some(asked) = round.take() else { continue };
                messages.extend(asked.calls().filter_map(|call| pair(call, message)).flatten());
                messages.extend(said_by_model(asked));
            }
            Role::System => {}
        }
    }
    // The calls of this round have no results yet.
    messages.extend(round.and_then(said_by_model));
    messages
}

/// A summary is attributed to the model.
fn said_by_user(message: &Message) -> MessageObject {
    match message.summary() {
        Some(summary) => MessageObject::Assistant { content: format!("[summary] {}", summary.text) },
        None => MessageObject::User { content: message.text() },
    }
}

fn said_by_model(message: &Message) -> Option<MessageObject> {
    let content = message.text();
    (!content.is_empty()).then_some(MessageObject::Assistant { content })
}

/// Returns a call and its result, or `None` if the call has no result.
fn pair(call: &ToolCall, results: &Message) -> Option<[MessageObject; 2]> {
    let result = results.parts.iter().find_map(|part| match part {
        Part::ToolResult(result) if result.uid == call.uid => Some(result),
        _ => None,
    })?;
    let (id, name, written) = (call.uid.to_string(), call.name.clone(), &call.arguments.0);
    let args = serde_json::from_str(written).unwrap_or_else(|_| Value::from(written.as_str()));
    let of_result = (id.clone(), name.clone(), result.content.clone());
    let (tool_call_id, result_name, content) = of_result;
    let result = MessageObject::ToolResult { tool_call_id, name: result_name, content };
    Some([MessageObject::ToolCall { id, name, args }, result])
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Arguments, CallUid};

    use super::*;

    #[test]
    fn the_text_of_a_round_whose_calls_have_no_results_yet_is_not_lost() {
        let call = ToolCall {
            uid: CallUid { turn: turnkit_core::TurnId::default(), step: 1, ordinal: 0 },
            provider_id: "a".to_owned(),
            name: "look".to_owned(),
            arguments: Arguments("{}".to_owned()),
            extras: None,
        };
        let round = Message::new(Role::Assistant, vec![Part::text("Let me see."), Part::ToolCall(call)]);
        let said = serde_json::to_value(messages(&History::of([Message::user("Look."), round]))).unwrap();
        let of = |kind: &str, content: &str| serde_json::json!({ "kind": kind, "content": content });
        assert_eq!(said, serde_json::json!([of("user", "Look."), of("assistant", "Let me see.")]));
    }
}
