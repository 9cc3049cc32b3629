//! How a call is judged.

use turnkit_core::Subject;

use super::grants::Granted;
use super::{Decision, Judgement, PermissionMode, Permissions, Proposal, Reason, Rule, UntrustedText};

impl Permissions {
    /// Judges a call in the agent's permission mode and in that of the turn, and as the turns above it do: the most careful
    /// judgement counts.
    pub fn judge(&self, proposal: &Proposal<'_>) -> Judgement {
        let own = self.judge_alone(proposal);
        let above = self.within.iter().map(|above| above.judge_alone(proposal));
        above.fold(own, |careful, other| if other.decision > careful.decision { other } else { careful })
    }

    /// Judges a call in the agent's permission mode and in that of the turn.
    fn judge_alone(&self, proposal: &Proposal<'_>) -> Judgement {
        let judgement = self.judge_in(self.settings.mode, proposal);
        match self.overlay.map(|overlay| self.judge_in(overlay, proposal)) {
            Some(careful) if careful.decision > judgement.decision => careful,
            _ => judgement,
        }
    }

    /// Reports whether something denies a call that nothing undoes, in either mode, here or in a turn above.
    pub(super) fn is_denied(&self, proposal: &Proposal<'_>) -> bool {
        let modes = [Some(self.settings.mode), self.overlay];
        let denies = modes.into_iter().flatten().any(|mode| self.denied(mode, proposal).is_some());
        denies || self.within.iter().any(|above| above.is_denied(proposal))
    }

    fn judge_in(&self, mode: PermissionMode, proposal: &Proposal<'_>) -> Judgement {
        if let Some(denied) = self.denied(mode, proposal) {
            return denied;
        }
        let decided = self.decided(mode, proposal);
        // In `bypass` nothing is asked about, and the user is told what runs.
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

    /// What nothing undoes.
    fn denied(&self, mode: PermissionMode, proposal: &Proposal<'_>) -> Option<Judgement> {
        let denies = |(_, rule): &(usize, &Rule)| rule.decision == Decision::Deny;
        let reason = match self.matching(proposal).find(denies) {
            Some((index, _)) => Reason::Rule(index),
            None if mode == PermissionMode::Plan && !proposal.tool.flags.read_only => Reason::Plan,
            None => return None,
        };
        Some(Judgement { decision: Decision::Deny, reason })
    }

    /// The most specific rule, of equals the more careful one; else the mode, the trust in the tool, and the default: what
    /// only reads inside runs, and the rest asks.
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
        } else if self.settings.trusted.contains(&tool.name) {
            (Decision::Allow, Reason::Trusted)
        } else if is_harmless(proposal) {
            (Decision::Allow, Reason::Harmless)
        } else {
            (Decision::Ask, Reason::Unknown)
        };
        Judgement { decision, reason }
    }

    /// Text from outside may have told the model to make the call: what may do harm is asked about, unless it was granted in
    /// spite of such text.
    fn raised(&self, judgement: Judgement, granted: Granted, proposal: &Proposal<'_>) -> Judgement {
        let may_raise = self.settings.untrusted == UntrustedText::Ask && judgement.decision < Decision::Ask;
        if may_raise && !granted.survives_untrusted && !is_harmless(proposal) && (proposal.untrusted)() {
            return Judgement { decision: Decision::Ask, reason: granted.reason_to_raise() };
        }
        judgement
    }

    fn matching<'a>(&'a self, proposal: &'a Proposal<'_>) -> impl Iterator<Item = (usize, &'a Rule)> {
        let matches = |(_, rule): &(usize, &Rule)| rule.matches(&proposal.tool.name, proposal.subject);
        self.rules.iter().enumerate().filter(matches)
    }
}

/// Reports whether the tool only reads, and only inside this installation.
fn is_harmless(proposal: &Proposal<'_>) -> bool {
    proposal.tool.flags.read_only && !proposal.tool.flags.open_world
}
