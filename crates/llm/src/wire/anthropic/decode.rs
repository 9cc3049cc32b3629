//! From events to deltas.
//!
//! A stream is complete if and only if `message_stop` arrived. Each content block is a part; what must go back with it
//! is kept beside it.

use serde_json::value::RawValue;
use turnkit_core::{Delta, FinishReason, Opaque, PartKind, ProviderError, RawJson};

use super::error::in_band;
use super::types::{Block, Change, Event, Message};
use super::usage::Counter;
use crate::sse;
use crate::wire::Vendor;
use crate::wire::arguments::ObjectScan;
use crate::wire::decode::{Decode, empty, finish_after, not_an_answer, truncated};
use crate::wire::json::write_json;
use crate::wire::parts::Parts;
use crate::wire::surrogates::read_repaired;
use crate::wire::transcript::made_up_id;

/// Decodes one answer.
#[derive(Debug, Clone)]
pub(in crate::wire) struct Decoder {
    vendor: String,
    parts: Parts,
    blocks: Vec<OpenBlock>,
    counter: Counter,
    finish: Option<FinishReason>,
    calls: usize,
    begun: bool,
    done: bool,
}

/// A content block that has begun.
#[derive(Debug, Clone)]
struct OpenBlock {
    index: Option<u64>,
    kind: BlockKind,
    /// Its part; a text has none before its first character.
    part: Option<u16>,
}

#[derive(Debug, Clone)]
enum BlockKind {
    Text,
    Thinking {
        signature: String,
    },
    Call(ObjectScan),
    /// A tool that the provider runs; its block is kept to go back with the whole input.
    ServerTool {
        block: String,
        input: String,
    },
    /// A block that came whole.
    Whole,
}

impl Decode for Decoder {
    fn take(&mut self, event: sse::Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError> {
        let data = event.data.trim_ascii();
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

    /// Whether `message_stop` came.
    fn is_done(&self) -> bool {
        self.done
    }
}

impl Decoder {
    pub(in crate::wire) fn new(vendor: &Vendor) -> Self {
        Self {
            vendor: vendor.name.to_string(),
            parts: Parts::default(),
            blocks: Vec::new(),
            counter: Counter::default(),
            finish: None,
            calls: 0,
            begun: false,
            done: false,
        }
    }

    fn event(&mut self, event: &Event<'_>, data: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.begun = true;
        match event.r#type.text().unwrap_or_default() {
            "content_block_delta" => {
                if let Some(change) = &event.delta.0 {
                    return self.change(event.index.0, change, data, out);
                }
            }
            "content_block_start" => {
                if let Some(block) = event.content_block {
                    return self.start(event.index.0, block.get(), out);
                }
            }
            "content_block_stop" => self.stop(event.index.0, out),
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

    /// A buffered answer.
    fn message(&mut self, message: &Message<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if let Some(error) =
            message.error.filter(|_| message.r#type.text() == Some("error") || message.content.is_none())
        {
            return Err(in_band(error.get()));
        }
        let content = message.content.as_ref().ok_or_else(not_an_answer)?;
        for block in &content.0 {
            self.start(None, block.get(), out)?;
            self.stop(None, out);
        }
        self.count(message.usage, out);
        self.finish = message.stop_reason.text().map(finish_reason);
        self.close(out);
        Ok(())
    }

    fn start(&mut self, index: Option<u64>, raw: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        read_repaired(raw, |raw| Some(self.block(index, &serde_json::from_str(raw).ok()?, raw, out))).unwrap_or(Ok(()))
    }

    fn block(
        &mut self,
        index: Option<u64>,
        block: &Block<'_>,
        raw: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let kind = block.r#type.text().unwrap_or_default();
        let text = block.text.text().filter(|_| kind == "text").unwrap_or_default();
        let id = block.id.text().or_else(|| block.tool_use_id.text()).unwrap_or_default();
        let (kind, part) = match kind {
            "text" => (BlockKind::Text, None),
            "thinking" => {
                let part = self.parts.begin(PartKind::Reasoning, out)?;
                let signature = block.signature.text().unwrap_or_default().to_owned();
                say(part, block.thinking.text().unwrap_or_default(), out);
                (BlockKind::Thinking { signature }, Some(part))
            }
            "redacted_thinking" => {
                let part = self.parts.begin(PartKind::Reasoning, out)?;
                self.keep(part, raw, out);
                (BlockKind::Whole, Some(part))
            }
            "tool_use" => {
                let id = if id.is_empty() { made_up_id(self.calls) } else { id.into() };
                self.calls += 1;
                let part = self.parts.call(id, block.name.text().unwrap_or("unnamed").into(), out)?;
                let mut scan = ObjectScan::default();
                scan.push(block.input());
                say(part, block.input(), out);
                (BlockKind::Call(scan), Some(part))
            }
            "server_tool_use" | "mcp_tool_use" => {
                let part = self.parts.provider_tool(id, block.name.text().unwrap_or(kind), out)?;
                say(part, block.input(), out);
                (BlockKind::ServerTool { block: raw.to_owned(), input: String::new() }, Some(part))
            }
            other => {
                let part = self.parts.provider_tool(id, other, out)?;
                self.keep(part, raw, out);
                (BlockKind::Whole, Some(part))
            }
        };
        self.blocks.push(OpenBlock { index, kind, part });
        self.text(self.blocks.len() - 1, PartKind::Text, text, out)
    }

    fn change(
        &mut self,
        index: Option<u64>,
        change: &Change<'_>,
        data: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let found = self.blocks.iter().rposition(|block| block.index == index);
        match (change.r#type.text().unwrap_or_default(), found) {
            ("text_delta", found) => {
                let at = found.unwrap_or_else(|| self.begun_unsaid(index, BlockKind::Text));
                self.text(at, PartKind::Text, change.text.text().unwrap_or_default(), out)
            }
            ("thinking_delta", found) => {
                let thinking = BlockKind::Thinking { signature: String::new() };
                let at = found.unwrap_or_else(|| self.begun_unsaid(index, thinking));
                self.text(at, PartKind::Reasoning, change.thinking.text().unwrap_or_default(), out)
            }
            ("signature_delta", Some(at)) => {
                if let Some(OpenBlock { kind: BlockKind::Thinking { signature }, .. }) = self.blocks.get_mut(at) {
                    signature.push_str(change.signature.text().unwrap_or_default());
                }
                Ok(())
            }
            ("input_json_delta", Some(at)) => {
                self.input(at, change.partial_json.text().unwrap_or_default(), out);
                Ok(())
            }
            _ => {
                out.extend(RawJson::parse(data).ok().map(Delta::Raw));
                Ok(())
            }
        }
    }

    /// Some gateways leave out the start of a block.
    fn begun_unsaid(&mut self, index: Option<u64>, kind: BlockKind) -> usize {
        self.blocks.push(OpenBlock { index, kind, part: None });
        self.blocks.len() - 1
    }

    fn text(&mut self, at: usize, kind: PartKind, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(block) = self.blocks.get_mut(at).filter(|_| !text.is_empty()) else { return Ok(()) };
        let part = match block.part {
            Some(part) => part,
            None => *block.part.insert(self.parts.begin(kind, out)?),
        };
        say(part, text, out);
        Ok(())
    }

    fn input(&mut self, at: usize, json: &str, out: &mut Vec<Delta>) {
        let Some(OpenBlock { kind, part: Some(part), .. }) = self.blocks.get_mut(at) else { return };
        match kind {
            BlockKind::Call(scan) => scan.push(json),
            BlockKind::ServerTool { input, .. } => input.push_str(json),
            _ => return,
        }
        say(*part, json, out);
    }

    /// A block is whole. A call whose arguments are not stays open: the finish reason tells whether it was cut.
    fn stop(&mut self, index: Option<u64>, out: &mut Vec<Delta>) {
        let Some(at) = self.blocks.iter().rposition(|block| block.index == index) else { return };
        let block = self.blocks.remove(at);
        let Some(part) = block.part else { return };
        match block.kind {
            BlockKind::Call(scan) if !scan.is_whole() => return,
            BlockKind::Thinking { signature } if !signature.is_empty() => {
                let mut json = Vec::new();
                write_json(&mut json, &signature);
                self.keep(part, &String::from_utf8_lossy(&json), out);
            }
            BlockKind::ServerTool { block, input } => self.keep(part, &with_input(&block, &input), out),
            _ => {}
        }
        out.push(Delta::end(part));
    }

    /// Keeps what goes back with a part.
    fn keep(&self, part: u16, json: &str, out: &mut Vec<Delta>) {
        let Ok(data) = RawJson::parse(json) else { return };
        out.push(Delta::opaque(part, Opaque { vendor: self.vendor.clone(), data }));
    }

    fn count(&mut self, usage: Option<&RawValue>, out: &mut Vec<Delta>) {
        out.extend(usage.and_then(|usage| self.counter.take(usage)).map(Delta::Usage));
    }

    /// The answer is whole: says why it stopped.
    fn close(&mut self, out: &mut Vec<Delta>) {
        self.done = true;
        let reason = self.finish.take().unwrap_or(FinishReason::Stop);
        out.push(Delta::Finish(finish_after(reason, self.calls > 0)));
    }
}

fn say(part: u16, text: &str, out: &mut Vec<Delta>) {
    if !text.is_empty() {
        out.push(Delta::text(part, text));
    }
}

/// A block of a tool with the input that was streamed after it in place of its empty one. The block is otherwise as it
/// was, byte for byte.
fn with_input(block: &str, input: &str) -> String {
    let is_object = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(input).is_ok();
    match block.rfind("\"input\"").and_then(|at| Some((at, block[at..].find("{}")?))) {
        Some((at, braces)) if is_object => {
            let (head, tail) = (&block[..at + braces], &block[at + braces + 2..]);
            format!("{head}{input}{tail}")
        }
        _ => block.to_owned(),
    }
}

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "tool_use" => FinishReason::ToolCalls,
        "refusal" => FinishReason::Refusal,
        "pause_turn" => FinishReason::Pause,
        other => FinishReason::Other(other.into()),
    }
}
