//! Extracts reasoning and tool calls that a model writes into its text, for models whose server leaves them there.
//!
//! It works on deltas, so it is the same for every wire, and has no cost when disabled. Text is held back only while it
//! may be the beginning of a tag, and a call until it is complete.

mod envelope;
mod scan;
mod twins;

use turnkit_core::{Delta, FinishReason, PartKind, ProviderError};

use super::parts::Parts;
use crate::profile::MarkupRules;
use scan::{Scanned, Scanner};
use twins::Twins;

/// Removes the markup from the deltas of an answer.
#[derive(Debug, Clone)]
pub(super) struct Markup {
    scanner: Scanner,
    parts: Parts,
    /// The handling of each incoming part.
    places: Vec<Place>,
    called: bool,
    /// Set if calls are extracted from the text. Only such calls can repeat calls outside the text.
    text_calls: bool,
    twins: Twins,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    /// Its text is scanned and may become several parts.
    Scanned,
    Same(u16),
    /// The call with this number outside the text.
    Call(usize),
}

impl Markup {
    /// Returns `None` if there is no markup to extract.
    pub(super) fn new(rules: MarkupRules) -> Option<Box<Self>> {
        rules.is_any().then(|| {
            Box::new(Self {
                scanner: Scanner::new(rules),
                parts: Parts::default(),
                places: Vec::new(),
                called: false,
                text_calls: rules.text_calls,
                twins: Twins::default(),
            })
        })
    }

    /// Processes the next delta and appends the resulting deltas to `out`.
    ///
    /// # Errors
    /// There are too many parts, or a call is too large.
    pub(super) fn take(&mut self, delta: Delta, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match delta {
            Delta::Start { kind: PartKind::Text, call: None, .. } => self.places.push(Place::Scanned),
            Delta::Start { kind, call, .. } => {
                let place = match call {
                    Some(call) if kind == PartKind::ToolCall && self.text_calls => {
                        Place::Call(self.twins.start(call, &mut self.parts, out)?)
                    }
                    Some(call) if kind == PartKind::ToolCall => {
                        Place::Same(self.parts.call(call.provider_id, call.name, out)?)
                    }
                    Some(call) => Place::Same(self.parts.provider_tool(&call.provider_id, &call.name, out)?),
                    None => Place::Same(self.parts.begin(kind, out)?),
                };
                self.places.push(place);
            }
            Delta::Text { part, text } => match self.place(part) {
                Place::Same(part) => out.push(Delta::Text { part, text }),
                Place::Call(number) => self.twins.text(number, &text, out),
                Place::Scanned => {
                    let mut scanned = Vec::new();
                    self.scanner.push(&text, &mut scanned)?;
                    self.emit(scanned, out)?;
                }
            },
            Delta::Opaque { part, opaque } => match (self.place(part), self.parts.open(PartKind::Text)) {
                (Place::Call(number), _) => self.twins.opaque(number, opaque, out),
                (Place::Same(part), _) | (Place::Scanned, Some(part)) => out.push(Delta::opaque(part, opaque)),
                (Place::Scanned, None) => {
                    let part = self.parts.begin(PartKind::Text, out)?;
                    out.extend([Delta::opaque(part, opaque), Delta::end(part)]);
                }
            },
            Delta::End { part } => match self.place(part) {
                Place::Same(part) => out.push(Delta::end(part)),
                Place::Call(number) => self.twins.end(number, &mut self.parts, out)?,
                Place::Scanned => {
                    self.end_text(out)?;
                    self.parts.close(out);
                }
            },
            Delta::Finish(reason) => {
                self.end_text(out)?;
                self.twins.finish(&mut self.parts, out)?;
                let has_called = self.called && reason == FinishReason::Stop;
                out.push(Delta::Finish(if has_called { FinishReason::ToolCalls } else { reason }));
            }
            Delta::Usage(_) | Delta::Raw(_) => out.push(delta),
        }
        Ok(())
    }

    fn place(&self, part: u16) -> Place {
        self.places.get(usize::from(part)).copied().unwrap_or(Place::Scanned)
    }

    fn end_text(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let mut scanned = Vec::new();
        self.scanner.end(&mut scanned);
        self.emit(scanned, out)
    }

    fn emit(&mut self, scanned: Vec<Scanned>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        for piece in scanned {
            match piece {
                Scanned::Text(text) => self.parts.text(PartKind::Text, &text, out)?,
                Scanned::Reasoning(text) => self.parts.text(PartKind::Reasoning, &text, out)?,
                Scanned::Call(call) => {
                    self.called = true;
                    self.twins.write(call, &mut self.parts, out)?;
                }
            }
        }
        Ok(())
    }
}
