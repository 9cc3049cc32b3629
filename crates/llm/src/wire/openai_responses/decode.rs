//! Decodes events to deltas.
//!
//! A stream is complete if and only if `response.completed` or `response.incomplete` arrived. Each item of the output
//! is a part. The last event repeats all items, and is used only for those that the stream omitted.

use serde_json::value::RawValue;
use turnkit_core::{Delta, FinishReason, PartKind, ProviderError, ProviderErrorKind, RawJson};

use super::item::{Items, Place};
use super::types::{Event, Item, Response};
use crate::sse;
use crate::wire::Vendor;
use crate::wire::decode::{Decode, empty, finish_after, not_an_answer, truncated};
use crate::wire::openai_chat::{in_band, usage};
use crate::wire::surrogates::read_repaired;

/// Decodes one answer.
#[derive(Debug, Clone)]
pub(in crate::wire) struct Decoder {
    items: Items,
    /// The number of completed items. The last event repeats them.
    finished: usize,
    begun: bool,
    done: bool,
}

impl Decode for Decoder {
    fn take(&mut self, event: sse::Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError> {
        let text = event.text();
        let data = text.trim_ascii();
        if self.done || !data.starts_with('{') {
            return Ok(true);
        }
        let taken = read_repaired(data, |data| Some(self.event(&serde_json::from_str(data).ok()?, data, out)));
        taken.map_or(Ok(false), |taken| taken.map(|()| true))
    }

    fn body(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.response(body, out)
    }

    fn end(&mut self, _: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match (self.done, self.begun) {
            (true, _) => Ok(()),
            (false, true) => Err(truncated()),
            (false, false) => Err(empty()),
        }
    }

    fn copy(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }

    /// Reports whether the response has ended.
    fn is_done(&self) -> bool {
        self.done
    }
}

impl Decoder {
    pub(in crate::wire) fn new(vendor: &Vendor) -> Self {
        Self { items: Items::new(vendor), finished: 0, begun: false, done: false }
    }

    fn event(&mut self, event: &Event<'_>, data: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.begun = true;
        let place = Place { index: event.output_index.0, id: event.item_id.text().unwrap_or_default() };
        let delta = event.delta.text().unwrap_or_default();
        match event.r#type.text().unwrap_or_default() {
            "response.output_text.delta" => self.items.emit(place, PartKind::Text, delta, out),
            "response.refusal.delta" => self.items.refuse(place, delta, out),
            "response.reasoning_text.delta" => self.items.emit(place, PartKind::Reasoning, delta, out),
            "response.reasoning_summary_text.delta" => self.items.summarise(place, event.summary_index.0, delta, out),
            "response.function_call_arguments.delta"
            | "response.custom_tool_call_input.delta"
            | "response.mcp_call_arguments.delta"
            | "response.code_interpreter_call_code.delta" => self.items.emit(place, PartKind::ToolCall, delta, out),
            "response.output_item.added" => self.added(event, out),
            "response.output_item.done" => match event.item {
                Some(item) => self.item(event.output_index.0, item.get(), out),
                None => Ok(()),
            },
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                match event.response {
                    Some(response) => self.response(response.get(), out),
                    None => Err(not_an_answer()),
                }
            }
            "error" => Err(in_band(event.error.map_or(data, RawValue::get))),
            // Announcements, and repetitions of earlier content.
            "response.created"
            | "response.queued"
            | "response.in_progress"
            | "response.content_part.added"
            | "response.content_part.done"
            | "response.output_text.done"
            | "response.refusal.done"
            | "response.reasoning_text.done"
            | "response.reasoning_summary_part.added"
            | "response.reasoning_summary_part.done"
            | "response.reasoning_summary_text.done"
            | "response.function_call_arguments.done"
            | "response.custom_tool_call_input.done"
            | "response.mcp_call_arguments.done"
            | "response.code_interpreter_call_code.done" => Ok(()),
            _ => {
                out.extend(RawJson::parse(data).ok().map(Delta::Raw));
                Ok(())
            }
        }
    }

    fn added(&mut self, event: &Event<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(raw) = event.item else { return Ok(()) };
        let start = |json: &str| {
            let item: Item<'_> = serde_json::from_str(json).ok()?;
            Some(self.items.start(Place::of(event.output_index.0, &item), &item, out))
        };
        read_repaired(raw.get(), start).unwrap_or(Ok(()))
    }

    fn item(&mut self, index: Option<u64>, raw: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let finish = |json: &str| {
            let item: Item<'_> = serde_json::from_str(json).ok()?;
            self.finished += 1;
            Some(self.items.finish(Place::of(index, &item), &item, json, out))
        };
        read_repaired(raw, finish).unwrap_or(Ok(()))
    }

    /// Decodes the whole response. Items that the stream has shown already are not shown again.
    fn response(&mut self, json: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let response: Response<'_> = serde_json::from_str(json).map_err(|_| not_an_answer())?;
        let status = response.status.text().unwrap_or_default();
        let error = response.error.map(RawValue::get).filter(|error| !matches!(*error, "null" | "{}"));
        // First, because failed requests are counted as well.
        out.extend(response.usage.and_then(usage).map(Delta::Usage));
        match (error, status) {
            (Some(error), _) => return Err(in_band(error)),
            (None, "failed" | "cancelled") => {
                let message = "the provider ended its answer with an error it did not name";
                return Err(ProviderError::new(ProviderErrorKind::Overloaded, message));
            }
            _ => {}
        }
        if response.output.is_none() && !self.begun {
            return Err(not_an_answer());
        }
        if self.finished == 0 {
            for (index, item) in (0..).zip(response.output.iter().flat_map(|output| &output.0)) {
                self.item(Some(index), item.get(), out)?;
            }
        }
        let why = response.incomplete_details.0.as_ref().and_then(|details| details.reason.text());
        self.close(why, out);
        Ok(())
    }

    /// Ends a complete answer with its finish reason.
    fn close(&mut self, why_incomplete: Option<&str>, out: &mut Vec<Delta>) {
        self.done = true;
        let reason = match why_incomplete {
            None if self.items.has_refused() && !self.items.has_calls() => FinishReason::Refusal,
            None => FinishReason::Stop,
            Some("max_output_tokens" | "max_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            Some(other) => FinishReason::other(other.into()),
        };
        out.push(Delta::Finish(finish_after(reason, self.items.has_calls())));
    }
}
