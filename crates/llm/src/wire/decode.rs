//! From the bytes of an answer to deltas.

use std::fmt;

use turnkit_core::{Delta, FinishReason, ProviderError, ProviderErrorKind};

use super::failure::{self, bad_response};
use super::markup::Markup;
use super::{Vendor, Wire};
use crate::profile::MarkupRules;
use crate::sse::{Event, SseDecoder};

/// What some servers put before a body; nothing is said with it.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a wire makes of the events of one answer. A buffered answer goes the same way, as one event or a few.
pub(super) trait Decode: fmt::Debug + Send {
    /// Takes an event and adds what it says to `out`. False if it could not be understood.
    ///
    /// # Errors
    /// The provider reported a failure, or an answer nobody can follow.
    fn take(&mut self, event: Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError>;

    /// Takes a whole buffered answer, and ends it.
    ///
    /// # Errors
    /// The body is a failure or no answer.
    fn body(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError>;

    /// The stream has ended.
    ///
    /// # Errors
    /// [`Truncated`](ProviderErrorKind::Truncated) if the wire's terminator did not come;
    /// [`Overloaded`](ProviderErrorKind::Overloaded) if nothing came at all.
    fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError>;

    /// The provider's own reason for the stop that became `finish`; nothing if it gave none. They differ where what the
    /// answer holds says more.
    fn told_finish(&self, finish: FinishReason) -> Option<FinishReason> {
        Some(finish)
    }

    /// The decoder as it stands.
    fn copy(&self) -> Box<dyn Decode>;

    /// Whether nothing that follows matters.
    fn is_done(&self) -> bool;

    /// Whether the answer is whole; only usage is still welcome.
    fn is_complete(&self) -> bool {
        self.is_done()
    }
}

/// Decodes one answer: streamed, from its bytes however they were split, or buffered.
#[derive(Debug, Clone)]
pub struct AnswerDecoder {
    sse: SseDecoder,
    decoder: Box<dyn Decode>,
    /// What takes markup out of the text, for models that write it there.
    markup: Option<Box<Markup>>,
}

impl AnswerDecoder {
    /// The decoder of one answer over `wire` from `vendor`.
    pub fn new(wire: Wire, vendor: &Vendor) -> Self {
        Self { sse: SseDecoder::default(), decoder: wire.decoder(vendor), markup: None }
    }

    /// The same decoder for an answer with markup in its text.
    #[must_use]
    pub fn with_markup(self, rules: MarkupRules) -> Self {
        Self { markup: Markup::new(rules), ..self }
    }

    /// Takes what was read of a streamed answer and adds what it says to `out`.
    ///
    /// # Errors
    /// The provider reported a failure, or sent what cannot be understood. `out` holds what came before.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.without_markup(out, |plain, out| plain.push_plain(bytes, out))
    }

    fn push_plain(&mut self, bytes: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.sse.push(bytes, |event| match self.decoder.take(event, out)? {
            true => Ok(()),
            false => Err(bad_response("an event of the answer could not be understood")),
        })
    }

    /// A streamed answer has ended. An event that this cut off is passed over: whether it was needed shows by itself.
    ///
    /// # Errors
    /// The answer is not whole.
    pub fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.without_markup(out, |plain, out| {
            plain.sse.finish(|event| plain.decoder.take(event, out).map(drop))?;
            plain.decoder.end(out)
        })
    }

    /// Takes a whole buffered answer and adds what it says to `out`: the same deltas, at once.
    ///
    /// # Errors
    /// The body is a failure or no answer.
    pub fn body(&mut self, body: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        self.without_markup(out, |plain, out| plain.decoder.body(&String::from_utf8_lossy(body), out))
    }

    /// Adds to `out` what `read` reads, without the markup in it.
    fn without_markup(
        &mut self,
        out: &mut Vec<Delta>,
        read: impl FnOnce(&mut Self, &mut Vec<Delta>) -> Result<(), ProviderError>,
    ) -> Result<(), ProviderError> {
        let Some(mut markup) = self.markup.take() else { return read(self, out) };
        let mut marked = Vec::new();
        let ended = read(self, &mut marked);
        let taken = marked.into_iter().try_for_each(|delta| markup.take(delta, out));
        self.markup = Some(markup);
        taken.and(ended)
    }

    pub(super) fn told_finish(&self, finish: FinishReason) -> Option<FinishReason> {
        self.decoder.told_finish(finish)
    }

    /// Whether the wire's last word came: nothing that follows matters.
    pub fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    /// Whether the answer is whole; only usage is still welcome.
    pub fn is_complete(&self) -> bool {
        self.decoder.is_complete()
    }
}

impl Clone for Box<dyn Decode> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// Why a model stopped that has or has not made calls: servers mix up the words for it.
pub(super) fn finish_after(reason: FinishReason, has_calls: bool) -> FinishReason {
    match reason {
        FinishReason::Stop if has_calls => FinishReason::ToolCalls,
        FinishReason::ToolCalls if !has_calls => FinishReason::Stop,
        other => other,
    }
}

pub(super) fn empty() -> ProviderError {
    ProviderError::new(ProviderErrorKind::Overloaded, "the provider answered with success and said nothing")
}

pub(super) fn truncated() -> ProviderError {
    ProviderError::new(ProviderErrorKind::Truncated, "the provider's stream ended before the answer was whole")
}

/// The error of a tool call that the provider could not parse, with the provider's explanation.
pub(super) fn malformed_call(why: Option<&str>) -> ProviderError {
    let kind = ProviderErrorKind::MalformedCall;
    let sentence = failure::sentence(kind);
    ProviderError::new(kind, why.map_or_else(|| sentence.to_owned(), |why| format!("{sentence}: {}", why.trim())))
}

pub(super) fn not_an_answer() -> ProviderError {
    bad_response("the provider's answer could not be understood")
}
