//! One line of log and one count per request. Nothing a client chose is written: the route's pattern, not the path.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::error::ApiError;
use crate::metrics::method_label;

/// Writes down how a request was answered. A stream is answered when it begins.
pub(super) async fn record(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let pattern = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;

    let route = pattern.as_ref().map_or("none", MatchedPath::as_str);
    app.metrics.answered(&method, route, response.status());
    tracing::debug!(
        method = method_label(&method),
        route,
        status = response.status().as_u16(),
        code = response.extensions().get::<ApiError>().map(|error| tracing::field::debug(error.code())),
        ms = began.elapsed().as_millis(),
        "request answered"
    );
    response
}
