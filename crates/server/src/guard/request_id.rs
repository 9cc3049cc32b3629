//! Every request has an id, which its response and its lines in the log name.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::app::App;
use crate::error::ApiError;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Names the request, and finishes its response: the id, and the body of a refusal. The id is made here: what a client
/// calls its request is no id.
pub(super) async fn answer(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = app.ids.uuid(app.clock.now()).to_string();
    // Whatever is logged on behalf of the request names it.
    let span = tracing::error_span!("request", id);
    let mut response = next.run(request).instrument(span).await;
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        *response.body_mut() = Body::from(error.body(&id).to_string());
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let headers = response.headers_mut();
    headers.extend(HeaderValue::from_str(&id).map(|id| (X_REQUEST_ID, id)));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
