//! Token prices.

use serde::{Deserialize, Serialize};

use crate::{Cost, Str, Usage};

/// The price of a million tokens, in whole micro-dollars. Its JSON form is a number of dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Price(u64);

impl Price {
    /// The highest allowed price, in dollars.
    const MAX_DOLLARS: f64 = 1_000_000.0;
    /// Micro-dollars in a dollar.
    const MICRO: f64 = 1_000_000.0;

    /// Creates a price of `dollars` per million tokens, rounded to the nearest micro-dollar. Returns `None` if the
    /// number is not a valid price.
    pub fn dollars(dollars: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds, and rounded")]
        (0.0..=Self::MAX_DOLLARS).contains(&dollars).then(|| Self((dollars * Self::MICRO).round() as u64))
    }

    /// Returns the cost of `tokens` in pico-dollars. A price in micro-dollars per million tokens equals pico-dollars
    /// per token.
    fn of(self, tokens: u64) -> u128 {
        u128::from(self.0) * u128::from(tokens)
    }
}

impl TryFrom<f64> for Price {
    type Error = &'static str;

    fn try_from(dollars: f64) -> Result<Self, Self::Error> {
        Self::dollars(dollars).ok_or("expected dollars for a million tokens, from 0 to 1000000")
    }
}

impl From<Price> for f64 {
    fn from(price: Price) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a price has at most 1e12 micro-dollars")]
        let micro = price.0 as f64;
        micro / Price::MICRO
    }
}

/// The prices of each kind of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rates {
    /// Input that was not cached.
    pub input: Price,
    /// Input read from the provider's cache.
    pub cache_read: Price,
    /// Input written to the provider's cache.
    pub cache_write: Price,
    /// Output that is not reasoning.
    pub output: Price,
    /// Output that is reasoning.
    pub reasoning: Price,
}

impl Rates {
    /// Creates rates with one price for all input and one for all output.
    pub fn new(input: Price, output: Price) -> Self {
        Self { input, cache_read: input, cache_write: input, output, reasoning: output }
    }

    fn pico_dollars(&self, usage: &Usage) -> u128 {
        let reasoning = usage.reasoning.min(usage.output);
        self.input.of(usage.fresh)
            + self.cache_read.of(usage.cache_read)
            + self.cache_write.of(usage.cache_write)
            + self.output.of(usage.output - reasoning)
            + self.reasoning.of(reasoning)
    }
}

/// The prices of a model's tokens at the time of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    /// The source of the prices: the month in which they were recorded, or a word for their origin. It is stored with
    /// the costs.
    pub version: Str,
    /// The prices of tokens.
    pub rates: Rates,
    /// The prices that apply if the input is longer than this number of tokens, if they differ.
    pub long: Option<(u64, Rates)>,
}

impl Prices {
    /// Creates prices that do not depend on the length of the input.
    pub fn new(version: impl Into<Str>, rates: Rates) -> Self {
        Self { version: version.into(), rates, long: None }
    }

    /// Returns the cost of one call, to the nearest nano-dollar. For an unmetered call, returns the cost of the counted
    /// tokens, which is a lower bound.
    pub fn cost(&self, usage: &Usage) -> Cost {
        let input = usage.input();
        let rates = self.long.as_ref().filter(|(above, _)| input > *above).map_or(&self.rates, |(_, rates)| rates);
        let nano_dollars = (rates.pico_dollars(usage) + 500) / 1_000;
        let unpriced_calls = u32::from(usage.unmetered_calls > 0);
        Cost { nano_usd: u64::try_from(nano_dollars).unwrap_or(u64::MAX), unpriced_calls }
    }
}

impl Usage {
    /// Sets the cost of one call at these prices. For a call that ended early, the cost is a lower bound.
    pub fn charge(&mut self, prices: Option<&Prices>) {
        self.cost = prices.map_or(Cost::UNKNOWN, |prices| prices.cost(self));
        self.prices = prices.filter(|_| !self.cost.is_unknown()).map(|prices| prices.version.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(dollars: f64) -> Price {
        Price::dollars(dollars).unwrap()
    }

    #[test]
    fn each_kind_of_token_has_its_price_and_none_is_paid_twice() {
        let rates = Rates {
            cache_read: price(0.3),
            cache_write: price(3.75),
            reasoning: price(20.0),
            ..Rates::new(price(3.0), price(15.0))
        };
        let long = Rates::new(price(6.0), price(22.5));
        let prices = Prices { long: Some((200_000, long)), ..Prices::new("2025-11", rates) };
        let usage = |fresh, cache_read, cache_write, output, reasoning| Usage {
            fresh,
            cache_read,
            cache_write,
            output,
            reasoning,
            ..Usage::default()
        };
        for (usage, nano_usd) in [
            (usage(0, 0, 0, 0, 0), 0),
            (usage(1_000, 0, 0, 0, 0), 3_000_000),
            (usage(0, 1_000, 0, 0, 0), 300_000),
            (usage(0, 0, 1_000, 0, 0), 3_750_000),
            (usage(0, 0, 0, 1_000, 0), 15_000_000),
            (usage(0, 0, 0, 1_000, 400), 9_000_000 + 8_000_000),
            (usage(0, 0, 0, 10, 99), 200_000),
            (usage(100_000, 100_000, 0, 0, 0), 330_000_000),
            (usage(100_000, 100_001, 0, 0, 0), 1_200_006_000),
            (usage(u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0), u64::MAX),
        ] {
            assert_eq!(prices.cost(&usage), Cost { nano_usd, unpriced_calls: 0 }, "{usage:?}");
        }
        assert_eq!(prices.cost(&Usage::unmetered()), Cost::UNKNOWN);
        let broken_off = Usage { unmetered_calls: 1, ..usage(1_000, 0, 0, 0, 0) };
        assert_eq!(prices.cost(&broken_off), Cost { nano_usd: 3_000_000, unpriced_calls: 1 }, "at least");
    }

    #[test]
    fn fractions_of_a_nano_dollar_are_rounded_once_per_call() {
        let prices = Prices::new("x", Rates::new(price(0.000_1), price(0.000_5)));
        for (fresh, output, nano_usd) in [(4, 0, 0), (5, 0, 1), (4, 1, 1), (10_000, 0, 1_000)] {
            let usage = Usage { fresh, output, ..Usage::default() };
            assert_eq!(prices.cost(&usage).nano_usd, nano_usd, "{fresh} {output}");
        }
    }

    #[test]
    fn a_price_is_a_number_of_dollars_within_bounds() {
        for (json, read) in
            [("0.025", Some(25_000)), ("10", Some(10_000_000)), ("-1", None), ("1e7", None), ("0", Some(0))]
        {
            assert_eq!(serde_json::from_str::<Price>(json).ok(), read.map(Price), "{json}");
        }
        assert_eq!(Price::dollars(f64::NAN), None);
    }
}
