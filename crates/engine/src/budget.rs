//! Budgets of tokens and cost.

use std::fmt;

use serde::{Deserialize, Serialize};
use turnkit_core::{Cost, Usage};

/// Budgets of tokens and cost. They are checked before each model call. A call in progress is not cut off, so usage may
/// exceed a budget by the calls in progress. If a budget is used up, the turn ends with the status
/// [`Limit`](turnkit_core::TurnStatus::Limit); its messages are kept. A call whose tokens or price are unknown counts
/// as zero. A call that broke off counts with the tokens reported by then.
///
/// ```
/// use turnkit_engine::{Budget, Budgets};
///
/// let budgets = Budgets { turn: Budget { tokens: Some(100_000), nano_usd: None }, ..Budgets::default() };
/// assert_eq!(budgets.warn_percent, 80);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// The budget of one turn.
    pub turn: Budget,
    /// The budget of all turns of one session.
    pub session: Budget,
    /// The budget of all turns of one user on one day, in UTC. Has no effect without a store.
    pub day: Budget,
    /// The budget of all turns of one user. Has no effect without a store.
    pub user: Budget,
    /// The percentage of a budget at which the user is warned. 80 by default.
    pub warn_percent: u8,
}

impl Default for Budgets {
    fn default() -> Self {
        let (turn, session, day, user) = Default::default();
        Self { turn, session, day, user, warn_percent: 80 }
    }
}

/// The most tokens and cost. An absent field is unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budget {
    /// How many tokens, input and output together.
    pub tokens: Option<u64>,
    /// How much money, in billionths of a US dollar.
    pub nano_usd: Option<u64>,
}

/// A limit of what one user may consume, and how much of it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetLevel {
    /// The period in which the consumption counts.
    pub period: BudgetPeriod,
    /// What is counted.
    pub unit: BudgetUnit,
    /// How much may be used.
    pub limit: u64,
    /// How much is used. May exceed the limit by the calls that were in progress.
    pub used: u64,
}

/// The period of a user's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetPeriod {
    /// The present day, in UTC.
    Day,
    /// All time.
    Ever,
}

/// The unit of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetUnit {
    /// Tokens, input and output together.
    Tokens,
    /// Billionths of a US dollar.
    NanoUsd,
}

/// Usage so far, by budget.
#[derive(Debug, Default)]
pub(crate) struct BudgetUsage {
    pub(crate) turn: Usage,
    pub(crate) session: Usage,
    pub(crate) day: Usage,
    pub(crate) user: Usage,
}

/// The result of checking the budgets before a model call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Fine,
    /// Budgets that are nearly used up, one sentence each, shown to the user.
    Near(Vec<String>),
    /// A budget that is used up, as a sentence shown to the user.
    UsedUp(String),
}

/// A limited quantity: the tokens or the money of one budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LimitedQuantity {
    budget: BudgetScope,
    /// `true` for money, `false` for tokens.
    money: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum BudgetScope {
    Turn,
    Session,
    Day,
    User,
}

impl Budgets {
    /// Decides whether the next model call may be made. Warns of each limited quantity once: `warned` holds the
    /// quantities already warned of, and new ones are added to it.
    pub(crate) fn judge(&self, consumed: &BudgetUsage, warned: &mut Vec<LimitedQuantity>) -> Verdict {
        let budgets = [
            (BudgetScope::Turn, self.turn, &consumed.turn),
            (BudgetScope::Session, self.session, &consumed.session),
            (BudgetScope::Day, self.day, &consumed.day),
            (BudgetScope::User, self.user, &consumed.user),
        ];
        let measures: Vec<Measure> =
            budgets.iter().flat_map(|(whose, budget, used)| budget.measures(*whose, used)).collect();
        if let Some(measure) = measures.iter().find(|measure| measure.used >= measure.limit) {
            return Verdict::UsedUp(format!("the budget of {measure}"));
        }
        let mut near = measures;
        near.retain(|measure| self.is_near(measure) && !warned.contains(&measure.of));
        warned.extend(near.iter().map(|measure| measure.of));
        match near.is_empty() {
            true => Verdict::Fine,
            false => Verdict::Near(near.iter().map(|measure| format!("the budget of {measure}")).collect()),
        }
    }

    fn is_near(&self, measure: &Measure) -> bool {
        u128::from(measure.used) * 100 >= u128::from(measure.limit) * u128::from(self.warn_percent)
    }
}

/// The usage of a limited quantity, with its limit.
struct Measure {
    of: LimitedQuantity,
    used: u64,
    limit: u64,
}

impl Budget {
    /// Returns `true` if tokens or cost are limited, so that usage matters.
    pub(crate) fn is_limited(&self) -> bool {
        *self != Self::default()
    }

    /// Returns the limits of a user's budget with their usage.
    pub(crate) fn levels(&self, period: BudgetPeriod, used: &Usage) -> impl Iterator<Item = BudgetLevel> + use<> {
        self.quantities(used).map(move |(unit, used, limit)| BudgetLevel { period, unit, limit, used })
    }

    fn measures(&self, budget: BudgetScope, used: &Usage) -> impl Iterator<Item = Measure> + use<> {
        self.quantities(used).map(move |(unit, used, limit)| {
            let money = unit == BudgetUnit::NanoUsd;
            Measure { of: LimitedQuantity { budget, money }, used, limit }
        })
    }

    /// Returns what is limited, with its usage and its limit.
    fn quantities(&self, used: &Usage) -> impl Iterator<Item = (BudgetUnit, u64, u64)> + use<> {
        let tokens = used.input().saturating_add(used.output);
        let tokens = self.tokens.map(|limit| (BudgetUnit::Tokens, tokens, limit));
        let money = self.nano_usd.map(|limit| (BudgetUnit::NanoUsd, used.cost.nano_usd, limit));
        tokens.into_iter().chain(money)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of: LimitedQuantity { budget, money }, used, limit } = self;
        let whose = match budget {
            BudgetScope::Turn => "this turn",
            BudgetScope::Session => "this session",
            BudgetScope::Day => "this user for today",
            BudgetScope::User => "this user",
        };
        let state = if used >= limit { "is used up" } else { "is nearly used up" };
        let dollars = |nano_usd| Cost { nano_usd, unpriced_calls: 0 };
        match money {
            false => write!(f, "{whose} {state}: {used} of {limit} tokens"),
            true => write!(f, "{whose} {state}: {} of {}", dollars(*used), dollars(*limit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_warn_before_they_are_used_up() {
        let usage = |tokens, nano_usd| Usage {
            fresh: tokens,
            output: tokens,
            cost: Cost { nano_usd, unpriced_calls: 7 },
            ..Usage::default()
        };
        let tokens = Budget { tokens: Some(100), nano_usd: None };
        let money = Budget { tokens: None, nano_usd: Some(20_000_000) };
        let budgets = Budgets { turn: tokens, day: money, ..Budgets::default() };
        let near = |text: &str| Verdict::Near(vec![text.to_owned()]);
        let used_up = |text: &str| Verdict::UsedUp(text.to_owned());
        for (turn, day, expected) in [
            (usage(0, 0), usage(0, 0), Verdict::Fine),
            (usage(39, u64::MAX), usage(u64::MAX, 15_999_999), Verdict::Fine),
            (usage(40, 0), usage(0, 0), near("the budget of this turn is nearly used up: 80 of 100 tokens")),
            (usage(50, 0), usage(0, 0), used_up("the budget of this turn is used up: 100 of 100 tokens")),
            (
                usage(40, 0),
                usage(0, 30_000_000),
                used_up("the budget of this user for today is used up: $0.03 of $0.02"),
            ),
            (
                usage(0, 0),
                usage(0, 16_000_000),
                near("the budget of this user for today is nearly used up: $0.016 of $0.02"),
            ),
        ] {
            let consumed = BudgetUsage { turn, day, session: usage(u64::MAX, 0), user: usage(u64::MAX, u64::MAX) };
            assert_eq!(budgets.judge(&consumed, &mut Vec::new()), expected);
        }
    }

    #[test]
    fn each_budget_warns_once_regardless_of_the_others() {
        let tokens = |tokens| Usage { fresh: tokens, ..Usage::default() };
        let of = |limit| Budget { tokens: Some(limit), nano_usd: Some(u64::MAX) };
        let budgets = Budgets { turn: of(100), session: of(200), user: of(1_000), ..Budgets::default() };
        let mut warned = Vec::new();
        for (turn, session, user, expected) in [
            (10, 110, 850, &["this user is nearly used up: 850 of 1000"][..]),
            (80, 180, 920, &["this turn is nearly used up: 80 of 100", "this session is nearly used up: 180 of 200"]),
            (90, 190, 930, &[]),
        ] {
            let consumed =
                BudgetUsage { turn: tokens(turn), session: tokens(session), user: tokens(user), day: tokens(user) };
            let expected: Vec<String> = expected.iter().map(|text| format!("the budget of {text} tokens")).collect();
            let verdict = if expected.is_empty() { Verdict::Fine } else { Verdict::Near(expected) };
            assert_eq!(budgets.judge(&consumed, &mut warned), verdict);
        }
    }
}
