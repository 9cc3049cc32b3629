//! Timestamps, provided by a [`Clock`](crate::ports::Clock).

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, Datelike, Timelike, Utc};
use compact_str::format_compact;
use serde::{Deserialize, Serialize};

use crate::Str;

/// Milliseconds since 1970-01-01T00:00:00Z. The text form is RFC 3339 with milliseconds. RFC 3339 only covers the years
/// 0 to 9999; other timestamps are written as a number such as `9223372036854775807ms`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// Creates a timestamp from the milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Returns the milliseconds since the Unix epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// Reads a time in the form of RFC 3339, such as `2026-01-01T12:00:00Z`. Returns `None` if the text has another
    /// form.
    pub fn from_rfc3339(text: &str) -> Option<Self> {
        DateTime::parse_from_rfc3339(text).ok().map(|time| Self(time.timestamp_millis()))
    }

    /// Returns the timestamp `duration` later, or the latest representable one.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns the timestamp `duration` earlier, or the earliest representable one.
    #[must_use]
    pub fn minus(self, duration: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Returns the time elapsed since `earlier`; zero if `earlier` is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// Returns the milliseconds elapsed since `earlier`; zero if `earlier` is not earlier.
    pub(crate) fn millis_since(self, earlier: Self) -> u64 {
        u64::try_from(self.since(earlier).as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the text form. It is written many times per turn, so it is built without a formatter.
    fn text(self) -> Str {
        // Naive, because each field of a `DateTime` would add the offset to the whole time again.
        let time = DateTime::<Utc>::from_timestamp_millis(self.0).map(|time| time.naive_utc());
        let known = time.and_then(|time| u32::try_from(time.year()).ok().filter(|year| *year <= 9999).zip(Some(time)));
        let Some((year, time)) = known else { return format_compact!("{}ms", self.0) };
        let mut text = *b"0000-00-00T00:00:00.000Z";
        write_digits(&mut text[..4], year);
        write_digits(&mut text[5..7], time.month());
        write_digits(&mut text[8..10], time.day());
        write_digits(&mut text[11..13], time.hour());
        write_digits(&mut text[14..16], time.minute());
        write_digits(&mut text[17..19], time.second());
        write_digits(&mut text[20..23], time.nanosecond() / 1_000_000);
        str::from_utf8(&text).unwrap_or_default().into()
    }
}

/// Writes a number into `place`, padded with leading zeros.
fn write_digits(place: &mut [u8], number: u32) {
    let mut rest = number;
    for digit in place.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        if let Some(millis) = text.strip_suffix("ms").and_then(|number| number.parse().ok()) {
            return Ok(Self(millis));
        }
        DateTime::parse_from_rfc3339(&text).map(|time| Self(time.timestamp_millis())).map_err(serde::de::Error::custom)
    }
}
