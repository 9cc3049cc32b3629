//! Conditions on the turns of a list.

use crate::{Timestamp, TurnOverview, TurnRecord};

/// Conditions on the turns of a list. A turn must meet all that are present.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnFilter {
    /// Only turns of this agent.
    pub agent: Option<Box<str>>,
    /// Only turns in which this provider answered; with `model`, in which it answered with that model.
    pub provider: Option<Box<str>>,
    /// Only turns in which this model answered.
    pub model: Option<Box<str>>,
    /// Only turns whose first error has this code.
    pub error: Option<Box<str>>,
    /// Only turns that were accepted at this time or later.
    pub from: Option<Timestamp>,
    /// Only turns that were accepted before this time.
    pub to: Option<Timestamp>,
}

impl TurnFilter {
    /// Reports whether a turn meets the conditions on its record.
    pub fn accepts(&self, turn: &TurnRecord) -> bool {
        self.agent.as_ref().is_none_or(|agent| *agent == turn.agent)
            && !self.is_past(turn)
            && self.to.is_none_or(|to| turn.accepted_at < to)
    }

    /// Reports whether a turn was accepted too early. So were those that a list has after it.
    pub fn is_past(&self, turn: &TurnRecord) -> bool {
        self.from.is_some_and(|from| turn.accepted_at < from)
    }

    /// Reports whether there are conditions on the overview of a turn.
    pub fn needs_overview(&self) -> bool {
        self.provider.is_some() || self.model.is_some() || self.error.is_some()
    }

    /// Reports whether a turn meets the conditions on its overview.
    pub fn accepts_overview(&self, overview: &TurnOverview) -> bool {
        let is_wanted = |wanted: Option<&str>, name: &str| wanted.is_none_or(|wanted| wanted == name);
        let (provider, model) = (self.provider.as_deref(), self.model.as_deref());
        let mut models = overview.models.iter();
        let answered = (provider.is_none() && model.is_none())
            || models.any(|one| is_wanted(provider, one.provider.as_str()) && is_wanted(model, one.model.as_str()));
        answered && (self.error.is_none() || self.error == overview.error)
    }
}
