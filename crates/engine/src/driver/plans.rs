//! Plans for the calls of an answer.

use turnkit_core::{CallUid, Part, ToolCall};

use super::Driver;
use super::environment::Environment;
use super::grants::{Granted, Ungranted};
use crate::machine::{CallKind, Plan, Verdict};

/// The most calls of an answer that are checked before a person is asked. A check may read a file.
const MAX_CHECKS: usize = 16;

impl<E: Environment> Driver<'_, E> {
    /// Returns the plans for the calls among these parts of an answer. Grants are read only if a call needs approval.
    pub(super) async fn plans(&mut self, parts: &[Part]) -> Vec<Plan> {
        // Grants that were read for earlier calls may have been revoked since.
        self.permissions.set_grants(Vec::new());
        if calls_of(parts).next().is_none() {
            return Vec::new();
        }
        self.look_up_changed_tools(parts).await;
        let mut plans: Vec<Plan> = calls_of(parts).map(|call| self.plan(call)).collect();
        if plans.iter().any(|plan| plan.verdict.needs_approval()) {
            // Boxed so that turns without such calls do not carry the state of this future.
            Box::pin(self.apply_grants(parts, &mut plans)).await;
            self.refuse_failed_checks(parts, &mut plans);
        }
        plans
    }

    /// Looks up which of the offered tools have changed since they were accepted, before the calls among these parts
    /// are judged. They may have been accepted meanwhile.
    pub(super) async fn look_up_changed_tools(&mut self, parts: &[Part]) {
        let changed = self.toolbox.changed();
        let unaccepted = self.environment.unaccepted(parts, changed).await;
        self.permissions.set_changed(unaccepted);
    }

    /// Refuses calls whose check fails, before a person is asked. Stops at the first call that may change something, or
    /// that the client or a sub-agent runs, because it may make later calls possible.
    fn refuse_failed_checks(&self, parts: &[Part], plans: &mut [Plan]) {
        for (call, plan) in calls_of(parts).zip(plans).take(MAX_CHECKS) {
            if plan.verdict == Verdict::Client || self.toolbox.is_task(&call.name) {
                return;
            }
            if plan.verdict == Verdict::Ask
                && let Some((kind, why)) = self.environment.failed_check(call.uid, || self.toolbox.failed_check(call))
            {
                plan.verdict = Verdict::Refuse(kind, why);
            }
            if plan.kind != CallKind::ReadOnly && plan.verdict.refusal().is_none() {
                return;
            }
        }
    }

    /// Judges the calls that need approval again, using the grants.
    async fn apply_grants(&mut self, parts: &[Part], plans: &mut [Plan]) {
        let needs_approval = |uid: CallUid| plans.iter().any(|plan| plan.uid == uid && plan.verdict.needs_approval());
        let asked: Vec<&ToolCall> = calls_of(parts).filter(|call| needs_approval(call.uid)).collect();
        let ungranted = asked.iter().filter_map(|call| {
            let subject = self.toolbox.grantable(call)?;
            Some(Ungranted { uid: call.uid, tool: call.name.clone(), subject })
        });
        let granted = self.environment.granted(self.session, ungranted.collect()).await;
        match granted {
            Ok(Granted::By(grants)) => self.permissions.set_grants(grants),
            Ok(Granted::Recorded(uids)) => {
                let plans = plans.iter_mut().filter(|plan| uids.contains(&plan.uid));
                plans.for_each(|plan| plan.verdict = Verdict::Run);
                return;
            }
            Err(error) => {
                tracing::warn!(%error, "could not read grants: granted calls need approval again");
                return;
            }
        }
        for call in asked {
            let again = self.plan(call);
            plans.iter_mut().filter(|plan| plan.uid == call.uid).for_each(|plan| *plan = again.clone());
        }
    }

    fn plan(&self, call: &ToolCall) -> Plan {
        self.toolbox.plan(call, &self.permissions, self.view())
    }
}

fn calls_of(parts: &[Part]) -> impl Iterator<Item = &ToolCall> {
    parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some(call),
        _ => None,
    })
}
