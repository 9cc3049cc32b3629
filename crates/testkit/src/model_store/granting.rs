//! Grants that people gave to tools.

use turnkit_core::ports::{BoxFuture, GrantList, GrantPage, GrantQuery, GrantStore};
use turnkit_core::{Grant, GrantCoverage, GrantId, Scope, SessionId, StoreError};

use super::ModelStore;
use super::disk::Rows;

impl GrantStore for ModelStore {
    fn granted<'a>(&'a self, scope: &'a Scope, calls: GrantQuery) -> BoxFuture<'a, Result<Vec<Grant>, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let of_user = rows.grants_of(scope).filter(|grant| may_be_about(grant, &calls));
            Ok(of_user.cloned().collect())
        }))
    }

    fn grants<'a>(&'a self, scope: &'a Scope, page: GrantPage) -> BoxFuture<'a, Result<GrantList, StoreError>> {
        Box::pin(self.commit(move |rows, _| {
            let mut newest_first: Vec<&Grant> = rows.grants_of(scope).collect();
            newest_first.reverse();
            let first = match page.after {
                Some(after) => {
                    1 + newest_first.iter().position(|grant| grant.id == after).ok_or(StoreError::NotFound)?
                }
                None => 0,
            };
            let mut rest = newest_first.into_iter().skip(first).cloned();
            let grants: Vec<Grant> = rest.by_ref().take(page.limit as usize).collect();
            let next = rest.next().and(grants.last()).map(|last| last.id);
            Ok(GrantList { grants, unreadable: Vec::new(), next })
        }))
    }

    fn revoke_grant<'a>(&'a self, scope: &'a Scope, grant: GrantId) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.commit_as_holder(move |rows, _| {
            let is_it = |(owner, known): &(Scope, Grant)| owner == scope && known.id == grant;
            let place = rows.grants.iter().position(is_it).ok_or(StoreError::NotFound)?;
            rows.unsynced = None;
            rows.grants.remove(place);
            Ok(())
        }))
    }
}

impl Rows {
    /// Returns the grants of a user, oldest first.
    fn grants_of<'a>(&'a self, scope: &'a Scope) -> impl Iterator<Item = &'a Grant> {
        self.grants.iter().filter(move |(owner, _)| owner == scope).map(|(_, grant)| grant)
    }

    /// Stores a grant, unless the user already has one about the same calls.
    pub(super) fn add_grant(&mut self, scope: &Scope, grant: Grant) {
        let known = self.grants.iter_mut().find(|(owner, known)| owner == scope && known.has_same_coverage(&grant));
        match known {
            Some((_, known)) => known.untrusted |= grant.untrusted,
            None => self.grants.push((scope.clone(), grant)),
        }
    }

    pub(super) fn remove_grants_of(&mut self, session: SessionId) {
        self.grants.retain(|(_, grant)| grant.coverage != GrantCoverage::Session(session));
    }
}

/// Returns `true` if the grant is about one of these calls, whatever the schema of its tool.
fn may_be_about(grant: &Grant, calls: &GrantQuery) -> bool {
    calls.calls.iter().any(|(tool, subject)| {
        *tool == grant.tool
            && match &grant.coverage {
                GrantCoverage::Session(session) => *session == calls.session,
                GrantCoverage::Subject(granted) => granted == subject,
            }
    })
}
