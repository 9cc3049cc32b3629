//! The scope that each route needs.

use std::collections::HashMap;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use turnkit_core::AccessScope;

/// The scopes of routes, by the pattern of their path.
#[derive(Debug, Default)]
pub(crate) struct RouteScopes(HashMap<String, Vec<(Method, AccessScope)>>);

impl RouteScopes {
    /// Requires `scope` for requests with this method to this route.
    pub(crate) fn require(&mut self, pattern: &str, method: Method, scope: AccessScope) {
        self.0.entry(pattern.to_owned()).or_default().push((method, scope));
    }

    /// Adds the scopes of other routes.
    pub(crate) fn extend(&mut self, other: Self) {
        for (pattern, mut methods) in other.0 {
            self.0.entry(pattern).or_default().append(&mut methods);
        }
    }

    /// Returns the scope that the request needs; `None` if no route handles it.
    pub(super) fn of(&self, request: &Request) -> Option<AccessScope> {
        let methods = self.0.get(request.extensions().get::<MatchedPath>()?.as_str())?;
        // A route for GET also responds to HEAD.
        let method = if request.method() == Method::HEAD { &Method::GET } else { request.method() };
        methods.iter().find(|(known, _)| known == method).map(|(_, scope)| *scope)
    }
}
