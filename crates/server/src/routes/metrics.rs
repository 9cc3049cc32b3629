//! Metrics for a monitoring system.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Overseer;
use crate::error::{ApiError, ErrorCode};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(metrics))
}

/// Read metrics
///
/// Counters, gauges and histograms of this process, in the text format of OpenMetrics. They cover all users, so if keys
/// are required, only the operator can read them.
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "operation",
    responses(
        (
            status = 200,
            description = "The metrics.",
            body = String,
            content_type = "application/openmetrics-text",
            example = json!("# TYPE turnkit_streams gauge\nturnkit_streams 2\n# EOF\n"),
        ),
        (status = 403, description = "`forbidden`: only the operator may read this."),
    ),
)]
async fn metrics(State(app): State<App>, _: Overseer) -> Result<impl IntoResponse, ApiError> {
    let text = app.metrics.encode().map_err(|_| ApiError::new(ErrorCode::Unavailable, "metrics cannot be written"))?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}
