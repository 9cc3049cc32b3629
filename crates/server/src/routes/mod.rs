//! What the server can be asked. A route is made by `routes!` of a handler with `#[utoipa::path]`, so none is without
//! documentation.

mod health;
mod keys;
mod metrics;
mod probe;

use utoipa_axum::router::OpenApiRouter;

pub use health::{Health, Readiness};
pub use keys::{KeyList, KeyView, NewKey, NewKeyMade};

use crate::app::App;

/// Routes for those who may ask.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().merge(keys::router()).merge(metrics::router()).merge(probe::router())
}

/// Routes for everyone.
pub(crate) fn open() -> OpenApiRouter<App> {
    health::router()
}
