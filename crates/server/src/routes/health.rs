//! Whether the server lives, and whether it is of use.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use turnkit_core::{Scope, SessionId, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::{App, Shared};

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz))
}

/// That the process is up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
}

/// Whether requests are worth sending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// `ready`, `draining` or `degraded`.
    pub status: String,
    /// What does not work: `database` if it does not answer; `disk_full`, `database_read_only` or `database_writes` from
    /// the first write that fails, until one succeeds; `turns` if no turn is accepted because the lease of this process is
    /// over. If other processes have taken its turns, it must be restarted.
    pub degraded: Vec<String>,
}

/// See whether the process is up
///
/// It asks nothing else.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "It is.", body = Health, example = json!({ "status": "ok" }))),
)]
async fn healthz() -> Json<Health> {
    Json(Health { status: "ok".to_owned() })
}

/// See whether the server takes turns
///
/// It does if its database answers, the last write succeeded, its lease holds, and it is not about to stop. After a
/// write that failed, each of these requests tries another one.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readyz",
    tag = "operation",
    responses(
        (status = 200, description = "It does.", body = Readiness, example = json!({ "status": "ready", "degraded": [] })),
        (
            status = 503,
            description = "It does not, and why.",
            body = Readiness,
            example = json!({ "status": "degraded", "degraded": ["disk_full"] }),
        ),
    ),
)]
async fn readyz(State(app): State<App>) -> (StatusCode, Json<Readiness>) {
    let mut degraded = Vec::new();
    if !database_answers(&app).await {
        degraded.push("database".to_owned());
    }
    degraded.extend(failing_writes(&app).await.map(str::to_owned));
    let is_draining = app.draining.is_cancelled();
    if !is_draining && !app.service.takes_turns() {
        degraded.push("turns".to_owned());
    }
    let (code, status) = if is_draining {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if !degraded.is_empty() {
        (StatusCode::SERVICE_UNAVAILABLE, "degraded")
    } else {
        (StatusCode::OK, "ready")
    };
    (code, Json(Readiness { status: status.to_owned(), degraded }))
}

/// What is wrong with writes, if the last one failed and so does another.
async fn failing_writes(app: &Shared) -> Option<&'static str> {
    match tokio::time::timeout(PATIENCE, app.store.retry_writing()).await {
        Ok(Ok(())) => None,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database cannot be written");
            Some(match error {
                StoreError::Full(_) => "disk_full",
                StoreError::ReadOnly(_) => "database_read_only",
                _ => "database_writes",
            })
        }
        Err(_) => Some("database_writes"),
    }
}

async fn database_answers(app: &Shared) -> bool {
    let scope = Scope::local();
    let nobodys = app.store.session(&scope, SessionId::default());
    match tokio::time::timeout(PATIENCE, nobodys).await {
        Ok(Ok(_) | Err(StoreError::NotFound)) => true,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            false
        }
        Err(_) => false,
    }
}
