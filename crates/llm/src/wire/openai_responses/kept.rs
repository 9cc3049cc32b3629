//! Fields of the provider's own messages and calls that go back with them: ids, status, phase, annotations.
//!
//! A message is stored as its item, with lengths in place of its texts: the text itself is stored once, in the part.

use serde_json::{Map, Value, json};
use turnkit_core::RawJson;

/// The fields of a content part that hold text.
const TEXTS: [&str; 2] = ["text", "refusal"];
/// The fields of a call that each request writes itself.
const OF_CALL: [&str; 4] = ["type", "call_id", "name", "arguments"];

/// Returns the item of a message with the number of bytes in place of each text; `None` for an item that is only a text.
pub(super) fn kept_message(item: &str) -> Option<RawJson> {
    let mut item: Map<String, Value> = serde_json::from_str(item).ok()?;
    let content = item.get_mut("content").and_then(Value::as_array_mut);
    for part in content.into_iter().flatten() {
        for key in TEXTS {
            if let Some(text) = part.get_mut(key)
                && let Value::String(said) = &*text
            {
                *text = said.len().into();
            }
        }
    }
    if is_only_text(&item) { None } else { RawJson::of(&item).ok() }
}

fn is_only_text(item: &Map<String, Value>) -> bool {
    let has_only = |object: &Map<String, Value>, keys: [&str; 3]| object.keys().all(|key| keys.contains(&key.as_str()));
    let is_text = |part: &Value| part.as_object().is_some_and(|part| has_only(part, ["type", "text", ""]));
    let content = item.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    has_only(item, ["type", "role", "content"]) && content.len() < 2 && content.iter().all(is_text)
}

/// Rebuilds the item of a message from its kept form and its text. If the length of the text has changed, the text becomes
/// the only content.
pub(super) fn own_message(kept: &str, text: &str) -> Option<Value> {
    let mut item: Map<String, Value> = serde_json::from_str(kept).ok()?;
    let content = item.get("content").and_then(|content| with_text(content, text));
    item.insert("content".to_owned(), content.unwrap_or_else(|| json!([{ "type": "output_text", "text": text }])));
    Some(Value::Object(item))
}

/// Puts consecutive slices of `text` in place of the lengths.
fn with_text(content: &Value, text: &str) -> Option<Value> {
    let mut content = content.as_array()?.clone();
    let mut rest = text;
    for part in &mut content {
        for key in TEXTS {
            let Some(field) = part.get_mut(key) else { continue };
            let Some(length) = field.as_u64() else { continue };
            let (said, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            *field = said.into();
            rest = after;
        }
    }
    rest.is_empty().then(|| content.into())
}

/// Returns the fields of a call that a request does not write itself.
pub(super) fn kept_call(item: &str) -> Option<RawJson> {
    let mut item: Map<String, Value> = serde_json::from_str(item).ok()?;
    item.retain(|key, value| !OF_CALL.contains(&key.as_str()) && !value.is_null());
    if item.is_empty() { None } else { RawJson::of(&item).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_comes_back_as_it_was() {
        let item = json!({
            "id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "phase": "commentary",
            "content": [
                { "type": "output_text", "text": "Ča🙂u. ", "annotations": [{ "type": "url_citation", "end_index": 3 }] },
                { "type": "output_text", "text": "", "annotations": [], "logprobs": [] },
                { "type": "refusal", "refusal": "No." },
            ],
        });
        let kept = kept_message(&item.to_string()).unwrap();
        assert!(!kept.get().contains("u. ") && !kept.get().contains("No."), "{}", kept.get());
        assert_eq!(own_message(kept.get(), "Ča🙂u. No."), Some(item));
    }

    #[test]
    fn a_message_whose_text_is_another_keeps_the_rest() {
        let content = json!([{ "type": "output_text", "text": "hello", "annotations": [] }]);
        let item = json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": content });
        let kept = kept_message(&item.to_string()).unwrap();
        for text in ["hell", "hello!", "", "éééé"] {
            let content = json!([{ "type": "output_text", "text": text }]);
            let expected = json!({ "id": "msg_1", "type": "message", "role": "assistant", "content": content });
            assert_eq!(own_message(kept.get(), text), Some(expected), "{text}");
        }
        assert_eq!(own_message("[]", "hello"), None);
    }
}
