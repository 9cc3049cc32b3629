//! The id of a request, named in its response and its log lines.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use tracing::Span;

use crate::app::Shared;
use crate::error::ApiError;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request. The server generates it; an id that the client sends is ignored.
pub(super) struct RequestId(String);

impl RequestId {
    pub(super) fn new(app: &Shared) -> Self {
        Self(app.ids.uuid(app.clock.now()).to_string())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns a span that adds the id to everything logged on behalf of the request.
    pub(super) fn span(&self) -> Span {
        tracing::error_span!("request", id = %self.0)
    }

    /// Completes a response: adds the id, and the body of an error unless its endpoint wrote one.
    pub(super) fn finish(self, mut response: Response) -> Response {
        let Self(id) = self;
        let refusal = response.extensions_mut().remove::<ApiError>();
        if let Some(error) = refusal.filter(|_| !response.headers().contains_key(header::CONTENT_TYPE)) {
            *response.body_mut() = Body::from(error.body(&id).to_json());
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        let headers = response.headers_mut();
        headers.extend(HeaderValue::try_from(id).map(|id| (X_REQUEST_ID, id)));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}
