//! Storage of grants.

use super::BoxFuture;
use crate::{Grant, GrantId, Scope, SessionId, StoreError, Subject};

/// Stores grants. A grant is stored with the resolution that gives it: see
/// [`TurnStore::resolve`](super::TurnStore::resolve). The grants of a session are removed with the session.
pub trait GrantStore: Send + Sync {
    /// Returns the grants in this scope that may cover these calls: those of the session for the tool, and those for
    /// the subjects of the calls. The tool schemas are not compared.
    ///
    /// # Errors
    /// Storage failed.
    fn granted<'a>(&'a self, scope: &'a Scope, calls: GrantQuery) -> BoxFuture<'a, Result<Vec<Grant>, StoreError>>;

    /// Returns the grants in this scope, newest first.
    ///
    /// # Errors
    /// `NotFound` if the grant `page.after` does not exist; otherwise storage failed.
    fn grants<'a>(&'a self, scope: &'a Scope, page: GrantPage) -> BoxFuture<'a, Result<GrantList, StoreError>>;

    /// Removes a grant. Later calls need an approval again.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn revoke_grant<'a>(&'a self, scope: &'a Scope, grant: GrantId) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// The calls to find grants for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantQuery {
    /// The session of the calls.
    pub session: SessionId,
    /// The tool and the subject of each call.
    pub calls: Vec<(String, Subject)>,
}

/// A page of the list of grants in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantPage {
    /// The maximum number of grants.
    pub limit: u32,
    /// Only grants after this one in the list.
    pub after: Option<GrantId>,
}

/// The result for a [`GrantPage`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrantList {
    /// The grants, newest first.
    pub grants: Vec<Grant>,
    /// Grants in this page whose stored form is damaged, identified as far as that form allows.
    pub unreadable: Vec<String>,
    /// The last grant of the page, if there are more.
    pub next: Option<GrantId>,
}
