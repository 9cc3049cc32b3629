//! What grants mean for a call.

use std::cell::LazyCell;

use turnkit_core::{Grant, GrantReach, SchemaHash};

use super::{Decision, Judgement, Permissions, Proposal, Reason};
use crate::machine::hash_of_schema;

/// What the grants about a call say.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Granted {
    /// A grant counts.
    counts: bool,
    /// A grant counts that was given because of text from outside.
    pub(super) survives_untrusted: bool,
    /// A grant would count if the tool's definition had not changed.
    changed: bool,
    /// The same, of a grant that was given because of text from outside.
    changed_untrusted: bool,
}

impl Permissions {
    /// These grants of the user, in place of those before: what they are about runs where a person would be asked. They count
    /// for the turns above too, where the same person would be asked.
    pub fn set_grants(&mut self, grants: Vec<Grant>) {
        self.within.iter_mut().for_each(|above| above.set_grants(grants.clone()));
        self.grants = grants;
    }

    /// What the grants say about a call that is decided so, before text from outside is looked at.
    pub(super) fn granted(&self, decided: Judgement, proposal: &Proposal<'_>) -> Granted {
        let subject = LazyCell::new(|| (proposal.grant_subject)());
        let reaches = |reach: &GrantReach| match reach {
            GrantReach::Subject(granted) => LazyCell::force(&subject).as_ref() == Some(granted),
            GrantReach::Session(_) => self.yields_to_sessions(decided),
        };
        let is_about = |grant: &&Grant| grant.tool == proposal.tool.name && reaches(&grant.reach);
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

    /// A rule that asks about what a call touches is more specific than a grant of all calls in the session.
    fn yields_to_sessions(&self, decided: Judgement) -> bool {
        match (decided.decision, decided.reason) {
            (Decision::Ask, Reason::Rule(index)) => self.rules.get(index).is_some_and(|rule| rule.subject.is_none()),
            _ => true,
        }
    }
}

impl Granted {
    /// Lets a call run that is asked about, if a grant counts.
    pub(super) fn lift(self, decided: Judgement) -> Judgement {
        match decided.decision {
            Decision::Ask if self.counts => Judgement { decision: Decision::Allow, reason: Reason::Granted },
            Decision::Ask if self.changed => Judgement { reason: Reason::DefinitionChanged, ..decided },
            _ => decided,
        }
    }

    /// Why a person is asked about a call because of text from outside.
    pub(super) fn reason_to_raise(self) -> Reason {
        if self.changed_untrusted { Reason::DefinitionChanged } else { Reason::UntrustedText }
    }
}
