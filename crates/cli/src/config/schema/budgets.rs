//! The section `[budgets]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::value::{positive, some_positive};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BudgetsConfig {
    /// For one turn.
    pub(crate) turn: BudgetConfig,
    /// For all turns of one session.
    pub(crate) session: BudgetConfig,
    /// For all turns of one user on one day, in UTC.
    pub(crate) day: BudgetConfig,
    /// For all turns of one user, without a time limit.
    pub(crate) user: BudgetConfig,
    /// The share of a budget, in percent, at which the user is warned.
    #[serde(deserialize_with = "positive")]
    #[schemars(range(min = 1, max = 255))]
    pub(crate) warn_percent: u8,
}

impl Default for BudgetsConfig {
    fn default() -> Self {
        let (turn, session, day, user) = Default::default();
        Self { turn, session, day, user, warn_percent: 80 }
    }
}

#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BudgetConfig {
    /// The number of tokens, input and output together. Default: no limit.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) tokens: Option<u64>,
    /// The amount of money, in US dollars. Default: no limit. Calls of models with unknown prices do not count;
    /// `models_detail` of their provider sets prices.
    #[schemars(with = "Option<f64>", range(min = 0.000_000_001, max = 1_000_000))]
    pub(crate) usd: Option<Dollars>,
}

/// An amount of money, in billionths of a dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "f64", into = "f64")]
pub(crate) struct Dollars(pub(crate) u64);

/// The number of billionths in a dollar.
const NANO: f64 = 1e9;

impl TryFrom<f64> for Dollars {
    type Error = &'static str;

    fn try_from(dollars: f64) -> Result<Self, Self::Error> {
        if !(1.0 / NANO..=1e6).contains(&dollars) {
            return Err("expected dollars, more than 0 and up to 1000000");
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds, and rounded")]
        Ok(Self((dollars * NANO).round() as u64))
    }
}

impl From<Dollars> for f64 {
    fn from(dollars: Dollars) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "at most 1e15 billionths")]
        let nano = dollars.0 as f64;
        nano / NANO
    }
}
