//! The stream of an answer. Body bytes become deltas; the end of the body becomes the end of the stream or an error.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use turnkit_core::{Delta, Phase, ProviderError, ProviderErrorKind};

use crate::deadline::Deadline;
use crate::endpoint::Endpoint;
use crate::network_error::timed_out;
use crate::recording::Recording;
use crate::upstream::UpstreamResponse;
use crate::wire::AnswerDecoder;

/// How long to wait for usage after the finish reason.
const AFTER_FINISH: Duration = Duration::from_secs(5);
/// How long to wait for the end of the body after the end of the answer. Reading to the end makes the connection
/// reusable.
const AFTER_DONE: Duration = Duration::from_millis(50);
/// Maximum number of body chunks per batch, so that a fast provider does not monopolise the task. One read may deliver
/// dozens of chunks, because a provider sends each event as a chunk.
const MAX_PIECES: usize = 256;

/// The deltas of one answer. Dropping it closes the connection.
#[derive(Debug)]
pub(crate) struct AnswerStream<R: UpstreamResponse> {
    body: R::Body,
    decoder: AnswerDecoder,
    /// The bytes received so far of a buffered answer; `None` if the answer is streamed.
    buffered: Option<Vec<u8>>,
    deadline: Deadline,
    endpoint: Arc<Endpoint>,
    /// The access token of the request. No error may repeat it.
    token: Option<Arc<str>>,
    recording: Option<Recording>,
    /// Deltas that were read before the stream was first polled.
    unread: Vec<Delta>,
    /// How the answer ended, until it is reported to the caller.
    ended: Option<Result<(), ProviderError>>,
    over: bool,
}

impl<R: UpstreamResponse> AnswerStream<R> {
    /// Creates the stream of a successful response: events, or one JSON object.
    ///
    /// # Errors
    /// The response is an HTML page.
    pub(crate) fn new(
        response: R,
        decoder: AnswerDecoder,
        deadline: Deadline,
        endpoint: Arc<Endpoint>,
        token: Option<Arc<str>>,
        recording: Option<Recording>,
    ) -> Result<Self, ProviderError> {
        let media_type = response.header("content-type").unwrap_or_default().to_ascii_lowercase();
        if media_type.contains("html") {
            let message = "the provider answered with a web page; is base_url right?";
            let error = ProviderError::new(ProviderErrorKind::BadResponse, message);
            return Err(endpoint.sign(ProviderError { status: Some(response.status()), ..error }, None));
        }
        let buffered = media_type.contains("json").then(Vec::new);
        Ok(Self {
            body: response.into_body(),
            decoder,
            buffered,
            deadline,
            endpoint,
            token,
            recording,
            unread: Vec::new(),
            ended: None,
            over: false,
        })
    }

    /// Returns deltas to the stream that were read from it.
    pub(crate) fn unread(&mut self, deltas: Vec<Delta>) {
        self.unread = deltas;
    }

    /// Decodes the bytes that have arrived.
    fn read(&mut self, cx: &mut Context<'_>, out: &mut Vec<Delta>) {
        for _ in 0..MAX_PIECES {
            match Pin::new(&mut self.body).poll_next(cx) {
                Poll::Ready(Some(Ok(bytes))) => self.take(&bytes, out),
                Poll::Ready(Some(Err(error))) => self.break_off(error, out),
                Poll::Ready(None) => self.end(out),
                Poll::Pending => {
                    self.recording.iter_mut().for_each(Recording::pause);
                    if let Poll::Ready(phase) = self.deadline.poll(cx) {
                        self.break_off(timed_out(phase), out);
                    }
                    return;
                }
            }
            if self.ended.is_some() {
                return;
            }
        }
        if self.deadline.has_passed() {
            self.break_off(timed_out(Phase::Total), out);
            return;
        }
        // There may be more data. Yield to other tasks first.
        cx.waker().wake_by_ref();
    }

    fn take(&mut self, bytes: &[u8], out: &mut Vec<Delta>) {
        self.recording.iter_mut().for_each(|recording| recording.read(bytes));
        let mut wait = self.endpoint.timeouts.idle;
        if let Some(whole) = &mut self.buffered {
            whole.extend_from_slice(bytes);
        } else if let Err(error) = self.decoder.push(bytes, out) {
            self.ended = Some(Err(error));
            return;
        } else if self.decoder.is_done() {
            wait = wait.min(AFTER_DONE);
        } else if self.decoder.is_complete() {
            wait = wait.min(AFTER_FINISH);
        }
        self.deadline.extend(wait);
    }

    /// Handles the end of the body.
    fn end(&mut self, out: &mut Vec<Delta>) {
        self.recording.iter_mut().for_each(Recording::whole);
        self.ended = Some(match &self.buffered {
            None => self.decoder.end(out),
            Some(whole) => self.decoder.body(whole, out),
        });
    }

    /// Handles the loss of the rest of the body. This is an error only if the answer is incomplete.
    fn break_off(&mut self, error: ProviderError, out: &mut Vec<Delta>) {
        self.recording.iter_mut().for_each(|recording| recording.failed(&error));
        self.ended = Some(if self.decoder.is_complete() { self.decoder.end(out) } else { Err(error) });
    }
}

impl<R: UpstreamResponse> Stream for AnswerStream<R> {
    type Item = Result<Vec<Delta>, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.over {
            return Poll::Ready(None);
        }
        let mut out = std::mem::take(&mut self.unread);
        if out.is_empty() && self.ended.is_none() {
            self.read(cx, &mut out);
        }
        if !out.is_empty() {
            return Poll::Ready(Some(Ok(out)));
        }
        match self.ended.take() {
            None => Poll::Pending,
            Some(ended) => {
                self.over = true;
                Poll::Ready(ended.err().map(|error| Err(self.endpoint.sign(error, self.token.as_deref()))))
            }
        }
    }
}
