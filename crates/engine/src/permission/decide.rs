//! Judges calls.

use turnkit_core::Subject;

use super::grants::Granted;
use super::wildcard::matches_name;
use super::{Decision, Judgement, PermissionMode, Permissions, Proposal, Reason, Rule, UntrustedText};

impl Permissions {
    /// Judges a call in the agent's permission mode and the turn's, and by the permissions of the ancestor turns. The
    /// strictest judgement counts.
    pub fn judge(&self, proposal: &Proposal<'_>) -> Judgement {
        let own = self.judge_alone(proposal);
        let above = self.within.iter().map(|above| above.judge_alone(proposal));
        above.fold(own, |strictest, other| if other.decision > strictest.decision { other } else { strictest })
    }

    /// Judges a call in the agent's permission mode and the turn's.
    fn judge_alone(&self, proposal: &Proposal<'_>) -> Judgement {
        let judgement = self.judge_in(self.settings.mode, proposal);
        self.with_written_index(match self.overlay.map(|overlay| self.judge_in(overlay, proposal)) {
            Some(stricter) if stricter.decision > judgement.decision => stricter,
            _ => judgement,
        })
    }

    /// Names the rule of a judgement by its index in the list in which it was written.
    fn with_written_index(&self, judgement: Judgement) -> Judgement {
        let Reason::Rule(index) = judgement.reason else { return judgement };
        let written = self.rules.get(index).and_then(|rule| rule.index).unwrap_or(index);
        Judgement { reason: Reason::Rule(written), ..judgement }
    }

    /// Returns the reason why the call is denied for good, in either mode, in this turn or an ancestor turn; `None` if
    /// it is not.
    pub(super) fn denial(&self, proposal: &Proposal<'_>) -> Option<Reason> {
        let modes = [Some(self.settings.mode), self.overlay];
        let own = modes.into_iter().flatten().find_map(|mode| self.denied(mode, proposal));
        let above = || self.within.iter().find_map(|above| above.denial(proposal));
        own.map(|judgement| judgement.reason).or_else(above)
    }

    fn judge_in(&self, mode: PermissionMode, proposal: &Proposal<'_>) -> Judgement {
        if let Some(denied) = self.denied(mode, proposal) {
            return denied;
        }
        let decided = self.decided(mode, proposal);
        // In `bypass`, no approval is requested and a notice reports each call, so grants do not apply.
        let granted = match mode {
            PermissionMode::Bypass => Granted::default(),
            _ => self.granted(decided, proposal),
        };
        let raised = self.raised(granted.lift(decided), granted, proposal);
        match (mode, raised.decision) {
            (PermissionMode::Bypass, Decision::Ask) => Judgement { decision: Decision::Notify, reason: Reason::Bypass },
            (PermissionMode::Headless, Decision::Ask) => {
                Judgement { decision: Decision::Deny, reason: Reason::Headless }
            }
            _ => raised,
        }
    }

    /// Returns the denial that no grant or approval overrides, if there is one.
    fn denied(&self, mode: PermissionMode, proposal: &Proposal<'_>) -> Option<Judgement> {
        let denies = |(_, rule): &(usize, &Rule)| rule.decision == Decision::Deny;
        let reason = match self.matching(proposal).find(denies) {
            Some((index, _)) => Reason::Rule(index),
            None if mode == PermissionMode::Plan && !proposal.tool.flags.read_only => Reason::Plan,
            None => return None,
        };
        Some(Judgement { decision: Decision::Deny, reason })
    }

    /// Applies the most specific rule; of equals, the stricter one. Without a rule, decides by the mode, then by
    /// the trust in the tool, then by the default: harmless calls run, all others need approval.
    fn decided(&self, mode: PermissionMode, proposal: &Proposal<'_>) -> Judgement {
        let strongest = self.matching(proposal).max_by_key(|(_, rule)| (rule.specificity(), rule.decision));
        if let Some((index, rule)) = strongest {
            return Judgement { decision: rule.decision, reason: Reason::Rule(index) };
        }
        let tool = proposal.tool;
        let edits = matches!(proposal.subject, Subject::Path(_)) && !tool.flags.open_world;
        let (decision, reason) = if mode == PermissionMode::AcceptEdits && edits {
            (Decision::Allow, Reason::AcceptEdits)
        } else if proposal.own {
            (Decision::Allow, Reason::Own)
        } else if self.trusts(&tool.name) {
            (Decision::Allow, Reason::Trusted)
        } else if is_harmless(proposal) {
            (Decision::Allow, Reason::Harmless)
        } else {
            (Decision::Ask, Reason::Unknown)
        };
        Judgement { decision, reason }
    }

    /// Reports whether calls of the tool need no approval.
    fn trusts(&self, tool: &str) -> bool {
        self.settings.trusted.iter().any(|pattern| matches_name(pattern, tool))
    }

    /// A tool that has changed since it was accepted may do something else than a rule or trust is about. Untrusted
    /// text, and the changed definition of another tool, may have induced the model to make the call. Requires approval
    /// in the first case, and in the others if the call may do harm, unless the user granted the call with this
    /// definition, or despite such text.
    fn raised(&self, judgement: Judgement, granted: Granted, proposal: &Proposal<'_>) -> Judgement {
        if !granted.counts && self.changed.contains(&proposal.tool.name) {
            return Judgement { decision: Decision::Ask, reason: Reason::ToolChanged };
        }
        let may_raise = self.settings.untrusted == UntrustedText::Ask && judgement.decision < Decision::Ask;
        if !may_raise || granted.survives_untrusted || is_harmless(proposal) {
            return judgement;
        }
        if (proposal.untrusted)() {
            return Judgement { decision: Decision::Ask, reason: granted.reason_to_raise() };
        }
        if self.changed.iter().any(|tool| *tool != proposal.tool.name) {
            return Judgement { decision: Decision::Ask, reason: Reason::OtherToolChanged };
        }
        judgement
    }

    fn matching<'a>(&'a self, proposal: &'a Proposal<'_>) -> impl Iterator<Item = (usize, &'a Rule)> {
        let matches = |(_, rule): &(usize, &Rule)| rule.matches(&proposal.tool.name, proposal.subject);
        self.rules.iter().enumerate().filter(matches)
    }
}

/// Reports whether the tool only reads, and does not reach other systems.
fn is_harmless(proposal: &Proposal<'_>) -> bool {
    proposal.tool.flags.read_only && !proposal.tool.flags.open_world
}
