//! Requests of the protocol over HTTP.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcError, JsonRpcRequest, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::time::sleep;
use turnkit_net::{HttpClient, NetError, Response, Target};

use crate::dispatch::Dispatch;
use crate::http_failure::HttpFailure;
use crate::sse::events;
use crate::tokens::Tokens;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The code of an error that the protocol does not define. Servers use it for sessions that they do not know.
const SERVER_ERROR: ErrorCode = ErrorCode(-32000);
/// The number of bytes of a refusal that are read.
const REFUSAL_BYTES: usize = 64 * 1024;
/// The pause before a stream is opened again.
const STREAM_PAUSE: Duration = Duration::from_millis(250);

type HttpError = StreamableHttpError<HttpFailure>;

/// A request, which is sent twice if the server refuses its access token.
#[derive(Clone)]
enum HttpRequest {
    Post(Vec<u8>),
    Get,
    Delete,
}

/// Sends the messages of one connection to a server. It follows no redirects.
#[derive(Clone)]
pub(crate) struct HttpTransport {
    client: HttpClient,
    target: Arc<Target>,
    tokens: Option<Tokens>,
    /// The maximum size of a message, in bytes.
    max_message: usize,
    /// Whether the stream that belongs to no request was opened before.
    has_own_stream: Arc<AtomicBool>,
    /// Whether the server has sent too many messages.
    flooded: Arc<AtomicBool>,
}

impl HttpTransport {
    pub(crate) fn new(client: HttpClient, target: Arc<Target>, tokens: Option<Tokens>, max_message: usize) -> Self {
        Self { client, target, tokens, max_message, has_own_stream: Arc::default(), flooded: Arc::default() }
    }

    /// Returns the flag that is set when the server has sent too many messages.
    pub(crate) fn flooded(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flooded)
    }

    /// Pauses before a stream is opened again: a stream that is cut is resumed at once, so a server that cuts each one
    /// would keep both sides busy. Each stream pauses on its own, because all streams of a connection may be cut at the
    /// same time. `last_event` is the event after which a stream resumes; absent for the first stream of a connection.
    async fn pause(&self, last_event: Option<&str>) {
        let is_first = last_event.is_none() && !self.has_own_stream.swap(true, Ordering::Relaxed);
        if !is_first {
            sleep(STREAM_PAUSE).await;
        }
    }

    fn target(
        &self,
        accept: &str,
        session: Option<&str>,
        headers: &HashMap<HeaderName, HeaderValue>,
    ) -> Result<Target, HttpError> {
        let add = || -> Result<Target, NetError> {
            let agent = concat!("turnkit/", env!("CARGO_PKG_VERSION"));
            let mut target = Target::clone(&self.target).header("accept", accept)?.header("user-agent", agent)?;
            for (name, value) in headers {
                let value = value.to_str().map_err(|_| NetError::Header(name.to_string()))?;
                target = target.header(name.as_str(), value)?;
            }
            match session {
                Some(session) => target.secret_header("mcp-session-id", session),
                None => Ok(target),
            }
        };
        add().map_err(|error| HttpError::Client(HttpFailure::NotSent(error)))
    }

    /// Sends a request, with an access token if the server needs one. If the server refuses the token, the request did
    /// not run, and is sent once more if there is another token.
    async fn send(&self, target: Target, request: HttpRequest, dispatch: &Dispatch) -> Result<Response, HttpFailure> {
        let Some(tokens) = &self.tokens else { return self.attempt(&target, request).await };
        dispatch.wait();
        let token = tokens.token().await?;
        dispatch.send()?;
        let response = self.attempt(&token.authorize(target.clone()), request.clone()).await?;
        if response.status() != 401 || !tokens.refused(&token) {
            return Ok(response);
        }
        // Its connection is of no further use.
        drop(response);
        dispatch.wait_again();
        let token = tokens.token().await?;
        dispatch.send()?;
        self.attempt(&token.authorize(target), request).await
    }

    async fn attempt(&self, target: &Target, request: HttpRequest) -> Result<Response, HttpFailure> {
        let response = match request {
            HttpRequest::Post(body) => self.client.post(target, body.into()).await,
            HttpRequest::Get => self.client.get(target).await,
            HttpRequest::Delete => self.client.delete(target).await,
        };
        response.map_err(HttpFailure::without_response)
    }

    /// Reads a successful response.
    async fn answer(
        &self,
        message: &ClientJsonRpcMessage,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let session = response.header("mcp-session-id").map(str::to_owned);
        let id = request_id(message);
        match media_type(&response).as_deref() {
            // Some servers acknowledge notifications with an empty or informal body.
            _ if id.is_none() => Ok(StreamableHttpPostResponse::Accepted),
            Some(EVENTS) => {
                let events = events(response.into_body(), self.max_message, &self.flooded);
                Ok(StreamableHttpPostResponse::Sse(events, session))
            }
            Some(JSON) => {
                let body = response.into_body().collect(self.max_message).await;
                let body = body.map_err(|error| HttpError::Client(HttpFailure::Cut(error)))?;
                let reply: ServerJsonRpcMessage = serde_json::from_slice(&body).map_err(|error| unreadable(&error))?;
                match replied_id(&reply) == id {
                    true => Ok(StreamableHttpPostResponse::Json(reply, session)),
                    false => Err(unreadable(&"it belongs to another request")),
                }
            }
            _ => Err(unreadable(&format!("its type is neither {JSON} nor {EVENTS}"))),
        }
    }

    /// Reads a response with a status from 400 to 499. If it holds an error of the protocol, that is the answer, except
    /// for an error with status 400 that concerns the session.
    async fn refusal(
        &self,
        message: &ClientJsonRpcMessage,
        has_session: bool,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let status = response.status();
        let refused = HttpError::Client(HttpFailure::Refused(status));
        let (Some(id), false) = (request_id(message), matches!(status, 401 | 403)) else { return Err(refused) };
        let is_discovery = matches!(
            message,
            ClientJsonRpcMessage::Request(request) if matches!(request.request, ClientRequest::DiscoverRequest(_))
        );
        let body = response.into_body().collect(REFUSAL_BYTES).await.unwrap_or_default();
        let error = match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
            Ok(ServerJsonRpcMessage::Error(refusal)) if !has_session || status != 400 || answers(&refusal, &id) => {
                refusal.error
            }
            // A server of an older protocol does not know the request. This answer lets the handshake go on with it.
            _ if is_discovery => ErrorData::invalid_request(format!("refused with status {status}"), None),
            _ if has_session && status == 400 => return Err(HttpError::Client(HttpFailure::SessionRefused)),
            _ => return Err(refused),
        };
        // The id is set again, because a server that refuses a request may not have read it.
        let reply = ServerJsonRpcMessage::error(error, Some(id));
        Ok(StreamableHttpPostResponse::Json(reply, None))
    }
}

impl StreamableHttpClient for HttpTransport {
    type Error = HttpFailure;

    async fn post_message(
        &self,
        _: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let accept = format!("{JSON}, {EVENTS}");
        let target = self.target(&accept, session.as_deref(), &headers)?.header("content-type", JSON);
        let target = target.map_err(|error| HttpError::Client(HttpFailure::NotSent(error)))?;
        let request = HttpRequest::Post(serde_json::to_vec(&message)?);
        let response = self.send(target, request, &dispatch_of(&message)).await.map_err(HttpError::Client)?;
        match response.status() {
            202 | 204 => Ok(StreamableHttpPostResponse::Accepted),
            200..=299 => self.answer(&message, response).await,
            404 if session.is_some() => Err(HttpError::SessionExpired),
            400..=499 => self.refusal(&message, session.is_some(), response).await,
            status => Err(HttpError::Client(HttpFailure::Failed(status))),
        }
    }

    async fn delete_session(
        &self,
        _: Arc<str>,
        session: Arc<str>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), HttpError> {
        let target = self.target(JSON, Some(&*session), &headers)?;
        match self.send(target, HttpRequest::Delete, &Dispatch::default()).await {
            Ok(response) if response.status() == 405 => Err(HttpError::ServerDoesNotSupportDeleteSession),
            Ok(_) => Ok(()),
            Err(failure) => Err(HttpError::Client(failure)),
        }
    }

    async fn get_stream(
        &self,
        _: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, HttpError> {
        self.pause(last_event.as_deref()).await;
        let mut target = self.target(EVENTS, session.as_deref(), &headers)?;
        if let Some(last_event) = last_event {
            let with_event = target.header("last-event-id", &last_event);
            target = with_event.map_err(|error| HttpError::Client(HttpFailure::NotSent(error)))?;
        }
        let response = self.send(target, HttpRequest::Get, &Dispatch::default()).await.map_err(HttpError::Client)?;
        match (response.status(), media_type(&response).as_deref()) {
            (200..=299, Some(EVENTS)) => Ok(events(response.into_body(), self.max_message, &self.flooded)),
            // To ask again would change nothing.
            (200..=299 | 400..=499, _) => Err(HttpError::ServerDoesNotSupportSse),
            (status, _) => Err(HttpError::Client(HttpFailure::Failed(status))),
        }
    }
}

fn media_type(response: &Response) -> Option<String> {
    let value = response.header("content-type")?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

/// Returns the progress of a request, which the caller of a tool has attached to it.
fn dispatch_of(message: &ClientJsonRpcMessage) -> Dispatch {
    let attached = match message {
        ClientJsonRpcMessage::Request(JsonRpcRequest { request: ClientRequest::CallToolRequest(call), .. }) => {
            call.extensions.get::<Dispatch>()
        }
        _ => None,
    };
    attached.cloned().unwrap_or_default()
}

fn request_id(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}

/// Reports whether an error is the answer to this request. Errors that concern the session have no id, that of no
/// request, or a code that servers choose for themselves.
fn answers(error: &JsonRpcError, id: &RequestId) -> bool {
    error.error.code != SERVER_ERROR && replied_id(&ServerJsonRpcMessage::Error(error.clone())).as_ref() == Some(id)
}

/// Returns the id of the request that a message answers. Some servers turn a number into a text.
fn replied_id(reply: &ServerJsonRpcMessage) -> Option<RequestId> {
    let id = match reply {
        ServerJsonRpcMessage::Response(response) => Some(response.id.clone()),
        ServerJsonRpcMessage::Error(error) => error.id.clone(),
        _ => None,
    };
    id.map(|id| match id {
        RequestId::String(text) => text.parse().map_or(RequestId::String(text), RequestId::Number),
        number => number,
    })
}

fn unreadable(why: &dyn std::fmt::Display) -> HttpError {
    HttpError::Client(HttpFailure::Unreadable(why.to_string()))
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use tokio::time::Instant;
    use turnkit_net::ClientOptions;

    use super::*;

    /// Returns how long streams that are opened at the same time pause.
    async fn paused(transport: &HttpTransport, events: &[Option<&str>]) -> Duration {
        let start = Instant::now();
        join_all(events.iter().map(|last_event| transport.pause(*last_event))).await;
        start.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn streams_that_are_cut_together_are_resumed_together() {
        let target = Arc::new(Target::new("http://localhost/mcp").unwrap());
        let transport = HttpTransport::new(HttpClient::new(&ClientOptions::default()), target, None, 1_000);
        assert_eq!(paused(&transport, &[None]).await, Duration::ZERO, "the first stream of the connection");
        for events in [&[None][..], &[Some("1"); 100], &[Some("2"), None, Some("2")]] {
            let paused = paused(&transport, events).await;
            assert!((STREAM_PAUSE..2 * STREAM_PAUSE).contains(&paused), "{events:?}: {paused:?}");
        }
    }
}
