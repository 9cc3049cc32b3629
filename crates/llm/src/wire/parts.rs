//! The numbering of an answer's parts.

use turnkit_core::{Delta, PartKind, ProviderError, ProviderErrorKind, Str};

/// Gives parts their numbers, and knows which text or reasoning is open.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    next: u16,
    open: Option<(u16, PartKind)>,
}

impl Parts {
    /// Whether `kind` continues the open part.
    pub(super) fn continues(&self, kind: PartKind) -> bool {
        self.open.is_some_and(|(_, open)| open == kind)
    }

    /// The open text or reasoning, if it is of this kind.
    pub(super) fn open(&self, kind: PartKind) -> Option<u16> {
        self.open.filter(|(_, open)| *open == kind).map(|(part, _)| part)
    }

    /// More text or reasoning: of the open part if it is of that kind, else of a new one.
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

    /// A part begins that only its own end closes, beside whatever is open.
    pub(super) fn begin(&mut self, kind: PartKind, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::start(part, kind));
        Ok(part)
    }

    /// A tool begins that the provider runs itself.
    pub(super) fn provider_tool(&mut self, id: &str, name: &str, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::provider_tool(part, id, name));
        Ok(part)
    }

    /// A tool call begins.
    pub(super) fn call(&mut self, id: Str, name: Str, out: &mut Vec<Delta>) -> Result<u16, ProviderError> {
        let part = self.number(out)?;
        out.push(Delta::call(part, id, name));
        Ok(part)
    }

    /// The open text or reasoning ends.
    pub(super) fn close(&mut self, out: &mut Vec<Delta>) {
        out.extend(self.open.take().map(|(part, _)| Delta::end(part)));
    }

    /// The number of the next part.
    pub(super) fn next(&self) -> u16 {
        self.next
    }

    /// Whether anything was said.
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
