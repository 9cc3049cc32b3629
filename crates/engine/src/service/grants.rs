//! Grants that people give to tools with a resolution: storing, listing and revoking them.

use turnkit_core::ports::{GrantList, GrantPage};
use turnkit_core::{Arguments, Grant, GrantCoverage, GrantId, GrantScope, Resolution, Scope, StoreError, Wait};

use super::TurnService;
use super::waits::ResolveError;
use crate::resolution::InvalidResolution;
use crate::tools::GrantSubject;

impl TurnService {
    /// Lists the grants in the scope, newest first.
    ///
    /// # Errors
    /// `NotFound` if the grant to continue after does not exist; otherwise storage failed.
    pub async fn grants(&self, scope: &Scope, page: GrantPage) -> Result<GrantList, StoreError> {
        self.inner.parts.store.grants(scope, page).await
    }

    /// Revokes a grant. It does not apply to calls that are judged from now on.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn revoke_grant(&self, scope: &Scope, grant: GrantId) -> Result<(), StoreError> {
        self.inner.parts.store.revoke_grant(scope, grant).await
    }

    /// Checks the arguments that a resolution of `wait` changes, and returns the grant for later calls that it
    /// includes, if there is one.
    ///
    /// # Errors
    /// The tool does not accept the changed arguments, or its calls cannot be granted; otherwise storage failed.
    pub(super) async fn grant_of(
        &self,
        scope: &Scope,
        wait: &Wait,
        resolution: &Resolution,
    ) -> Result<Option<Grant>, ResolveError> {
        let Resolution::Approved { arguments, grant, .. } = resolution else { return Ok(None) };
        // A repeated decision has been checked before.
        if wait.decided.is_some() {
            return Ok(None);
        }
        let changed = match arguments {
            Some(changed) => Some(self.check_arguments(scope, wait, changed).await?),
            None => None,
        };
        let Some(grant_scope) = grant else { return Ok(None) };
        let ungrantable = || ResolveError::Ungrantable("the tool is gone".to_owned());
        let grantable = wait.question.grantable.clone().ok_or_else(ungrantable)?;
        let coverage = match (grant_scope, changed) {
            (GrantScope::Session, _) => GrantCoverage::Session(wait.session),
            (GrantScope::Always, None) => GrantCoverage::Subject(grantable.subject.clone()),
            (GrantScope::Always, Some(subject)) => GrantCoverage::Subject(subject.map_err(ResolveError::Ungrantable)?),
        };
        let now = self.inner.parts.clock.now();
        Ok(Some(grantable.grant(self.inner.parts.ids.grant(now), &wait.question.name, coverage, now)))
    }

    /// Checks arguments that replace the model's, and returns the subject of a permanent grant for the changed call. If
    /// the agent or the tool is gone, nothing is checked: the call will not run.
    async fn check_arguments(
        &self,
        scope: &Scope,
        wait: &Wait,
        changed: &Arguments,
    ) -> Result<GrantSubject, ResolveError> {
        let turn = self.inner.parts.store.turn(scope, wait.id.call.turn).await?;
        let Some(agent) = self.agent(&turn.agent) else {
            return Ok(Err(format!("the agent `{}` no longer exists", turn.agent)));
        };
        let checked = agent.check_arguments(scope, &wait.question.name, changed).await;
        checked.map_err(|why| InvalidResolution::Arguments(why).into())
    }
}
