//! Decodes events to deltas.
//!
//! A stream is complete if and only if `message_stop` arrived. Each content block is a part; data that must be sent
//! back with it is kept beside it.

use serde_json::value::RawValue;
use turnkit_core::{Delta, FinishReason, ProviderError, RawJson};

use super::blocks::Blocks;
use super::error::in_band;
use super::types::{Event, Message};
use super::usage::Counter;
use crate::sse;
use crate::wire::Vendor;
use crate::wire::decode::{Decode, empty, finish_after, not_an_answer, truncated};
use crate::wire::surrogates::read_repaired;

/// Decodes one answer.
#[derive(Debug, Clone)]
pub(in crate::wire) struct Decoder {
    blocks: Blocks,
    counter: Counter,
    finish: Option<FinishReason>,
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
        self.message(&serde_json::from_str(body).map_err(|_| not_an_answer())?, out)
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

    /// Reports whether `message_stop` arrived.
    fn is_done(&self) -> bool {
        self.done
    }
}

impl Decoder {
    pub(in crate::wire) fn new(vendor: &Vendor) -> Self {
        Self {
            blocks: Blocks::new(vendor.name.to_string()),
            counter: Counter::default(),
            finish: None,
            begun: false,
            done: false,
        }
    }

    fn event(&mut self, event: &Event<'_>, data: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.begun = true;
        match event.r#type.text().unwrap_or_default() {
            "content_block_delta" => {
                if let Some(change) = &event.delta.0 {
                    return self.blocks.change(event.index.0, change, data, out);
                }
            }
            "content_block_start" => {
                if let Some(block) = event.content_block {
                    return self.blocks.start(event.index.0, block.get(), out);
                }
            }
            "content_block_stop" => self.blocks.stop(event.index.0, out),
            "message_start" => {
                let usage = event.message.0.as_ref().and_then(|message| message.usage);
                self.count(usage, out);
            }
            "message_delta" => {
                let word = event.delta.0.as_ref().and_then(|change| change.stop_reason.text());
                self.finish = word.map(finish_reason).or(self.finish.take());
                self.count(event.usage, out);
            }
            "message_stop" => self.close(out),
            "error" => return Err(in_band(event.error.map_or(data, RawValue::get))),
            "ping" => {}
            _ => out.extend(RawJson::parse(data).ok().map(Delta::Raw)),
        }
        Ok(())
    }

    /// Decodes a buffered answer.
    fn message(&mut self, message: &Message<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if let Some(error) =
            message.error.filter(|_| message.r#type.text() == Some("error") || message.content.is_none())
        {
            return Err(in_band(error.get()));
        }
        let content = message.content.as_ref().ok_or_else(not_an_answer)?;
        for block in &content.0 {
            self.blocks.start(None, block.get(), out)?;
            self.blocks.stop(None, out);
        }
        self.count(message.usage, out);
        self.finish = message.stop_reason.text().map(finish_reason);
        self.close(out);
        Ok(())
    }

    fn count(&mut self, usage: Option<&RawValue>, out: &mut Vec<Delta>) {
        out.extend(usage.and_then(|usage| self.counter.take(usage)).map(Delta::Usage));
    }

    /// Ends a complete answer with its finish reason.
    fn close(&mut self, out: &mut Vec<Delta>) {
        self.done = true;
        let reason = self.finish.take().unwrap_or(FinishReason::Stop);
        out.push(Delta::Finish(finish_after(reason, self.blocks.has_calls())));
    }
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "refusal" => FinishReason::Refusal,
        "pause_turn" => FinishReason::Pause,
        other => FinishReason::other(other.into()),
    }
}
