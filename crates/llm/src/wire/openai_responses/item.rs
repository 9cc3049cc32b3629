//! The items of an answer: the part of each item, and how much of it was shown.

use turnkit_core::{Delta, Opaque, PartKind, ProviderError, RawJson};

use super::kept::{kept_call, kept_message};
use super::types::{Item, PARAGRAPH};
use crate::wire::Vendor;
use crate::wire::arguments::ObjectScan;
use crate::wire::failure::bad_response;
use crate::wire::parts::{Parts, UNNAMED};
use crate::wire::transcript::made_up_id;

/// The prefix of call ids of xAI's own search. Identifies them behind a relay with another name.
const OWN_SEARCH: &str = "xs_";
/// Maximum number of open items. Each event searches them, so the limit bounds the cost of an event.
const MAX_OPEN: usize = 256;

/// The incomplete items of one answer.
#[derive(Debug, Clone)]
pub(super) struct Items {
    vendor: String,
    runs_custom_calls: bool,
    parts: Parts,
    open: Vec<OpenItem>,
    calls: usize,
    refused: bool,
}

#[derive(Debug, Clone, Default)]
struct OpenItem {
    index: Option<u64>,
    id: String,
    /// The part of the item; a text or reasoning has none before its first character.
    part: Option<u16>,
    /// Set if any of its text was emitted.
    has_output: bool,
    /// Tracks whether its arguments are one complete object.
    arguments: ObjectScan,
    summary: Option<u64>,
}

impl OpenItem {
    fn at(place: Place<'_>) -> Self {
        Self { index: place.index, id: place.id.to_owned(), ..Self::default() }
    }
}

/// The identification of an item in events.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
}

impl<'a> Place<'a> {
    pub(super) fn of(index: Option<u64>, item: &'a Item<'_>) -> Self {
        Self { index, id: item.id.text().unwrap_or_default() }
    }

    fn is(self, item: &OpenItem) -> bool {
        match (self.index, item.index) {
            (Some(index), Some(other)) => index == other,
            _ => self.id == item.id,
        }
    }
}

impl Items {
    pub(super) fn new(vendor: &Vendor) -> Self {
        Self {
            vendor: vendor.name.to_string(),
            runs_custom_calls: vendor.runs_custom_calls,
            parts: Parts::default(),
            open: Vec::new(),
            calls: 0,
            refused: false,
        }
    }

    pub(super) fn has_calls(&self) -> bool {
        self.calls > 0
    }

    pub(super) fn has_refused(&self) -> bool {
        self.refused
    }

    /// Handles the start of an item. Calls and tools become parts at once, other items when they have text.
    pub(super) fn start(
        &mut self,
        place: Place<'_>,
        item: &Item<'_>,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let part = match item.r#type.text().unwrap_or_default() {
            "message" | "reasoning" => None,
            "custom_tool_call" if self.is_run_by_provider(item) => {
                let name = item.name.text().unwrap_or("custom_tool_call");
                Some(self.parts.provider_tool(item.id.text().unwrap_or_default(), name, out)?)
            }
            "function_call" | "custom_tool_call" => {
                let id = item.call_id.text().or_else(|| item.id.text());
                let id = id.map_or_else(|| made_up_id(self.calls), Into::into);
                self.calls += 1;
                Some(self.parts.call(id, item.name.text().unwrap_or(UNNAMED).into(), out)?)
            }
            kind => Some(self.parts.provider_tool(item.id.text().unwrap_or_default(), kind, out)?),
        };
        self.push(OpenItem { part, ..OpenItem::at(place) }).map(drop)
    }

    /// Reports whether the provider runs this custom tool call itself.
    fn is_run_by_provider(&self, item: &Item<'_>) -> bool {
        self.runs_custom_calls || item.call_id.text().is_some_and(|id| id.starts_with(OWN_SEARCH))
    }

    fn push(&mut self, item: OpenItem) -> Result<usize, ProviderError> {
        if self.open.len() == MAX_OPEN {
            return Err(bad_response("the answer has too many open items"));
        }
        self.open.push(item);
        Ok(self.open.len() - 1)
    }

    /// Handles a delta of an item: text, reasoning, arguments, or a tool's input.
    pub(super) fn emit(
        &mut self,
        place: Place<'_>,
        kind: PartKind,
        text: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        if text.is_empty() {
            return Ok(());
        }
        let found = self.open.iter().rposition(|item| place.is(item));
        let is_text = matches!(kind, PartKind::Text | PartKind::Reasoning);
        let at = match found {
            Some(at) => at,
            // The complete item will show which tool the call belongs to.
            None if !is_text => return Ok(()),
            None => self.push(OpenItem::at(place))?,
        };
        let Some(item) = self.open.get_mut(at) else { return Ok(()) };
        let part = match item.part {
            Some(part) => part,
            None if !is_text => return Ok(()),
            None => *item.part.insert(self.parts.begin(kind, out)?),
        };
        item.has_output = true;
        item.arguments.push(text);
        out.push(Delta::text(part, text));
        Ok(())
    }

    /// Handles a delta of a reasoning summary, whose parts become paragraphs.
    pub(super) fn summarise(
        &mut self,
        place: Place<'_>,
        index: Option<u64>,
        text: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let item = self.open.iter_mut().rev().find(|item| place.is(item));
        if let Some(item) = item.filter(|_| !text.is_empty()) {
            let is_next = item.has_output && item.summary != index;
            item.summary = index;
            if is_next {
                self.emit(place, PartKind::Reasoning, PARAGRAPH, out)?;
            }
        }
        self.emit(place, PartKind::Reasoning, text, out)
    }

    pub(super) fn refuse(&mut self, place: Place<'_>, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.refused |= !text.is_empty();
        self.emit(place, PartKind::Text, text, out)
    }

    /// Handles a complete item. Emits the content that was not streamed, and keeps the data to send back.
    pub(super) fn finish(
        &mut self,
        place: Place<'_>,
        item: &Item<'_>,
        raw: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        if !self.open.iter().any(|open| place.is(open)) {
            self.start(place, item, out)?;
        }
        let has_output = self.open.iter().rev().find(|open| place.is(open)).is_some_and(|open| open.has_output);
        let kind = item.r#type.text().unwrap_or_default();
        match kind {
            "message" if !has_output => {
                for content in &item.content.0 {
                    self.emit(place, PartKind::Text, content.text.text().unwrap_or_default(), out)?;
                    self.refuse(place, content.refusal.text().unwrap_or_default(), out)?;
                }
            }
            "reasoning" if !has_output => self.emit(place, PartKind::Reasoning, &item.reasoning(), out)?,
            "message" | "reasoning" => {}
            _ if !has_output => self.emit(place, PartKind::ToolCall, &item.asked(), out)?,
            _ => {}
        }
        let Some(at) = self.open.iter().rposition(|open| place.is(open)) else { return Ok(()) };
        let open = self.open.remove(at);
        self.close(open, kind, item, raw, out)
    }

    fn close(
        &mut self,
        open: OpenItem,
        kind: &str,
        item: &Item<'_>,
        raw: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let part = match (kind, open.part) {
            // Reasoning without text is kept if it has encrypted content.
            ("reasoning", None) if item.encrypted_content.text().is_some() => {
                self.parts.begin(PartKind::Reasoning, out)?
            }
            (_, None) => return Ok(()),
            (_, Some(part)) => part,
        };
        match kind {
            "message" => self.keep(part, kept_message(raw), out),
            "function_call" => {
                self.keep(part, kept_call(raw), out);
                // The finish reason shows whether the call was cut off.
                if !open.arguments.is_whole() {
                    return Ok(());
                }
            }
            "custom_tool_call" if !self.is_run_by_provider(item) => {}
            "image_generation_call" => {
                out.push(Delta::end(part));
                return self.picture(item, out);
            }
            _ => self.keep(part, RawJson::parse(raw).ok(), out),
        }
        out.push(Delta::end(part));
        Ok(())
    }

    /// Adds the data to send back with a part.
    fn keep(&self, part: u16, data: Option<RawJson>, out: &mut Vec<Delta>) {
        out.extend(data.map(|data| Delta::opaque(part, Opaque { vendor: self.vendor.clone(), data })));
    }

    /// Adds an image as a separate part.
    fn picture(&mut self, item: &Item<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(data) = item.result.text() else { return Ok(()) };
        let part = self.parts.begin(PartKind::Image, out)?;
        let format = item.output_format.text().unwrap_or("png");
        out.push(Delta::text(part, format!("data:image/{format};base64,{data}")));
        out.push(Delta::end(part));
        Ok(())
    }
}
