//! What the server can be asked. A route is made by `routes!` of a handler with `#[utoipa::path]`, so none is without
//! documentation.

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// Routes for those who may ask.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}

/// Routes for everyone.
pub(crate) fn open() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
