//! The cost of model calls, in whole numbers and never estimated.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The cost of model calls. The cost of a turn is the sum over its steps; that of a session is the sum over its turns.
///
/// ```
/// use turnkit_core::{Cost, Price, Prices, Rates, Usage};
///
/// let dollars = |price| Price::dollars(price).unwrap();
/// let prices = Prices::new("2025-11", Rates::new(dollars(3.0), dollars(15.0)));
/// let cost = prices.cost(&Usage { fresh: 1_000, output: 100, ..Usage::default() });
/// assert_eq!(cost, Cost { nano_usd: 4_500_000, unpriced_calls: 0 });
/// assert_eq!(cost.to_string(), "$0.0045");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Cost {
    /// The known cost, in billionths of a US dollar.
    pub nano_usd: u64,
    /// Calls excluded from the total, wholly or partly, because their price or token count is unknown.
    pub unpriced_calls: u32,
}

impl Cost {
    /// The cost of a call whose price is unknown.
    pub const UNKNOWN: Self = Self { nano_usd: 0, unpriced_calls: 1 };

    /// The cost of one unpriced call. Also the default for stored usage without a cost.
    pub(crate) fn unknown() -> Self {
        Self::UNKNOWN
    }

    pub(crate) fn is_unknown(&self) -> bool {
        *self == Self::UNKNOWN
    }

    /// Adds `other` to this cost.
    pub fn add(&mut self, other: Self) {
        self.nano_usd = self.nano_usd.saturating_add(other.nano_usd);
        self.unpriced_calls = self.unpriced_calls.saturating_add(other.unpriced_calls);
    }
}

/// Formats the cost in dollars, with at least two decimals and no further trailing zeros.
impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:09}", self.nano_usd % NANO);
        let (cents, rest) = digits.split_at(2);
        write!(f, "${}.{cents}{}", self.nano_usd / NANO, rest.trim_end_matches('0'))
    }
}

/// Nano-dollars in a dollar.
const NANO: u64 = 1_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_written_to_the_last_digit_that_counts() {
        for (nano_usd, text) in [
            (0, "$0.00"),
            (1, "$0.000000001"),
            (4_500_000, "$0.0045"),
            (10_000_000, "$0.01"),
            (12_345_000_000, "$12.345"),
            (2_000_000_000, "$2.00"),
        ] {
            assert_eq!(Cost { nano_usd, unpriced_calls: 0 }.to_string(), text);
        }
    }
}
