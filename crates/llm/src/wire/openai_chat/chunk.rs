//! Accessors for a whole chunk.

use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::PartKind;

use super::template::Adds;
use super::types::{Chunk, Content, ToolCall};

impl<'a> Chunk<'a> {
    /// Returns the failure that the chunk reports, if any.
    pub(super) fn failure(&self) -> Option<&'a str> {
        self.error.map(RawValue::get).filter(|error| !is_empty_error(error))
    }

    /// Returns the text that the chunk adds, as written between quotes, if it has no other effect.
    pub(super) fn only_adds(&self) -> Option<(Adds, &str)> {
        let choice = self.choices.0.as_ref()?;
        let message = choice.delta.0.as_ref()?;
        let adds_more = self.error.is_some()
            || self.usage().is_some()
            || choice.finish_reason.text().is_some()
            || message.refusal.text().is_some()
            || message.reasoning_details.is_some()
            || !message.images.0.is_empty()
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
        match (reasoning, content, message.tool_calls.0.as_slice()) {
            (Some(text), "", []) => Some((Adds::Text(PartKind::Reasoning), text)),
            (None, text, []) => Some((Adds::Text(PartKind::Text), text)).filter(|_| !text.is_empty()),
            (None, "", [call]) => call.only_arguments().map(|text| (Adds::Arguments(call.index.0), text)),
            _ => None,
        }
    }

    /// Returns the usage object, wherever it is.
    pub(super) fn usage(&self) -> Option<&'a RawValue> {
        self.usage.or_else(|| self.x_groq.0.as_ref()?.usage)
    }
}

impl<'a> ToolCall<'a> {
    /// Returns the arguments that the fragment adds, as written between quotes, if it neither names nor identifies a
    /// call.
    fn only_arguments(&self) -> Option<&'a str> {
        let function = self.function.0.as_ref()?;
        let anonymous = self.id.text().is_none() && function.name.text().is_none();
        function.arguments?.get().strip_prefix('"')?.strip_suffix('"').filter(|_| anonymous)
    }
}

/// Reports whether an `error` field means success.
fn is_empty_error(error: &str) -> bool {
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
