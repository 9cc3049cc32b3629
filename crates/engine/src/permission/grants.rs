//! Applies the user's grants to a call.

use std::cell::LazyCell;

use turnkit_core::{Grant, GrantCoverage, SchemaHash};

use super::{Decision, Judgement, Permissions, Proposal, Reason};
use crate::machine::hash_of_schema;

/// The effect of the grants on a call.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Granted {
    /// Whether a grant applies.
    pub(super) counts: bool,
    /// Whether a grant applies that was given when the user was asked because of untrusted text.
    pub(super) survives_untrusted: bool,
    /// Whether a grant would apply if the tool's definition had not changed.
    changed: bool,
    /// Whether such a grant was given when the user was asked because of untrusted text.
    changed_untrusted: bool,
}

impl Permissions {
    /// Replaces the user's grants. Calls that they cover run where approval would be needed. They also apply to the
    /// ancestor turns, because these would ask the same user.
    pub fn set_grants(&mut self, grants: Vec<Grant>) {
        self.within.iter_mut().for_each(|above| above.set_grants(grants.clone()));
        self.grants = grants;
    }

    /// Returns the effect of the grants on a call with this decision, before untrusted text is considered.
    pub(super) fn granted(&self, decided: Judgement, proposal: &Proposal<'_>) -> Granted {
        let subject = LazyCell::new(|| (proposal.grant_subject)());
        let covers = |coverage: &GrantCoverage| match coverage {
            GrantCoverage::Subject(granted) => LazyCell::force(&subject).as_ref() == Some(granted),
            GrantCoverage::Session(_) => self.yields_to_sessions(decided),
        };
        let is_about = |grant: &&Grant| grant.tool == proposal.tool.name && covers(&grant.coverage);
        let mut grants = self.grants.iter().filter(is_about).peekable();
        if grants.peek().is_none() {
            return Granted::default();
        }
        let schema: SchemaHash = hash_of_schema(proposal.tool);
        grants.fold(Granted::default(), |granted, grant| match grant.schema == schema {
            true => {
                Granted { counts: true, survives_untrusted: granted.survives_untrusted || grant.untrusted, ..granted }
            }
            false => {
                Granted { changed: true, changed_untrusted: granted.changed_untrusted || grant.untrusted, ..granted }
            }
        })
    }

    /// Reports whether a grant for the session overrides this decision. A rule that requires approval for a subject is
    /// more specific than such a grant.
    fn yields_to_sessions(&self, decided: Judgement) -> bool {
        match (decided.decision, decided.reason) {
            (Decision::Ask, Reason::Rule(index)) => self.rules.get(index).is_some_and(|rule| rule.subject.is_none()),
            _ => true,
        }
    }
}

impl Granted {
    /// Lets a call that needs approval run, if a grant applies.
    pub(super) fn lift(self, decided: Judgement) -> Judgement {
        match decided.decision {
            Decision::Ask if self.counts => Judgement { decision: Decision::Allow, reason: Reason::Granted },
            Decision::Ask if self.changed => Judgement { reason: Reason::DefinitionChanged, ..decided },
            _ => decided,
        }
    }

    /// Returns the reason why approval is needed because of untrusted text.
    pub(super) fn reason_to_raise(self) -> Reason {
        if self.changed_untrusted { Reason::DefinitionChanged } else { Reason::UntrustedText }
    }
}
