//! Health and readiness checks.

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

/// The time within which the database must respond.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(healthz)).routes(routes!(readyz))
}

/// The health of the process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    pub status: String,
}

/// The readiness of the server to handle requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// `ready`, `draining` or `degraded`.
    pub status: String,
    /// The parts that do not work. `database`: the database does not respond. `disk_full`, `database_read_only` or
    /// `database_writes`: reported from the first write that fails until one succeeds. `turns`: no turn is accepted
    /// because the lease of this process has expired; if other processes have taken over its turns, it must be
    /// restarted.
    pub degraded: Vec<String>,
}

/// Check that the process is up
///
/// Checks nothing else.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "healthz",
    tag = "operation",
    responses((status = 200, description = "The process is up.", body = Health, example = json!({ "status": "ok" }))),
)]
async fn healthz() -> Json<Health> {
    Json(Health { status: "ok".to_owned() })
}

/// Check that the server accepts turns
///
/// The server accepts turns if its database responds, the last write succeeded, its lease is valid, and it is not about
/// to stop. After a failed write, each of these requests tries another write.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readyz",
    tag = "operation",
    responses(
        (status = 200, description = "The server accepts turns.", body = Readiness, example = json!({ "status": "ready", "degraded": [] })),
        (
            status = 503,
            description = "The server does not accept turns; `degraded` lists the reasons.",
            body = Readiness,
            example = json!({ "status": "degraded", "degraded": ["disk_full"] }),
        ),
    ),
)]
async fn readyz(State(app): State<App>) -> (StatusCode, Json<Readiness>) {
    let mut degraded = Vec::new();
    if !database_responds(&app).await {
        degraded.push("database".to_owned());
    }
    degraded.extend(failing_writes(&app).await.map(str::to_owned));
    let is_draining = app.draining.is_cancelled();
    if !is_draining && !app.service.accepts_turns() {
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

/// If the last write failed, tries another one and returns the problem if that fails, too.
async fn failing_writes(app: &Shared) -> Option<&'static str> {
    match tokio::time::timeout(DATABASE_TIMEOUT, app.store.retry_writing()).await {
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

async fn database_responds(app: &Shared) -> bool {
    let scope = Scope::local();
    let lookup = app.store.session(&scope, SessionId::default());
    match tokio::time::timeout(DATABASE_TIMEOUT, lookup).await {
        Ok(Ok(_) | Err(StoreError::NotFound)) => true,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the database does not answer");
            false
        }
        Err(_) => false,
    }
}
