//! Sends a request to a provider and waits for the start of the answer.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use turnkit_core::ports::CallContext;
use turnkit_core::{Delta, ProviderError};
use turnkit_net::Target;

use crate::answer::AnswerStream;
use crate::deadline::Deadline;
use crate::endpoint::Endpoint;
use crate::network_error::timed_out;
use crate::profile::MarkupRules;
use crate::recording::{Exchange, Recorder, Recording, secrets};
use crate::retry_after::retry_after;
use crate::upstream::{Upstream, UpstreamResponse};
use crate::wire::{AnswerDecoder, ErrorResponse, Vendor, Wire};

/// Maximum size of the part of a failed response that is read, in bytes.
const MAX_ERROR_BODY: usize = 64 * 1024;

/// Transport to one endpoint.
#[derive(Debug)]
pub(crate) struct Transport<U> {
    pub(crate) endpoint: Arc<Endpoint>,
    pub(crate) vendor: Vendor,
    pub(crate) upstream: U,
    /// The recorder of the exchanges, if they are recorded.
    pub(crate) recorder: Option<Arc<Recorder>>,
}

/// A request ready to be sent.
#[derive(Debug)]
pub(crate) struct Outgoing<'a> {
    pub(crate) target: Cow<'a, Target>,
    pub(crate) body: Bytes,
    /// The access token in `target`, if there is one.
    pub(crate) token: Option<Arc<str>>,
    pub(crate) call: &'a CallContext,
    pub(crate) model: &'a str,
    /// The markup to extract from the text of the answer.
    pub(crate) markup: MarkupRules,
}

impl<U: Upstream> Transport<U> {
    /// Sends a request and returns the answer once its first event with output has arrived.
    ///
    /// The answer is on the heap: otherwise, each future that returns it would hold and copy it.
    pub(crate) async fn open(&self, request: Outgoing<'_>) -> Result<Box<AnswerStream<U::Response>>, ProviderError> {
        let mut recording = self.record(&request);
        let mut deadline = Deadline::new(&self.endpoint.timeouts);
        let asked = deadline.guard(self.upstream.send(&request.target, &request.body)).await;
        let response = asked.map_err(timed_out).and_then(|asked| asked);
        let Outgoing { token, markup, .. } = request;
        let response = response.map_err(|error| {
            recording.iter_mut().for_each(|recording| recording.failed(&error));
            self.endpoint.sign(error, token.as_deref())
        })?;
        recording.iter_mut().for_each(|recording| recording.head(response.status(), |name| response.header(name)));
        if !(200..300).contains(&response.status()) {
            let error = refused(self.endpoint.wire, response, &mut deadline, recording).await;
            return Err(self.endpoint.sign(error, token.as_deref()));
        }
        let decoder = AnswerDecoder::new(self.endpoint.wire, &self.vendor).with_markup(markup);
        let endpoint = Arc::clone(&self.endpoint);
        begun(Box::new(AnswerStream::new(response, decoder, deadline, endpoint, token, recording)?)).await
    }

    fn record(&self, Outgoing { target, body, call, model, .. }: &Outgoing<'_>) -> Option<Recording> {
        let recorder = self.recorder.as_ref()?;
        let exchange = Exchange::begun(&self.endpoint, target, call, model);
        Some(recorder.begin(exchange, body.clone(), &secrets(&self.endpoint, target)))
    }
}

/// Reads up to the first output. A failure before it leaves no trace, so another provider can be asked.
async fn begun<R: UpstreamResponse>(mut answer: Box<AnswerStream<R>>) -> Result<Box<AnswerStream<R>>, ProviderError> {
    let mut said = Vec::new();
    while let Some(batch) = std::future::poll_fn(|cx| Pin::new(&mut answer).poll_next(cx)).await {
        said.append(&mut batch?);
        if said.iter().any(|delta| delta.is_output() || matches!(delta, Delta::Finish(_))) {
            break;
        }
    }
    answer.unread(said);
    Ok(answer)
}

async fn refused(
    wire: Wire,
    response: impl UpstreamResponse,
    deadline: &mut Deadline,
    mut recording: Option<Recording>,
) -> ProviderError {
    let status = response.status();
    let retry_after = retry_after(|name| response.header(name));
    // If the explanation of a failure does not arrive, the failure itself is still reported.
    let body = deadline.guard(response.collect(MAX_ERROR_BODY)).await;
    let body = body.map_err(timed_out).and_then(|body| body);
    if let Some(recording) = &mut recording {
        match &body {
            Ok(body) => recording.whole_body(body),
            Err(error) => recording.failed(error),
        }
    }
    let read = body.as_deref().unwrap_or_default();
    let mut refusal = wire.classify(&ErrorResponse { status, retry_after, body: read });
    if let Err(unread) = body {
        refusal.message.push_str(&format!("; its explanation could not be read: {}", unread.message));
    }
    refusal
}
