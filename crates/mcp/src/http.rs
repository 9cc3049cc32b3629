//! Requests of the protocol over HTTP.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue};
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, JsonRpcError, RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;
use tokio::time::{Instant, sleep_until};
use turnkit_net::{HttpClient, NetError, Response, Target};

use crate::http_failure::HttpFailure;
use crate::sse::events;
use crate::tokens::Tokens;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The code of an error that the protocol does not define. Servers use it for sessions that they do not know.
const SERVER_ERROR: ErrorCode = ErrorCode(-32000);
/// The number of bytes of a refusal that are read.
const REFUSAL_BYTES: usize = 64 * 1024;
/// The shortest time between two streams of a connection.
const STREAM_INTERVAL: Duration = Duration::from_millis(250);

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
    /// When the next stream may be opened.
    next_stream: Arc<Mutex<Instant>>,
    /// Whether the server has sent too many messages.
    flooded: Arc<AtomicBool>,
}

impl HttpTransport {
    pub(crate) fn new(client: HttpClient, target: Arc<Target>, tokens: Option<Tokens>, max_message: usize) -> Self {
        let next_stream = Arc::new(Mutex::new(Instant::now()));
        Self { client, target, tokens, max_message, next_stream, flooded: Arc::default() }
    }

    /// Returns the flag that is set when the server has sent too many messages.
    pub(crate) fn flooded(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flooded)
    }

    /// Waits for the time at which the next stream may be opened. A stream that is cut is opened again at once, so a
    /// server that cuts each one would keep both sides busy.
    async fn wait_for_stream(&self) {
        let at = {
            let mut next = self.next_stream.lock().unwrap_or_else(PoisonError::into_inner);
            let at = (*next).max(Instant::now());
            *next = at + STREAM_INTERVAL;
            at
        };
        sleep_until(at).await;
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
    async fn send(&self, target: Target, request: HttpRequest) -> Result<Response, HttpFailure> {
        let Some(tokens) = &self.tokens else { return self.attempt(&target, request).await };
        let token = tokens.token().await?;
        let response = self.attempt(&token.authorize(target.clone()), request.clone()).await?;
        if response.status() != 401 || !tokens.refused(&token) {
            return Ok(response);
        }
        // Its connection is of no further use.
        drop(response);
        let token = tokens.token().await?;
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
        let response = self.send(target, request).await.map_err(HttpError::Client)?;
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
        match self.send(target, HttpRequest::Delete).await {
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
        self.wait_for_stream().await;
        let mut target = self.target(EVENTS, session.as_deref(), &headers)?;
        if let Some(last_event) = last_event {
            let with_event = target.header("last-event-id", &last_event);
            target = with_event.map_err(|error| HttpError::Client(HttpFailure::NotSent(error)))?;
        }
        let response = self.send(target, HttpRequest::Get).await.map_err(HttpError::Client)?;
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
