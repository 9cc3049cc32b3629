//! The content blocks of an answer: the part of each block, and the data that must go back with it.

use turnkit_core::{Delta, Opaque, PartKind, ProviderError, RawJson};

use super::types::{Block, Change};
use crate::wire::arguments::ObjectScan;
use crate::wire::failure::bad_response;
use crate::wire::json::write_json;
use crate::wire::parts::{Parts, UNNAMED};
use crate::wire::surrogates::read_repaired;
use crate::wire::transcript::made_up_id;

/// Maximum number of open blocks. Each event searches them, so the limit bounds the cost of an event.
const MAX_OPEN: usize = 256;
/// Maximum length of a signature, in bytes.
const MAX_SIGNATURE: usize = 1024 * 1024;

/// The incomplete blocks of one answer.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    vendor: String,
    parts: Parts,
    open: Vec<OpenBlock>,
    calls: usize,
}

/// A content block that has started.
#[derive(Debug, Clone)]
struct OpenBlock {
    index: Option<u64>,
    kind: BlockKind,
    /// The part of the block; a text block has none before its first character.
    part: Option<u16>,
}

#[derive(Debug, Clone)]
enum BlockKind {
    Text,
    Thinking {
        signature: String,
    },
    Call(ObjectScan),
    /// A tool that the provider runs. The block is kept, to be sent back with the complete input.
    ServerTool {
        block: String,
        input: String,
    },
    /// A block that was complete at its start.
    Whole,
}

impl Blocks {
    pub(super) fn new(vendor: String) -> Self {
        Self { vendor, parts: Parts::default(), open: Vec::new(), calls: 0 }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.calls > 0
    }

    /// Handles the start of a block, or a complete block.
    pub(super) fn start(&mut self, index: Option<u64>, raw: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
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
                emit(part, block.thinking.text().unwrap_or_default(), out);
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
                let part = self.parts.call(id, block.name.text().unwrap_or(UNNAMED).into(), out)?;
                let mut scan = ObjectScan::default();
                scan.push(block.input());
                emit(part, block.input(), out);
                (BlockKind::Call(scan), Some(part))
            }
            "server_tool_use" | "mcp_tool_use" => {
                let part = self.parts.provider_tool(id, block.name.text().unwrap_or(kind), out)?;
                emit(part, block.input(), out);
                (BlockKind::ServerTool { block: raw.to_owned(), input: String::new() }, Some(part))
            }
            other => {
                let part = self.parts.provider_tool(id, other, out)?;
                self.keep(part, raw, out);
                (BlockKind::Whole, Some(part))
            }
        };
        let at = self.push(OpenBlock { index, kind, part })?;
        self.text(at, PartKind::Text, text, out)
    }

    /// Handles a delta of a block. A delta of an unknown kind is passed on unchanged.
    pub(super) fn change(
        &mut self,
        index: Option<u64>,
        change: &Change<'_>,
        data: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let found = self.open.iter().rposition(|block| block.index == index);
        match (change.r#type.text().unwrap_or_default(), found) {
            // Some gateways omit the start of a block.
            ("text_delta", None) => {
                let at = self.push(OpenBlock { index, kind: BlockKind::Text, part: None })?;
                self.text(at, PartKind::Text, change.text.text().unwrap_or_default(), out)
            }
            ("thinking_delta", None) => {
                let kind = BlockKind::Thinking { signature: String::new() };
                let at = self.push(OpenBlock { index, kind, part: None })?;
                self.text(at, PartKind::Reasoning, change.thinking.text().unwrap_or_default(), out)
            }
            ("text_delta", Some(at)) => self.text(at, PartKind::Text, change.text.text().unwrap_or_default(), out),
            ("thinking_delta", Some(at)) => {
                self.text(at, PartKind::Reasoning, change.thinking.text().unwrap_or_default(), out)
            }
            ("signature_delta", Some(at)) => self.sign(at, change.signature.text().unwrap_or_default()),
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

    fn push(&mut self, block: OpenBlock) -> Result<usize, ProviderError> {
        if self.open.len() == MAX_OPEN {
            return Err(bad_response("the answer has too many open blocks"));
        }
        self.open.push(block);
        Ok(self.open.len() - 1)
    }

    fn text(&mut self, at: usize, kind: PartKind, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(block) = self.open.get_mut(at).filter(|_| !text.is_empty()) else { return Ok(()) };
        let part = match block.part {
            Some(part) => part,
            None => *block.part.insert(self.parts.begin(kind, out)?),
        };
        emit(part, text, out);
        Ok(())
    }

    fn sign(&mut self, at: usize, more: &str) -> Result<(), ProviderError> {
        let Some(OpenBlock { kind: BlockKind::Thinking { signature }, .. }) = self.open.get_mut(at) else {
            return Ok(());
        };
        if signature.len() + more.len() > MAX_SIGNATURE {
            return Err(bad_response("a signature of the answer is larger than the limit of 1 MiB"));
        }
        signature.push_str(more);
        Ok(())
    }

    fn input(&mut self, at: usize, json: &str, out: &mut Vec<Delta>) {
        let Some(OpenBlock { kind, part: Some(part), .. }) = self.open.get_mut(at) else { return };
        match kind {
            BlockKind::Call(scan) => scan.push(json),
            BlockKind::ServerTool { input, .. } => input.push_str(json),
            _ => return,
        }
        emit(*part, json, out);
    }

    /// Handles the end of a block. A call with incomplete arguments stays open: the finish reason shows whether it was
    /// cut off.
    pub(super) fn stop(&mut self, index: Option<u64>, out: &mut Vec<Delta>) {
        let Some(at) = self.open.iter().rposition(|block| block.index == index) else { return };
        let block = self.open.remove(at);
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

    /// Keeps data that must be sent back with a part.
    fn keep(&self, part: u16, json: &str, out: &mut Vec<Delta>) {
        let Ok(data) = RawJson::parse(json) else { return };
        out.push(Delta::opaque(part, Opaque { vendor: self.vendor.clone(), data }));
    }
}

fn emit(part: u16, text: &str, out: &mut Vec<Delta>) {
    if !text.is_empty() {
        out.push(Delta::text(part, text));
    }
}

/// Inserts the streamed input into the block of a tool, in place of its empty input. The rest of the block stays
/// unchanged, byte for byte.
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
