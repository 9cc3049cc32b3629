//! Details of rate limits in errors: when a limit ends, and whether it is a daily one.

use std::time::Duration;

use serde::Deserialize;

use super::lenient::{Objects, Word};
use crate::retry_after::MAX_WAIT;

/// Phrases before the wait in a sentence such as `Please try again in 6m0s`.
const BEFORE_A_WAIT: &[&str] = &["try again in ", "try again after ", "retry in ", "retry after "];

/// A detail of a Google error. Errors of other vendors have none.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detail<'a> {
    /// From `RetryInfo`: seconds, such as `34.07s`.
    #[serde(borrow, default)]
    retry_delay: Word<'a>,
    /// From `QuotaFailure`.
    #[serde(borrow, default)]
    violations: Objects<Violation<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Violation<'a> {
    #[serde(borrow, default)]
    quota_id: Word<'a>,
}

/// Returns the wait from the first detail that has one: five minutes at most.
pub(super) fn wait_of_details(details: &Objects<Detail<'_>>) -> Option<Duration> {
    details.0.iter().find_map(|detail| detail.retry_delay.text().and_then(span))
}

/// Reports whether the limit resets the next day.
pub(super) fn is_daily(details: &Objects<Detail<'_>>) -> bool {
    let violations = details.0.iter().flat_map(|detail| &detail.violations.0);
    violations.filter_map(|violation| violation.quota_id.text()).any(|id| id.contains("PerDay"))
}

/// Returns the wait from a sentence in lower case: five minutes at most.
pub(super) fn wait_of_sentence(sentence: &str) -> Option<Duration> {
    BEFORE_A_WAIT.iter().find_map(|before| span(sentence.split_once(before)?.1))
}

/// Parses the duration at the beginning of a text: `26.45s`, `7m12.3s`, `20 seconds`.
fn span(text: &str) -> Option<Duration> {
    let (mut rest, mut total) = (text, None);
    while let Some((seconds, after)) = amount(rest) {
        total = Some(total.unwrap_or_default() + seconds);
        rest = after.trim_start();
    }
    Duration::try_from_secs_f64(f64::min(total?, MAX_WAIT.as_secs_f64())).ok()
}

/// Parses a number with its unit. Returns its seconds, and the rest of the text.
fn amount(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, rest) = text.split_at_checked(end)?;
    let rest = rest.trim_start();
    let (unit, rest) = rest.split_at_checked(rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()))?;
    let seconds = match unit {
        "ms" | "milliseconds" => 1e-3,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        _ => return None,
    };
    Some((number.parse::<f64>().ok()? * seconds, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_read_from_the_message_if_it_states_one() {
        for (sentence, millis) in [
            ("please retry in 26.45s.", Some(26_450)),
            ("please try again in 6m0s. visit https://llm.example/limits", Some(300_000)),
            ("please try again in 1m2.5s", Some(62_500)),
            ("please try again in 120ms.", Some(120)),
            ("please retry after 20 seconds. please go here", Some(20_000)),
            ("please retry after 1 minute and 5 apples", Some(60_000)),
            ("try again in 48h", Some(300_000)),
            ("please try again in 1.2.3s", None),
            ("please retry after 2030-01-01", None),
            ("please retry shortly", None),
            ("please try again in a moment", None),
            ("please try again in ", None),
            ("please try again in 5", None),
            ("please try again in 5 apples", None),
            ("20s", None),
            ("", None),
        ] {
            assert_eq!(wait_of_sentence(sentence), millis.map(Duration::from_millis), "{sentence}");
        }
        let endless = format!("retry in {}s", "9".repeat(400));
        assert_eq!(wait_of_sentence(&endless), Some(Duration::from_secs(300)));
    }
}
