//! Decodes events to deltas.
//!
//! A stream is complete if and only if a finish reason or `[DONE]` arrived. The finish is passed on at the end, because
//! servers send text, usage, errors, and a second finish reason after the first.

use std::borrow::Cow;

use serde_json::value::RawValue;
use turnkit_core::{Delta, FinishReason, Opaque, PartKind, ProviderError, ProviderErrorKind, RawJson};

use super::calls::{Calls, Fragment};
use super::details::Details;
use super::error::in_band;
use super::message::REASONING_FIELD;
use super::template::{Adds, Template};
use super::types::{Choice, Chunk, Content, ContentPart, Function, Message, Picture};
use super::usage::usage;
use crate::sse::Event;
use crate::wire::Vendor;
use crate::wire::decode::{Decode, empty, finish_after, not_an_answer, truncated};
use crate::wire::failure::bad_response;
use crate::wire::lenient::Object;
use crate::wire::parts::Parts;
use crate::wire::surrogates::without_lone_surrogates;

/// The index of the single call in the old `function_call` field.
const FUNCTION_CALL_INDEX: u64 = u64::MAX;

/// Decodes one answer.
#[derive(Debug, Clone)]
pub(in crate::wire) struct Decoder {
    vendor: String,
    parts: Parts,
    calls: Calls,
    template: Template,
    details: Details,
    /// Set if the reasoning arrived in the field in which it must be sent back.
    goes_back: bool,
    /// The source of the visible reasoning.
    reasoning_source: Option<ReasoningSource>,
    finish: Option<FinishReason>,
    refused: bool,
    begun: bool,
    done: bool,
}

/// The place of readable reasoning. Servers that use both places send the same text in each, at once or later. The
/// first is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReasoningSource {
    /// A separate field.
    Field,
    /// `reasoning_details`.
    Details,
}

impl Decode for Decoder {
    fn take(&mut self, event: Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError> {
        if self.done {
            return Ok(true);
        }
        if let Some((adds, text)) = self.template.text(event.data.trim_ascii()) {
            return self.add(adds, &text, out).map(|()| true);
        }
        let text = event.text();
        let data = text.trim_ascii();
        if data == "[DONE]" {
            return self.close(out).map(|()| true);
        }
        if event.name == "error" && !data.contains("\"error\"") {
            return Err(in_band(data));
        }
        if !data.starts_with('{') {
            // Some gateways put status lines between events.
            return Ok(true);
        }
        if let Ok(chunk) = serde_json::from_str::<Chunk<'_>>(data) {
            if let Some((adds, text)) = chunk.only_adds() {
                self.template.learn(data, adds, text);
            }
            return self.chunk(&chunk, out).map(|()| true);
        }
        match serde_json::from_str(&without_lone_surrogates(data)) {
            Ok(chunk) => self.chunk(&chunk, out).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    fn body(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let repaired;
        let read = match serde_json::from_str(body) {
            Ok(Object(read)) => read,
            Err(_) => {
                repaired = without_lone_surrogates(body);
                serde_json::from_str(&repaired).ok().and_then(|Object(read)| read)
            }
        };
        let mut chunk: Chunk<'_> = read.ok_or_else(not_an_answer)?;
        // Perplexity sends an empty delta in addition to the message.
        if let Some(choice) = &mut chunk.choices.0 {
            choice.delta.0 = choice.message.0.take().or(choice.delta.0.take());
        }
        if chunk.choices.0.is_none() && chunk.failure().is_none() {
            return Err(bad_response("the provider's answer holds no choice"));
        }
        self.chunk(&chunk, out)?;
        self.close(out)
    }

    fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match (self.is_complete(), self.begun) {
            (true, _) => self.close(out),
            (false, true) => Err(truncated()),
            (false, false) => Err(empty()),
        }
    }

    fn provider_finish_reason(&self, _: FinishReason) -> Option<FinishReason> {
        self.finish.clone()
    }

    fn copy(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }

    /// Reports whether `[DONE]` arrived.
    fn is_done(&self) -> bool {
        self.done
    }

    fn is_complete(&self) -> bool {
        self.done || self.finish.is_some()
    }
}

impl Decoder {
    pub(in crate::wire) fn new(vendor: &Vendor) -> Self {
        Self {
            vendor: vendor.name.to_string(),
            parts: Parts::default(),
            calls: Calls::default(),
            template: Template::default(),
            details: Details::default(),
            goes_back: false,
            reasoning_source: None,
            finish: None,
            refused: false,
            begun: false,
            done: false,
        }
    }

    fn add(&mut self, adds: Adds, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match adds {
            Adds::Text(PartKind::Reasoning) => self.reasoning(text, out),
            Adds::Text(kind) => self.text(kind, Some(text), out),
            Adds::Arguments(index) => {
                let fragment = Fragment { id: None, index, name: None, arguments: text };
                self.calls.push(fragment, &mut self.parts, out)
            }
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.begun = true;
        // First, because failed requests are counted as well.
        out.extend(chunk.usage().and_then(usage).map(Delta::Usage));
        if let Some(error) = chunk.failure() {
            return Err(in_band(error));
        }
        if let Some(choice) = &chunk.choices.0 {
            self.choice(choice, out)?;
        }
        Ok(())
    }

    fn choice(&mut self, choice: &Choice<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if let Some(message) = choice.delta.0.as_ref().or(choice.message.0.as_ref()) {
            self.message(message, out)?;
        }
        if let Some(word) = choice.finish_reason.text() {
            self.finish = Some(finish_reason(word)?);
        }
        Ok(())
    }

    fn message(&mut self, message: &Message<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let reasoning = message.reasoning_content.text().or_else(|| message.reasoning.text());
        self.goes_back |= message.reasoning_content.text().is_some();
        if let Some(reasoning) = reasoning {
            self.reasoning(reasoning, out)?;
        }
        if let Some(details) = message.reasoning_details {
            self.detailed(details, out)?;
        }
        self.content(&message.content, PartKind::Text, out)?;
        self.refusal(message.refusal.text(), out)?;
        for picture in &message.images.0 {
            self.picture(picture, out)?;
        }
        if !message.tool_calls.0.is_empty() || message.function_call.0.is_some() {
            self.seal(out)?;
        }
        for call in &message.tool_calls.0 {
            let function = call.function.0.as_ref().unwrap_or(&Function::ABSENT);
            let (id, name, arguments) = (call.id.text(), function.name.text(), function.arguments());
            let fragment = Fragment { id, index: call.index.0, name, arguments: &arguments };
            self.calls.push(fragment, &mut self.parts, out)?;
        }
        if let Some(function) = &message.function_call.0 {
            let (name, arguments) = (function.name.text(), function.arguments());
            let fragment = Fragment { id: None, index: Some(FUNCTION_CALL_INDEX), name, arguments: &arguments };
            self.calls.push(fragment, &mut self.parts, out)?;
        }
        Ok(())
    }

    /// Shows the reasoning of a field, unless the details have shown it.
    fn reasoning(&mut self, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if self.reasoning_source == Some(ReasoningSource::Details) {
            return Ok(());
        }
        self.reasoning_source = Some(ReasoningSource::Field);
        self.text(PartKind::Reasoning, Some(text), out)
    }

    /// Keeps the details of the reasoning, and shows them if the reasoning has no other field.
    #[cold]
    fn detailed(&mut self, details: &RawValue, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let shown = self.details.push(details);
        if shown.is_empty() || self.reasoning_source == Some(ReasoningSource::Field) {
            return Ok(());
        }
        self.reasoning_source = Some(ReasoningSource::Details);
        self.text(PartKind::Reasoning, Some(&shown), out)
    }

    fn content(&mut self, content: &Content<'_>, kind: PartKind, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match content {
            Content::Absent => Ok(()),
            Content::Text(text) => self.text(kind, Some(text), out),
            Content::Parts(parts) => parts.iter().try_for_each(|part| self.content_part(part, kind, out)),
        }
    }

    fn content_part(
        &mut self,
        part: &ContentPart<'_>,
        kind: PartKind,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        self.content(&part.thinking, PartKind::Reasoning, out)?;
        self.text(kind, part.text.text(), out)?;
        self.refusal(part.refusal.text(), out)
    }

    fn refusal(&mut self, refusal: Option<&str>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.refused |= refusal.is_some();
        self.text(PartKind::Text, refusal, out)
    }

    fn text(&mut self, kind: PartKind, text: Option<&str>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(()) };
        if !self.parts.continues(kind) {
            self.calls.settle(&mut self.parts, out)?;
            self.seal(out)?;
        }
        self.parts.text(kind, text, out)
    }

    fn picture(&mut self, picture: &Picture<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let url = picture.image_url.0.as_ref().and_then(|image| image.url.text());
        let Some(url) = url else { return Ok(()) };
        self.seal(out)?;
        self.calls.settle(&mut self.parts, out)?;
        let part = self.parts.begin(PartKind::Image, out)?;
        out.push(Delta::text(part, url));
        out.push(Delta::end(part));
        Ok(())
    }

    /// Ends the reasoning so far, and keeps the data to send back with it. Data that arrives too late for that becomes
    /// a separate part.
    fn seal(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let open = self.parts.open(PartKind::Reasoning);
        let (part, json) = match (self.details.take(), open) {
            (Some(details), Some(part)) => (part, details),
            (Some(details), None) => (self.parts.begin(PartKind::Reasoning, out)?, details),
            (None, Some(part)) if self.goes_back => (part, format!("\"{REASONING_FIELD}\"")),
            (None, _) => return Ok(()),
        };
        if let Ok(data) = RawJson::parse(&json) {
            out.push(Delta::opaque(part, Opaque { vendor: self.vendor.clone(), data }));
        }
        if open.is_none() {
            out.push(Delta::end(part));
        }
        Ok(())
    }

    /// Ends a complete answer with its finish reason.
    fn close(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if self.done {
            return Ok(());
        }
        self.done = true;
        self.seal(out)?;
        self.calls.finish(&mut self.parts, out)?;
        if self.finish.is_none() && self.parts.is_empty() {
            return Err(empty());
        }
        let has_calls = self.calls.is_any();
        let reason = match self.finish.clone().unwrap_or(FinishReason::Stop) {
            FinishReason::Stop if self.refused && !has_calls => FinishReason::Refusal,
            other => finish_after(other, has_calls),
        };
        out.push(Delta::Finish(reason));
        Ok(())
    }
}

fn finish_reason(word: &str) -> Result<FinishReason, ProviderError> {
    let lower = if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(word.to_ascii_lowercase())
    } else {
        Cow::Borrowed(word)
    };
    Ok(match lower.as_ref() {
        "stop" | "eos" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "length" | "max_tokens" => FinishReason::Length,
        "tool_calls" | "tool_use" | "function_call" => FinishReason::ToolCalls,
        "content_filter" | "safety" => FinishReason::ContentFilter,
        "refusal" => FinishReason::Refusal,
        "error" => {
            let message = "the provider ended its answer with an error it did not name";
            return Err(ProviderError::new(ProviderErrorKind::Overloaded, message));
        }
        other => FinishReason::other(other.into()),
    })
}
