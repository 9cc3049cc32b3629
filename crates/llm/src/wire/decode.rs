//! Decodes the bytes of an answer to deltas.

use std::fmt;

use turnkit_core::{Delta, FinishReason, ProviderError, ProviderErrorKind};

use super::failure::{self, bad_response};
use super::markup::Markup;
use super::{Vendor, Wire};
use crate::profile::MarkupRules;
use crate::sse::{Event, SseDecoder};

/// The byte order mark that some servers put before a body. It carries no information.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Decoder of one answer over a wire. A buffered answer takes the same path, as one event or several.
pub(super) trait Decode: fmt::Debug + Send {
    /// Decodes an event and appends its deltas to `out`. Returns `false` if the event could not be decoded.
    ///
    /// # Errors
    /// The provider reported a failure, or sent an answer that cannot be followed.
    fn take(&mut self, event: Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError>;

    /// Decodes a complete buffered answer, and ends it.
    ///
    /// # Errors
    /// The body is a failure, or not an answer.
    fn body(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError>;

    /// Ends the stream.
    ///
    /// # Errors
    /// [`Truncated`](ProviderErrorKind::Truncated) if the wire's terminator did not arrive;
    /// [`Overloaded`](ProviderErrorKind::Overloaded) if the stream was empty.
    fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError>;

    /// Returns the provider's own reason behind the reason `finish`; `None` if it gave none. The two differ where the
    /// content of the answer is more specific.
    fn provider_finish_reason(&self, finish: FinishReason) -> Option<FinishReason> {
        Some(finish)
    }

    /// Returns a copy of the decoder in its current state.
    fn copy(&self) -> Box<dyn Decode>;

    /// Reports whether the rest of the stream can be ignored.
    fn is_done(&self) -> bool;

    /// Reports whether the answer is complete. Only usage may still follow.
    fn is_complete(&self) -> bool {
        self.is_done()
    }
}

/// Decodes one answer: buffered, or streamed with its bytes split in any way.
#[derive(Debug, Clone)]
pub struct AnswerDecoder {
    sse: SseDecoder,
    decoder: Box<dyn Decode>,
    /// Extracts markup from the text, for models that write it there.
    markup: Option<Box<Markup>>,
}

impl AnswerDecoder {
    /// Creates a decoder of one answer over `wire` from `vendor`.
    pub fn new(wire: Wire, vendor: &Vendor) -> Self {
        Self { sse: SseDecoder::default(), decoder: wire.decoder(vendor), markup: None }
    }

    /// Returns the decoder with extraction of markup from the text.
    #[must_use]
    pub fn with_markup(self, rules: MarkupRules) -> Self {
        Self { markup: Markup::new(rules), ..self }
    }

    /// Decodes the next bytes of a streamed answer and appends their deltas to `out`.
    ///
    /// # Errors
    /// The provider reported a failure, or sent data that cannot be decoded. `out` holds the deltas before it.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.without_markup(out, |plain, out| plain.push_plain(bytes, out))
    }

    fn push_plain(&mut self, bytes: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.sse.push(bytes, |event| match self.decoder.take(event, out)? {
            true => Ok(()),
            false => Err(bad_response("an event of the answer could not be understood")),
        })
    }

    /// Ends a streamed answer. An event cut off by the end is ignored: if it was needed, the answer is incomplete.
    ///
    /// # Errors
    /// The answer is incomplete.
    pub fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.without_markup(out, |plain, out| {
            plain.sse.finish(|event| plain.decoder.take(event, out).map(drop))?;
            plain.decoder.end(out)
        })
    }

    /// Decodes a complete buffered answer and appends its deltas to `out`: the same ones as if streamed.
    ///
    /// # Errors
    /// The body is a failure, or not an answer.
    pub fn body(&mut self, body: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        self.without_markup(out, |plain, out| plain.decoder.body(&String::from_utf8_lossy(body), out))
    }

    /// Appends the deltas from `read` to `out`, with their markup extracted.
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

    pub(super) fn provider_finish_reason(&self, finish: FinishReason) -> Option<FinishReason> {
        self.decoder.provider_finish_reason(finish)
    }

    /// Reports whether the wire's terminator arrived, so the rest of the stream can be ignored.
    pub fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    /// Reports whether the answer is complete. Only usage may still follow.
    pub fn is_complete(&self) -> bool {
        self.decoder.is_complete()
    }
}

impl Clone for Box<dyn Decode> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// Corrects a finish reason by the presence of tool calls, because servers mix up the two words for it.
pub(super) fn finish_after(reason: FinishReason, has_calls: bool) -> FinishReason {
    match reason {
        FinishReason::Stop if has_calls => FinishReason::ToolCalls,
        FinishReason::ToolCalls if !has_calls => FinishReason::Stop,
        other => other,
    }
}

pub(super) fn empty() -> ProviderError {
    ProviderError::new(ProviderErrorKind::Overloaded, "the provider returned an empty answer")
}

pub(super) fn truncated() -> ProviderError {
    ProviderError::new(ProviderErrorKind::Truncated, "the provider's stream ended before the answer was complete")
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
