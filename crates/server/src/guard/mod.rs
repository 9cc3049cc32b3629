//! What every request passes before its handler.

mod access;
mod body;
mod host;
mod origin;
mod panic;
mod request_id;

use std::pin::pin;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

pub(crate) use host::Hosts;
pub(crate) use origin::Origins;

use crate::app::App;
use crate::auth;
use crate::error::{ApiError, Code};
use access::Access;
use request_id::RequestId;

/// Puts a router whose requests need no key behind the guards. No body of theirs is read.
pub(crate) fn open(router: Router<App>, app: &App) -> Router<App> {
    router.method_not_allowed_fallback(wrong_method).layer(from_fn_with_state(App::clone(app), pass_open))
}

/// Puts a router behind the guards that is only for those who may ask.
pub(crate) fn closed(router: Router<App>, app: &App) -> Router<App> {
    let router = router.fallback(not_found).method_not_allowed_fallback(wrong_method);
    router.layer(from_fn_with_state(App::clone(app), pass_closed))
}

async fn pass_open(State(app): State<App>, request: Request, next: Next) -> Response {
    guarded(&app, request, async |request| Ok(next.run(request).await)).await
}

/// Who asks is known before a body is read.
async fn pass_closed(State(app): State<App>, request: Request, next: Next) -> Response {
    guarded(&app, request, async |mut request| {
        auth::identify(&app, &mut request)?;
        let request = body::read(&app.settings, request).await?;
        Ok(next.run(request).await)
    })
    .await
}

/// What is around every `answer`, in this order: one function and not a layer for each, because a layer costs every request
/// allocations of its own.
async fn guarded(
    app: &App,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Response {
    let id = RequestId::new(app);
    let access = Access::begin(&request);
    // Pinned here: the span would move it twice.
    let answer = pin!(for_known_page(app, request, answer));
    let response = answer.instrument(id.span()).await.into_response();
    // Outside of the span, which would name the id a second time.
    access.record(app, &id, &response);
    id.finish(response)
}

async fn for_known_page(
    app: &App,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Result<Response, ApiError> {
    let host = host::check(app, &request)?;
    let page = origin::check(app, &request, &host)?;
    let response = match page.preflight(&request) {
        Some(response) => response,
        // A page may read that its request failed, so what catches a panic is inside of what tells pages apart.
        None => panic::catch(answer(request)).await,
    };
    Ok(page.share(response))
}

async fn not_found() -> ApiError {
    ApiError::not_found()
}

async fn wrong_method() -> ApiError {
    ApiError::new(Code::MethodNotAllowed, "the route does not have this method")
}
