//! Numbering of the parts of an answer.

use turnkit_core::{Delta, PartKind, ProviderError, ProviderErrorKind, Str};

/// The name of a call whose model wrote none. No tool can have it.
pub(super) const UNNAMED: &str = "(unnamed)";

/// Assigns numbers to parts, and tracks the open text or reasoning.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    next: u16,
    open: Option<(u16, PartKind)>,
}

impl Parts {
    /// Reports whether `kind` continues the open part.
    pub(super) fn continues(&self, kind: PartKind) -> bool {
        self.open.is_some_and(|(_, open)| open == kind)
    }

    /// Returns the open text or reasoning, if it is of this kind.
    pub(super) fn open(&self, kind: PartKind) -> Option<u16> {
        self.open.filter(|(_, open)| *open == kind).map(|(part, _)| part)
    }

    /// Adds text or reasoning: to the open part if it is of that kind, otherwise to a new one.
    pub(super) fn text(&mut self, kind: PartKind, text: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let part = match self.open {
            Some((part, open)) if open == kind => part,
            _ => {
                let part = self.number(out)?;
                self.open = Some((part, kind));
                out.push(Delta::start(part, kind));
                part
            }
        };
        out.push(Delta::text(part, text));
        Ok(())
    }

    /// Begins a part that only its own end closes. It is independent of the open part.
    pub(super) fn begin(&mut self, kind: PartKind, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::start(part, kind));
        Ok(part)
    }

    /// Begins the part of a tool that the provider runs itself.
    pub(super) fn provider_tool(&mut self, id: &str, name: &str, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::provider_tool(part, id, name));
        Ok(part)
    }

    /// Begins a tool call.
    pub(super) fn call(&mut self, id: Str, name: Str, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::call(part, id, name));
        Ok(part)
    }

    /// Ends the open text or reasoning.
    pub(super) fn close(&mut self, out: &mut Vec<Delta>) {
        out.extend(self.open.take().map(|(part, _)| Delta::end(part)));
    }

    /// Returns the number of the next part.
    pub(super) fn next(&self) -> u16 {
        self.next
    }

    /// Reports whether there are no parts yet.
    pub(super) fn is_empty(&self) -> bool {
        self.next == 0
    }

    fn number(&mut self, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        self.close(out);
        let part = self.next;
        let too_many = || ProviderError::new(ProviderErrorKind::AnswerTooLarge, "the answer has too many parts");
        self.next = part.checked_add(1).ok_or_else(too_many)?;
        Ok(part)
    }
}
