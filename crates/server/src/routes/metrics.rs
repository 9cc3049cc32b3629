//! What is counted, for a monitoring system.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Principal;
use crate::error::{ApiError, Code};

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(metrics))
}

/// Counters and gauges of this process, in the text format of OpenMetrics.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses(
    (status = 200, body = String, content_type = "application/openmetrics-text"),
))]
async fn metrics(State(app): State<App>, _: Principal) -> Result<impl IntoResponse, ApiError> {
    let text = app.metrics.encode().map_err(|_| ApiError::new(Code::Unavailable, "metrics cannot be written"))?;
    Ok(([(CONTENT_TYPE, OPEN_METRICS)], text))
}
