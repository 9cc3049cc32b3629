//! Metrics for a monitoring system.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use turnkit_core::AccessScope;
use utoipa_axum::routes;

use super::scoped::ScopedRouter;
use crate::app::App;
use crate::error::{ApiError, ErrorCode};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Metrics, routes!(metrics))
}

/// Read metrics
///
/// Counters, gauges and histograms of this process, in the text format of OpenMetrics. They cover all users. With
/// `server.metrics_listen`, they are at that address only, without a key.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "operation",
    responses((
        status = 200,
        description = "The metrics.",
        body = String,
        content_type = "application/openmetrics-text",
        example = json!("# TYPE turnkit_streams gauge\nturnkit_streams 2\n# EOF\n"),
    )),
)]
async fn metrics(State(app): State<App>) -> Result<impl IntoResponse, ApiError> {
    let text = app.metrics.encode().map_err(|_| ApiError::new(ErrorCode::Unavailable, "metrics cannot be written"))?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}
