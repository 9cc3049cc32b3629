//! Grants that people give to tools with a resolution: storing, listing and revoking them.

use turnkit_core::ports::{GrantList, GrantPage};
use turnkit_core::{Arguments, Grant, GrantId, GrantReach, GrantScope, Resolution, Scope, StoreError, Subject, Wait};

use super::TurnService;
use super::waits::ResolveError;

impl TurnService {
    /// Lists the grants of a subject, newest first.
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

    /// Returns the grant for later calls that a resolution of `wait` includes, if there is one.
    pub(super) async fn grant_of(
        &self,
        scope: &Scope,
        wait: &Wait,
        resolution: &Resolution,
    ) -> Result<Option<Grant>, ResolveError> {
        let Resolution::Approved { arguments, grant: Some(reach), .. } = resolution else { return Ok(None) };
        if wait.decided.is_some() {
            return Ok(None);
        }
        let ungrantable = || ResolveError::Ungrantable("the tool is gone".to_owned());
        let grantable = wait.question.grantable.clone().ok_or_else(ungrantable)?;
        let reach = match (reach, arguments) {
            (GrantScope::Session, _) => GrantReach::Session(wait.session),
            (GrantScope::Always, None) => GrantReach::Subject(grantable.subject.clone()),
            (GrantScope::Always, Some(changed)) => GrantReach::Subject(self.grantable(scope, wait, changed).await?),
        };
        let now = self.inner.parts.clock.now();
        Ok(Some(grantable.grant(self.inner.parts.ids.grant(now), &wait.question.name, reach, now)))
    }

    /// Returns the subject of a permanent grant for a call whose arguments were changed in the resolution.
    async fn grantable(&self, scope: &Scope, wait: &Wait, changed: &Arguments) -> Result<Subject, ResolveError> {
        let turn = self.inner.parts.store.turn(scope, wait.id.call.turn).await?;
        let ungrantable = |why| ResolveError::Ungrantable(why);
        let agent = self.agent(&turn.agent);
        let agent = agent.ok_or_else(|| ungrantable(format!("the agent `{}` no longer exists", turn.agent)))?;
        agent.grantable(scope, &wait.question.name, changed).await.map_err(|(_, why)| ungrantable(why))
    }
}
