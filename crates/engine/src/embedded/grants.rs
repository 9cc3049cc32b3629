//! What decisions grant in a session that the host keeps.

use turnkit_core::ports::AgentFlow;
use turnkit_core::{Decision, Grant, GrantReach, GrantScope, Resolution, Session, ToolCall, WaitKind};

use super::Engine;
use crate::catalog::OfferedTools;
use crate::machine::{Binding, TurnMachine};
use crate::tools::{Asked, Toolbox, View};

impl Engine {
    /// Keeps in the session what these decisions grant, as far as the turn waits for them.
    pub(super) fn keep_grants(
        &self,
        flow: &dyn AgentFlow,
        session: &mut Session,
        machine: &TurnMachine,
        decisions: &[Decision],
    ) {
        for decision in decisions {
            let is_asked = machine.waiting().contains(&(decision.id, WaitKind::Approval));
            let granted = is_asked.then(|| self.grant_of(flow, session, decision)).flatten();
            let Some(grant) = granted else { continue };
            match session.grants.iter_mut().find(|known| known.is_about_the_same(&grant)) {
                Some(known) => known.untrusted |= grant.untrusted,
                None => session.grants.push(grant),
            }
        }
    }

    /// The grant of a decision; `None` if it grants nothing, or the tool is not the one that was asked about.
    fn grant_of(&self, flow: &dyn AgentFlow, session: &Session, decision: &Decision) -> Option<Grant> {
        let Resolution::Approved { arguments, grant: Some(reach), .. } = &decision.resolution else { return None };
        let toolbox = Toolbox::new(flow, &self.tools, session.tools, &self.settings, OfferedTools::default());
        let call = session.history.turn().flat_map(|entry| entry.message().calls());
        let call = call.filter(|call| call.uid == decision.id.call).last()?;
        let permissions = self.settings.permissions(session.mode.as_deref(), true);
        let instructions = flow.instructions(session);
        let view = View { history: &session.history, instructions: instructions.as_deref(), is_tainted: false };
        let Asked { binding, grantable, .. } = toolbox.asks(call, &permissions, view)?;
        if binding != Binding(decision.binding) {
            return None;
        }
        let grantable = grantable?;
        let reach = match (reach, arguments) {
            (GrantScope::Session, _) => GrantReach::Session(session.id),
            (GrantScope::Always, None) => GrantReach::Subject(grantable.subject.clone()),
            (GrantScope::Always, Some(changed)) => {
                let changed = ToolCall { arguments: changed.clone(), ..call.clone() };
                GrantReach::Subject(toolbox.grantable(&changed)?)
            }
        };
        let now = self.clock.now();
        Some(grantable.grant(self.ids.grant(now), &call.name, reach, now))
    }
}
