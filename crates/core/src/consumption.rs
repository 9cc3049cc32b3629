//! Usage per day.

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Str, Timestamp, Usage, UserId};

/// Milliseconds in a day.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// A day in UTC. Its text form is `2026-01-31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Day(i64);

impl Day {
    /// The earliest representable day.
    pub const FIRST: Self = Self(i64::MIN);

    /// Returns the day that is `number` days after 1970-01-01.
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of days since 1970-01-01.
    pub const fn number(self) -> i64 {
        self.0
    }

    /// Returns the day that is `days` earlier.
    #[must_use]
    pub const fn minus(self, days: i64) -> Self {
        Self(self.0.saturating_sub(days))
    }
}

impl From<Timestamp> for Day {
    fn from(at: Timestamp) -> Self {
        Self(at.millis().div_euclid(DAY))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = i32::try_from(self.0).ok().and_then(NaiveDate::from_epoch_days);
        match date {
            Some(date) => write!(f, "{date}"),
            None => write!(f, "day {}", self.0),
        }
    }
}

impl FromStr for Day {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let date = text.parse::<NaiveDate>().ok().filter(|date| date.to_string() == text);
        date.map(|date| Self(date.to_epoch_days().into())).ok_or("expected a day, such as 2026-01-31")
    }
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The usage of one user on one day, for one agent, provider and model. It includes every step that has ended, even if
/// its turn failed or its session was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumption {
    /// The user that the calls were made for.
    pub user: UserId,
    /// The day of the calls.
    pub day: Day,
    /// The agent that made the calls.
    pub agent: Str,
    /// The provider that answered.
    pub provider: Str,
    /// The model that answered.
    pub model: Str,
    /// The number of model calls.
    pub calls: u64,
    /// The total usage of these calls.
    pub usage: Usage,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_of_utc_and_written_as_its_date() {
        for (millis, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (86_399_999, "1970-01-01"),
            (86_400_000, "1970-01-02"),
            (1_767_225_600_000, "2026-01-01"),
        ] {
            let day = Day::from(Timestamp::from_millis(millis));
            assert_eq!(day.to_string(), text);
            assert_eq!(text.parse(), Ok(day));
        }
        assert_eq!(Day::from(Timestamp::from_millis(i64::MAX)).to_string(), "day 106751991167");
    }

    #[test]
    fn an_invalid_date_is_rejected() {
        for text in ["", "2026-1-1", "2026-02-30", "2026-01-01T00:00", "+2026-01-1", "today"] {
            assert!(text.parse::<Day>().is_err(), "{text}");
        }
    }
}
