//! What a chunk says as a whole.

use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::PartKind;

use super::types::{Chunk, Content};

impl<'a> Chunk<'a> {
    /// The failure it reports, if it does.
    pub(super) fn failure(&self) -> Option<&'a str> {
        self.error.map(RawValue::get).filter(|error| !says_nothing(error))
    }

    /// The text it adds, if it does nothing else.
    pub(super) fn only_text(&self) -> Option<(PartKind, &str)> {
        let choice = self.choices.0.as_ref()?;
        let message = choice.delta.0.as_ref()?;
        let adds_more = self.error.is_some()
            || self.usage().is_some()
            || choice.finish_reason.text().is_some()
            || message.refusal.text().is_some()
            || message.reasoning_details.is_some()
            || !message.images.0.is_empty()
            || !message.tool_calls.0.is_empty()
            || message.function_call.0.is_some();
        if adds_more {
            return None;
        }
        let reasoning = message.reasoning_content.text().or_else(|| message.reasoning.text());
        let content = match &message.content {
            Content::Absent => "",
            Content::Text(text) => text,
            Content::Parts(_) => return None,
        };
        match (reasoning, content) {
            (Some(text), "") => Some((PartKind::Reasoning, text)),
            (None, text) => Some((PartKind::Text, text)).filter(|_| !text.is_empty()),
            _ => None,
        }
    }

    /// Its usage object, wherever it is.
    pub(super) fn usage(&self) -> Option<&'a RawValue> {
        self.usage.or_else(|| self.x_groq.0.as_ref()?.usage)
    }
}

/// Whether an `error` field stands for success.
fn says_nothing(error: &str) -> bool {
    match serde_json::from_str(error) {
        Ok(Value::Object(object)) => object.is_empty(),
        Ok(Value::Array(list)) => list.is_empty(),
        Ok(Value::String(text)) => text.is_empty(),
        Ok(Value::Number(number)) => number.as_u64() == Some(0),
        Ok(Value::Bool(failed)) => !failed,
        Ok(Value::Null) => true,
        Err(_) => false,
    }
}
