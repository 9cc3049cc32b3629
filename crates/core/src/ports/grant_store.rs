//! Where grants are kept.

use super::BoxFuture;
use crate::{Grant, GrantId, Scope, SessionId, StoreError, Subject};

/// Keeps what people granted. Grants are stored with the decision that gives them: see
/// [`TurnStore::resolve`](super::TurnStore::resolve). Those of a session are removed with it.
pub trait GrantStore: Send + Sync {
    /// Returns the grants of an owner that may be about these calls: those of the session for the tool, and those for what a
    /// call touches. The schema of the tool is not compared.
    ///
    /// # Errors
    /// Storage failed.
    fn granted<'a>(&'a self, scope: &'a Scope, calls: GrantQuery) -> BoxFuture<'a, Result<Vec<Grant>, StoreError>>;

    /// Returns the grants of an owner, the newest first.
    ///
    /// # Errors
    /// `NotFound` if there is no grant to go on after; otherwise storage failed.
    fn grants<'a>(&'a self, scope: &'a Scope, page: GrantPage) -> BoxFuture<'a, Result<GrantList, StoreError>>;

    /// Removes a grant. Calls that are judged later are asked about again.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    fn revoke_grant<'a>(&'a self, scope: &'a Scope, grant: GrantId) -> BoxFuture<'a, Result<(), StoreError>>;
}

/// The calls that grants are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantQuery {
    /// The session of the calls.
    pub session: SessionId,
    /// The tool of each call, and what the call touches.
    pub calls: Vec<(String, Subject)>,
}

/// A part of the list of an owner's grants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantPage {
    /// At most so many.
    pub limit: u32,
    /// Only what comes after this one in the list.
    pub after: Option<GrantId>,
}

/// What was found for a [`GrantPage`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrantList {
    /// The newest first.
    pub grants: Vec<Grant>,
    /// Those in between whose stored form is damaged, as far as it says what they are.
    pub unreadable: Vec<String>,
    /// The last one, if there are more.
    pub next: Option<GrantId>,
}
