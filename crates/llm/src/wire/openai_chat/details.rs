//! Reasoning details in OpenRouter's format: pieces of text, of summaries, and of signed or encrypted data.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Fields whose values are concatenated across pieces.
const GROWING: [&str; 4] = ["text", "summary", "data", "signature"];
/// Fields with readable reasoning.
const SHOWN: [&str; 2] = ["text", "summary"];
/// Fields that only the vendor can read, and that it requires back.
const SEALED: [&str; 2] = ["data", "signature"];
/// Limits for the details of one answer: their number, and the bytes of their pieces. Further pieces are dropped.
const MAX_DETAILS: usize = 1024;
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The details of one answer, with their pieces joined.
#[derive(Debug, Clone, Default)]
pub(super) struct Details {
    joined: Vec<Map<String, Value>>,
    bytes: usize,
}

impl Details {
    /// Takes a list of pieces and returns their readable text. Ignores anything but a list of objects.
    pub(super) fn push(&mut self, raw: &RawValue) -> String {
        self.bytes = self.bytes.saturating_add(raw.get().len());
        let pieces: Vec<Value> = serde_json::from_str(raw.get()).unwrap_or_default();
        let fields = pieces.iter().flat_map(|piece| SHOWN.map(|key| piece.get(key).and_then(Value::as_str)));
        let shown = fields.flatten().collect();
        if self.bytes <= MAX_BYTES {
            self.keep(pieces);
        }
        shown
    }

    fn keep(&mut self, pieces: Vec<Value>) {
        for piece in pieces {
            let Value::Object(piece) = piece else { continue };
            match self.joined.pop() {
                Some(mut last) if continues(&last, &piece) => {
                    join(&mut last, piece);
                    self.joined.push(last);
                }
                last => self
                    .joined
                    .extend(last.into_iter().chain([piece]).take(MAX_DETAILS.saturating_sub(self.joined.len()))),
            }
        }
    }

    /// Returns all details as a JSON list, if any of them is signed or encrypted. Otherwise, they hold nothing beyond
    /// the text.
    pub(super) fn take(&mut self) -> Option<String> {
        let is_sealed =
            |detail: &Map<String, Value>| SEALED.iter().any(|key| detail.get(*key).is_some_and(Value::is_string));
        if !self.joined.iter().any(is_sealed) {
            return None;
        }
        serde_json::to_string(&std::mem::take(&mut self.joined)).ok()
    }
}

fn continues(last: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    let same = |key: &str| last.get(key) == piece.get(key);
    let same_id = piece.get("id").is_none_or(Value::is_null) || same("id");
    same("type") && same("index") && same_id
}

fn join(last: &mut Map<String, Value>, piece: Map<String, Value>) {
    for (key, value) in piece {
        match (last.get_mut(&key), &value) {
            (Some(Value::String(known)), Value::String(more)) if GROWING.contains(&key.as_str()) => {
                known.push_str(more)
            }
            (Some(Value::Null) | None, _) => drop(last.insert(key, value)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_and_summaries_are_shown() {
        let mut details = Details::default();
        let mut push = |pieces: Value| details.push(&RawValue::from_string(pieces.to_string()).unwrap());
        let pieces = json!([
            { "type": "reasoning.text", "text": "Let me " },
            { "type": "reasoning.summary", "summary": "see." },
            { "type": "reasoning.encrypted", "data": "gAA" },
            { "type": "reasoning.text", "text": null, "signature": "EqQB" },
            7,
        ]);
        assert_eq!(push(pieces), "Let me see.");
        assert_eq!(push(json!({ "text": "no list" })), "");
    }

    #[test]
    fn pieces_are_joined_and_kept_if_any_is_signed_or_encrypted() {
        let mut details = Details::default();
        let mut push = |pieces: Value| {
            details.push(&RawValue::from_string(pieces.to_string()).unwrap());
            details.take().map(|json| serde_json::from_str::<Value>(&json).unwrap())
        };
        assert_eq!(push(json!([{ "type": "reasoning.text", "index": 0, "text": "Let me " }])), None);
        assert_eq!(push(json!([{ "type": "reasoning.text", "index": 0, "text": "see.", "signature": null }])), None);
        assert_eq!(push(json!({ "type": "reasoning.text" })), None);
        let signed = json!([7, { "type": "reasoning.text", "index": 0, "signature": "EqQB" }]);
        let whole = json!([{ "type": "reasoning.text", "index": 0, "text": "Let me see.", "signature": "EqQB" }]);
        assert_eq!(push(signed), Some(whole));
        let encrypted = json!([
            { "type": "reasoning.summary", "index": 0, "summary": "Hm." },
            { "type": "reasoning.encrypted", "index": 1, "id": "a", "data": "gAA" },
            { "type": "reasoning.encrypted", "index": 1, "data": "AB" },
            { "type": "reasoning.encrypted", "index": 1, "id": "b", "data": "gAAC" },
        ]);
        let joined = json!([
            { "type": "reasoning.summary", "index": 0, "summary": "Hm." },
            { "type": "reasoning.encrypted", "index": 1, "id": "a", "data": "gAAAB" },
            { "type": "reasoning.encrypted", "index": 1, "id": "b", "data": "gAAC" },
        ]);
        assert_eq!(push(encrypted), Some(joined));
    }
}
