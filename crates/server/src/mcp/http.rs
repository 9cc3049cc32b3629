//! Messages over HTTP: each is posted on its own, and the response to a call is an event stream.

use std::task::{Context, Poll, ready};

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use turnkit_core::ports::Detach;
use turnkit_core::{Frames, StoreError};
use uuid::Uuid;

use super::call::Call;
use super::fault::Fault;
use super::message::{self, Message, Request, RequestId};
use super::reply::Reply;
use super::revision::Revision;
use super::sender::{Disconnect, Sender};
use super::{headers, respond, response};
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::Head;
use crate::error::ApiError;
use crate::stream::{self, EventSource, Progress, with_turn_header};

/// The header with the connection of a client of an earlier revision. The server accepts any: it is a part of the names
/// of the client's requests, and selects nothing that the server keeps.
static SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

const MEDIA_TYPES: [&str; 2] = ["application/json", "text/event-stream"];

/// Handles a message.
pub(crate) async fn answer(
    app: &App,
    principal: &Principal,
    head: Head<'_>,
    body: &[u8],
) -> Result<Response, ApiError> {
    if !MEDIA_TYPES.into_iter().all(|media_type| head.accepts(media_type)) {
        let refused = ApiError::field("accept", "must name application/json and text/event-stream");
        return Err(refused.with_status(StatusCode::NOT_ACCEPTABLE));
    }
    let connection = connection(head.headers);
    let sender = Sender { app, principal, connection, headers: head.headers, disconnect: Disconnect::Leaves };
    let request = match message::read(body) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification(notification)) => {
            respond::notified(&sender, notification).await;
            return Ok(StatusCode::ACCEPTED.into_response());
        }
        Err((id, fault)) => return Ok(failed(id.as_ref(), &fault, Revision::Initialized)),
    };
    let id = request.id.clone();
    let revision = headers::check_version(head.headers, &request).and_then(|()| request.metadata.revision());
    let revision = match revision {
        Ok(revision) => revision,
        Err(fault) => return Ok(failed(Some(&id), &fault, Revision::Initialized)),
    };
    let begins = request.method == "initialize" && revision == Revision::Initialized;
    let mut response = match handle(sender, request, revision, body).await {
        Ok(Reply::Message(message)) => Json(message).into_response(),
        Ok(Reply::Call(call)) => {
            let (turn, source) = (call.turn(), CallSource { call, messages: Vec::new() });
            with_turn_header(turn, stream::of_source(app, principal, source, Frames::new(false)))
        }
        Err(fault) => failed(Some(&id), &fault, revision),
    };
    if begins && let Ok(connection) = HeaderValue::try_from(app.ids.uuid(app.clock.now()).to_string()) {
        response.headers_mut().insert(SESSION.clone(), connection);
    }
    Ok(response)
}

async fn handle(sender: Sender<'_>, request: Request, revision: Revision, body: &[u8]) -> Result<Reply, Fault> {
    let sender = match revision {
        Revision::Initialized => sender,
        Revision::Stateless => {
            headers::check_names(sender.headers, &request)?;
            // A client without a connection cannot name its request in a notification, so it closes the response.
            Sender { connection: None, disconnect: Disconnect::Cancels, ..sender }
        }
    };
    respond::handle(&sender, request, revision, body).await
}

/// Returns the connection that a client names, if it is one that a server issued.
fn connection(headers: &HeaderMap) -> Option<Uuid> {
    headers.get(&SESSION)?.to_str().ok()?.parse().ok()
}

fn failed(id: Option<&RequestId>, fault: &Fault, revision: Revision) -> Response {
    (fault.status(revision), Json(response::error(id, fault))).into_response()
}

/// A call as a source of events, one for each message.
struct CallSource {
    call: Box<Call>,
    messages: Vec<Value>,
}

impl CallSource {
    fn write(&mut self, out: &mut Frames) {
        for message in self.messages.drain(..) {
            out.json(Some("message"), &message);
        }
    }
}

impl EventSource for CallSource {
    fn poll_next(&mut self, context: &mut Context<'_>, out: &mut Frames) -> Poll<Result<Progress, StoreError>> {
        let progress = ready!(self.call.poll_next(context, &mut self.messages));
        self.write(out);
        Poll::Ready(progress)
    }

    fn detach(&mut self, why: Detach, out: &mut Frames) {
        self.call.detach(why, &mut self.messages);
        self.write(out);
    }
}
