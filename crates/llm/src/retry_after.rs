//! The wait that a provider asks for.

use std::time::Duration;

use chrono::DateTime;

/// The longest wait a provider may ask for.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(300);

/// Reads `retry-after-ms`, or else `retry-after`: seconds or a date, at most five minutes. A date is relative to the
/// response's own `date`, so that the clocks need not agree. Returns `None` for an invalid value.
pub(crate) fn retry_after<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<Duration> {
    let asked = header("retry-after-ms").and_then(|value| seconds(value, 1e-3));
    let asked = asked.or_else(|| {
        let value = header("retry-after")?;
        seconds(value, 1.0).or_else(|| {
            let until = DateTime::parse_from_rfc2822(value.trim()).ok()?;
            let now = DateTime::parse_from_rfc2822(header("date")?.trim()).ok()?;
            Some((until - now).to_std().unwrap_or(Duration::ZERO))
        })
    });
    asked.map(|wait| wait.min(MAX_WAIT))
}

fn seconds(value: &str, unit: f64) -> Option<Duration> {
    let number: f64 = value.trim().parse().ok()?;
    // A negative number stays negative and NaN stays NaN: neither is a duration.
    let bounded = (number * unit).clamp(-1.0, MAX_WAIT.as_secs_f64());
    Duration::try_from_secs_f64(bounded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_seconds_or_a_date_and_never_long() {
        let date = Some("Wed, 21 Oct 2015 07:28:00 GMT");
        for (value, date, expected) in [
            ("0", None, Some(0)),
            ("7", None, Some(7_000)),
            (" 1.5 ", None, Some(1_500)),
            ("1000000000", None, Some(300_000)),
            ("inf", None, Some(300_000)),
            ("-1", None, None),
            ("NaN", None, None),
            ("soon", None, None),
            ("", None, None),
            ("Wed, 21 Oct 2015 07:28:30 GMT", date, Some(30_000)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", date, Some(0)),
            ("Wed, 21 Oct 2099 07:28:00 GMT", date, Some(300_000)),
            ("Wed, 21 Oct 2015 07:28:30 GMT", None, None),
        ] {
            let wait = retry_after(|name| if name == "date" { date } else { (name == "retry-after").then_some(value) });
            assert_eq!(wait, expected.map(Duration::from_millis), "{value}");
        }
        assert_eq!(retry_after(|name| (name == "retry-after-ms").then_some("250")), Some(Duration::from_millis(250)));
    }
}
