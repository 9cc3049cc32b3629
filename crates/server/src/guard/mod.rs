//! What every request passes before its handler.

mod access;
mod body;
mod host;
mod origin;
mod panic;
mod request_id;
mod upload;

use std::pin::pin;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tracing::Instrument;

use crate::app::App;
use crate::error::{ApiError, Code};
use access::Access;
use host::Hosts;
use origin::Origins;
use request_id::RequestId;
pub(crate) use upload::Upload;

/// The guards of a server.
pub(crate) struct Guard {
    app: App,
    hosts: Hosts,
    origins: Origins,
}

impl Guard {
    pub(crate) fn new(app: App) -> Arc<Self> {
        let (hosts, origins) = (Hosts::new(&app.settings), Origins::new(&app.settings));
        Arc::new(Self { app, hosts, origins })
    }

    /// Puts a router whose requests need no key behind the guards. No body of theirs is read.
    pub(crate) fn open(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        router.method_not_allowed_fallback(wrong_method).layer(from_fn_with_state(Arc::clone(self), pass_open))
    }

    /// Puts a router behind the guards that is only for those who may ask.
    pub(crate) fn closed(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        let router = router.fallback(not_found).method_not_allowed_fallback(wrong_method);
        router.layer(from_fn_with_state(Arc::clone(self), pass_closed))
    }

    /// Puts a router behind the guards that is only for those who may ask, and whose handlers read bodies themselves.
    pub(crate) fn uploads(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        router.method_not_allowed_fallback(wrong_method).layer(from_fn_with_state(Arc::clone(self), pass_upload))
    }
}

async fn pass_open(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |request| Ok(next.run(request).await)).await
}

/// Who asks is known before a body is read.
async fn pass_closed(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |mut request| {
        guard.app.authentication.identify(&mut request)?;
        let request = body::read(&guard.app.settings, request).await?;
        Ok(next.run(request).await)
    })
    .await
}

/// No body is read, but the caller is known.
async fn pass_upload(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |mut request| {
        guard.app.authentication.identify(&mut request)?;
        Ok(next.run(request).await)
    })
    .await
}

/// What is around every `answer`, in this order: one function and not a layer for each, because a layer costs every request
/// allocations of its own.
async fn guarded(
    guard: &Guard,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Response {
    let id = RequestId::new(&guard.app);
    let access = Access::begin(&request);
    // Pinned here: the span would move it twice.
    let answer = pin!(for_known_page(guard, request, answer));
    let response = answer.instrument(id.span()).await.into_response();
    // Outside of the span, which would name the id a second time.
    access.record(&guard.app, &id, &response);
    id.finish(response)
}

async fn for_known_page(
    guard: &Guard,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Result<Response, ApiError> {
    let host = guard.hosts.check(&request)?;
    let page = guard.origins.check(&request, &host)?;
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
