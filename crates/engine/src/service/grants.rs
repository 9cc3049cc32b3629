//! What people grant to tools: given with a decision, listed, and revoked.

use turnkit_core::ports::{GrantList, GrantPage};
use turnkit_core::{Arguments, Grant, GrantId, GrantReach, GrantScope, Resolution, Scope, StoreError, Subject, Wait};

use super::TurnService;
use super::waits::ResolveError;

impl TurnService {
    /// Returns what an owner granted, the newest first.
    ///
    /// # Errors
    /// `NotFound` if there is no grant to go on after; otherwise storage failed.
    pub async fn grants(&self, scope: &Scope, page: GrantPage) -> Result<GrantList, StoreError> {
        self.inner.parts.store.grants(scope, page).await
    }

    /// Takes a grant back. It counts for no call that is judged from now on.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn revoke_grant(&self, scope: &Scope, grant: GrantId) -> Result<(), StoreError> {
        self.inner.parts.store.revoke_grant(scope, grant).await
    }

    /// Returns what a decision of `wait` grants to later calls, if it grants anything.
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

    /// What a grant for always is about, with the arguments to which a person changed those of the call.
    async fn grantable(&self, scope: &Scope, wait: &Wait, changed: &Arguments) -> Result<Subject, ResolveError> {
        let turn = self.inner.parts.store.turn(scope, wait.id.call.turn).await?;
        let ungrantable = |why| ResolveError::Ungrantable(why);
        let agent = self.agent(&turn.agent);
        let agent = agent.ok_or_else(|| ungrantable(format!("there is no agent `{}` any more", turn.agent)))?;
        agent.grantable(scope, &wait.question.name, changed).await.map_err(|(_, why)| ungrantable(why))
    }
}
