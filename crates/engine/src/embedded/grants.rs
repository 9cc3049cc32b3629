//! Grants in sessions that the host stores.

use turnkit_core::{DecidedWait, Grant, GrantCoverage, GrantScope, Resolution, ToolCall, WaitKind};

use super::Engine;
use crate::driver::Driver;
use crate::machine::{Binding, Input};
use crate::tools::{ApprovalQuestion, View};

impl Engine {
    /// Stores the grants of the resolutions in `inputs` in the session, if the turn waits for them. Called when
    /// the turn has its tools, including those of sources, and has not processed `inputs` yet.
    pub(super) fn keep_grants<E>(&self, driver: &mut Driver<'_, E>, inputs: &[Input]) {
        let decisions = inputs.iter().filter_map(|input| match input {
            Input::Resolved(decisions) => Some(decisions),
            _ => None,
        });
        for decision in decisions.flatten() {
            let is_asked = driver.machine.waiting().contains(&(decision.id, WaitKind::Approval));
            let granted = is_asked.then(|| self.grant_of(driver, decision)).flatten();
            let Some(grant) = granted else { continue };
            match driver.session.grants.iter_mut().find(|known| known.has_same_coverage(&grant)) {
                Some(known) => known.untrusted |= grant.untrusted,
                None => driver.session.grants.push(grant),
            }
        }
    }

    /// Returns the grant of a resolution, or `None` if it grants nothing, if the tool is no longer the approved one, or
    /// if the tool does not accept the changed arguments.
    fn grant_of<E>(&self, driver: &mut Driver<'_, E>, decision: &DecidedWait) -> Option<Grant> {
        let Resolution::Approved { arguments, grant: Some(grant_scope), .. } = &decision.resolution else {
            return None;
        };
        let Driver { machine, toolbox, permissions, session, .. } = driver;
        // The call may be of a tool that the session found by a search.
        toolbox.activate_for_round(&session.history);
        let call = session.history.turn().flat_map(|entry| entry.message().calls());
        let call = call.filter(|call| call.uid == decision.id.call).last()?;
        let view = View { history: &session.history, has_untrusted_prompt: machine.has_untrusted_instructions() };
        let ApprovalQuestion { binding, grantable, .. } = toolbox.asks(call, permissions, view)?;
        if binding != Binding(decision.binding) {
            return None;
        }
        let grantable = grantable?;
        let changed = arguments.as_ref().map(|changed| ToolCall { arguments: changed.clone(), ..call.clone() });
        let coverage = match (grant_scope, changed) {
            (GrantScope::Session, Some(changed)) if !toolbox.accepts(&changed) => return None,
            (GrantScope::Session, _) => GrantCoverage::Session(session.id),
            (GrantScope::Always, None) => GrantCoverage::Subject(grantable.subject.clone()),
            (GrantScope::Always, Some(changed)) => GrantCoverage::Subject(toolbox.grantable(&changed)?),
        };
        let now = self.clock.now();
        Some(grantable.grant(self.ids.grant(now), &call.name, coverage, now))
    }
}
