//! One log line and one count per request. Neither contains data from the client: they name the pattern of the route,
//! not the path.

use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::response::Response;

use crate::app::Shared;
use crate::error::ApiError;
use crate::metrics::method_label;

use super::request_id::RequestId;

/// A request in progress.
pub(super) struct Access {
    began: Instant,
    method: Method,
    pattern: Option<MatchedPath>,
}

impl Access {
    pub(super) fn begin(request: &Request) -> Self {
        let pattern = request.extensions().get().cloned();
        Self { began: Instant::now(), method: request.method().clone(), pattern }
    }

    /// Logs and counts the response. A stream counts as answered when it begins.
    pub(super) fn record(self, app: &Shared, id: &RequestId, response: &Response) {
        let route = self.pattern.as_ref().map_or("none", MatchedPath::as_str);
        app.metrics.answered(&self.method, route, response.status());
        // These values need no escaping, and checking them for it would be a sixth of the cost of the line.
        tracing::info!(
            method = %method_label(&self.method),
            route = %route,
            status = response.status().as_u16(),
            code = response.extensions().get::<ApiError>().map(|error| display(error.code().as_str())),
            ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX),
            request_id = %id.as_str(),
            "request answered"
        );
    }
}
