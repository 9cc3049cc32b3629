//! Routes that need authentication, each with the scope that its callers need.

use axum::Router;
use axum::http::Method;
use turnkit_core::AccessScope;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::SecurityRequirement;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::app::App;
use crate::auth::RouteScopes;

/// A router of authenticated requests. A route cannot be added to it without a scope.
pub(crate) struct ScopedRouter {
    router: OpenApiRouter<App>,
    scopes: RouteScopes,
}

impl ScopedRouter {
    pub(crate) fn new() -> Self {
        Self { router: OpenApiRouter::new(), scopes: RouteScopes::default() }
    }

    /// Adds routes that need `scope`. Their description in the OpenAPI document names it.
    pub(crate) fn routes(mut self, scope: AccessScope, routes: UtoipaMethodRouter<App>) -> Self {
        let (schemas, mut paths, handlers) = routes;
        for (path, item) in &mut paths.paths {
            for (method, operation) in operations(item) {
                let names = [scope.as_str()];
                let requirements = ["bearer", "header"].map(|scheme| SecurityRequirement::new(scheme, names));
                operation.security = Some(requirements.into());
                self.scopes.require(path, method, scope);
            }
        }
        Self { router: self.router.routes((schemas, paths, handlers)), scopes: self.scopes }
    }

    /// Adds all routes of another router.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.scopes.extend(other.scopes);
        Self { router: self.router.merge(other.router), scopes: self.scopes }
    }

    /// Returns the routes, and the scopes that they need.
    pub(crate) fn into_parts(self) -> (Router<App>, RouteScopes) {
        (self.router.split_for_parts().0, self.scopes)
    }

    /// Returns the router with its description, without the scopes.
    pub(super) fn into_described(self) -> OpenApiRouter<App> {
        self.router
    }
}

/// Returns the operations of a path, with their methods.
fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    let all = [
        (Method::GET, &mut item.get),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::DELETE, &mut item.delete),
        (Method::PATCH, &mut item.patch),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}
