//! The guards that every request passes before its handler.

mod access;
mod body;
mod download;
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
use crate::auth::RouteScopes;
use crate::error::{ApiError, ErrorCode};
use access::Access;
pub(crate) use download::download;
use host::Hosts;
use origin::Origins;
use request_id::RequestId;
pub(crate) use upload::Upload;

/// The guards of a server.
pub(crate) struct Guard {
    app: App,
    hosts: Hosts,
    origins: Origins,
    scopes: RouteScopes,
}

impl Guard {
    /// Creates the guards of a server. `scopes` has the scopes of all routes whose requests must be authenticated.
    pub(crate) fn new(app: App, scopes: RouteScopes) -> Arc<Self> {
        let (hosts, origins) = (Hosts::new(&app.settings), Origins::new(&app.settings));
        Arc::new(Self { app, hosts, origins, scopes })
    }

    /// Creates the guards of a listener for metrics. Its clients may name it by any IP address.
    pub(crate) fn of_metrics(app: App) -> Arc<Self> {
        let (hosts, origins) = (Hosts::with_addresses(&app.settings), Origins::new(&app.settings));
        Arc::new(Self { app, hosts, origins, scopes: RouteScopes::default() })
    }

    /// Adds the guards to the only router of a listener, whose requests need no key. Their bodies are not read.
    pub(crate) fn alone(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        self.open(router.fallback(not_found))
    }

    /// Adds the guards to a router whose requests need no key. Their bodies are not read.
    pub(crate) fn open(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        router.method_not_allowed_fallback(wrong_method).layer(from_fn_with_state(Arc::clone(self), pass_open))
    }

    /// Adds the guards to a router whose requests must be authenticated.
    pub(crate) fn closed(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        let router = router.fallback(not_found).method_not_allowed_fallback(wrong_method);
        router.layer(from_fn_with_state(Arc::clone(self), pass_closed))
    }

    /// Adds the guards to a router whose requests must be authenticated, and whose handlers read bodies themselves.
    pub(crate) fn uploads(self: &Arc<Self>, router: Router<App>) -> Router<App> {
        router.method_not_allowed_fallback(wrong_method).layer(from_fn_with_state(Arc::clone(self), pass_upload))
    }
}

async fn pass_open(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |request| Ok(next.run(request).await)).await
}

/// Authenticates the caller before it reads the body.
async fn pass_closed(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |mut request| {
        guard.app.authentication.identify(&mut request, &guard.scopes).await?;
        let request = body::read(&guard.app.settings, request).await?;
        Ok(next.run(request).await)
    })
    .await
}

/// Authenticates the caller but leaves the body to the handler.
async fn pass_upload(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    guarded(&guard, request, async |mut request| {
        guard.app.authentication.identify(&mut request, &guard.scopes).await?;
        Ok(next.run(request).await)
    })
    .await
}

/// Wraps every `answer` in the guards, in the order of this code. It is one function rather than several layers,
/// because each layer would cost every request additional allocations.
async fn guarded(
    guard: &Guard,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Response {
    let id = RequestId::new(&guard.app);
    let access = Access::begin(&request);
    // Pinned here, because the span would move the future twice.
    let answer = pin!(for_known_page(guard, request, answer));
    let response = answer.instrument(id.span()).await.into_response();
    // Recorded outside the span, which would log the id a second time.
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
        // Panics are caught inside the origin check, so that a page can read that its request failed.
        None => panic::catch(answer(request)).await,
    };
    Ok(page.share(response))
}

async fn not_found() -> ApiError {
    ApiError::not_found()
}

async fn wrong_method() -> ApiError {
    ApiError::new(ErrorCode::MethodNotAllowed, "the route does not have this method")
}
