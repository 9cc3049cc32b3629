//! What every request passes before its handler, from the outside in.

mod access;
mod body;
mod host;
mod origin;
mod panic;
mod request_id;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};

pub(crate) use host::Hosts;
pub(crate) use origin::Origins;

use crate::app::App;
use crate::auth;
use crate::error::{ApiError, Code};

/// Puts a router whose requests need no key behind the guards. No body of theirs is read.
pub(crate) fn open(router: Router<App>) -> Router<App> {
    router.method_not_allowed_fallback(wrong_method)
}

/// Puts a router behind the guards that is only for those who may ask. They are known before a body is read.
pub(crate) fn closed(router: Router<App>, app: &App) -> Router<App> {
    open(router.fallback(not_found))
        // How large a body may be is said by the settings.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(App::clone(app), body::read))
        .layer(from_fn_with_state(App::clone(app), auth::identify))
}

/// What is around both: the first guard a request meets is the last one here.
pub(crate) fn outer(router: Router<App>, app: &App) -> Router<App> {
    router
        // A page may read that its request failed, so what catches it is inside of what tells pages apart.
        .layer(from_fn(panic::catch))
        .layer(from_fn_with_state(App::clone(app), origin::check))
        .layer(from_fn_with_state(App::clone(app), host::check))
        .layer(from_fn_with_state(App::clone(app), access::record))
        .layer(from_fn_with_state(App::clone(app), request_id::answer))
}

async fn not_found() -> ApiError {
    ApiError::not_found()
}

async fn wrong_method() -> ApiError {
    ApiError::new(Code::InvalidRequest, "the route does not have this method")
        .with_status(StatusCode::METHOD_NOT_ALLOWED)
}
